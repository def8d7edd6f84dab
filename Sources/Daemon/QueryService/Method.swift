// SPDX-License-Identifier: MIT
import JSON
import Reactor
import Spelling
import TodayModel
import Varlink

/// One method of an interface: its parameters, decoded and checked, and how it is answered.
@LoopActor
protocol Method {
    nonisolated static var name: String { get }
    nonisolated static var parameterNames: [String] { get }

    nonisolated init(_ parameters: Parameters) throws(VarlinkError)
    func answer(in context: MethodContext) throws(VarlinkError) -> Answer
}

/// The parameters of a call, read one by one. What is wrong with one is an error that names it.
struct Parameters {
    private let root: JSONField

    init(_ object: JSONObject, allowing names: [String]) throws(VarlinkError) {
        for key in object.keys where !names.contains(key) { throw .invalidParameter(key.shortened(to: 64)) }
        root = JSONField(root: .object(object))
    }

    func required<Value>(
        _ name: String, _ read: (JSONField) throws(JSONMismatch) -> Value
    ) throws(VarlinkError) -> Value {
        do throws(JSONMismatch) {
            return try read(try root.required(name))
        } catch {
            throw .invalidParameter(name)
        }
    }

    /// Nil where it is absent or null.
    func optional<Value>(
        _ name: String, _ read: (JSONField) throws(JSONMismatch) -> Value
    ) throws(VarlinkError) -> Value? {
        do throws(JSONMismatch) {
            guard let field = try root.optional(name) else { return nil }
            return try read(field)
        } catch {
            throw .invalidParameter(name)
        }
    }

    func string(_ name: String) throws(VarlinkError) -> String {
        try required(name) { field throws(JSONMismatch) in try field.string() }
    }

    func optionalString(_ name: String) throws(VarlinkError) -> String? {
        try optional(name) { field throws(JSONMismatch) in try field.string() }
    }

    /// Any value, which travels within an object: the protocol knows no "any value".
    func boxedValue(_ name: String) throws(VarlinkError) -> JSON? {
        try optional(name) { field throws(JSONMismatch) in
            try field.noOtherKeys(than: ["value"])
            return try field.required("value").value
        }
    }

    func bool(_ name: String) throws(VarlinkError) -> Bool {
        try required(name) { field throws(JSONMismatch) in try field.bool() }
    }

    func field(_ name: String) throws(VarlinkError) -> JSONField? {
        try optional(name) { field throws(JSONMismatch) in field }
    }
}

/// The caller of a method, how it calls, and what the method may use to answer.
@LoopActor
struct MethodContext {
    let service: QueryService
    let peer: PeerCredentials
    /// Names the connection; of a widget's, its extension context.
    let session: ContextID
    /// Whose extension context is used.
    let widget: WidgetID?
    /// The client takes several replies.
    let wantsMore: Bool
    /// The client waits for what comes of the call.
    let wantsReply: Bool

    var backend: any Backend { service.backend }
    var itemCache: ItemCache { service.itemCache }

    /// The widget of this name, or the error which says what might have been meant.
    func widget(_ name: String) throws(VarlinkError) -> WidgetID {
        if let id = WidgetID(name), backend.item(id) != nil { return id }
        backend.catchUp()
        guard let id = WidgetID(name), backend.item(id) != nil else {
            throw .noSuchWidget(name, among: backend.widgets())
        }
        return id
    }

    /// The app group of this name.
    func group(_ name: String) throws(VarlinkError) -> AppGroup {
        guard let group = AppGroup(name), backend.defaults(of: group) != nil else { throw .noSuchGroup(name) }
        return group
    }

    /// The widget of this name, if the peer may act for it.
    func changeableWidget(_ name: String) throws(VarlinkError) -> WidgetID {
        let id = try widget(name)
        try require(.widget(id))
        return id
    }

    /// The widget of this name, if the peer may decide how it is shown.
    func choosableWidget(_ name: String) throws(VarlinkError) -> WidgetID {
        let id = try widget(name)
        try require(.choices)
        return id
    }

    func require(_ subject: ChangeSubject) throws(VarlinkError) {
        guard backend.mayChange(subject, peer: peer) else { throw .permissionDenied }
    }
}
