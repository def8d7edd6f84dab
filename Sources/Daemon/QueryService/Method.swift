// SPDX-License-Identifier: MIT
import JSON
import Reactor
import Spelling
import TodayModel
import Varlink

/// One method of an interface: decodes and checks its parameters, and answers.
@LoopActor
protocol Method {
    nonisolated static var name: String { get }
    nonisolated static var parameterNames: [String] { get }

    nonisolated init(_ parameters: Parameters) throws(VarlinkError)
    func answer(to call: MethodCall) throws(VarlinkError) -> Answer
}

/// What a method returns.
@LoopActor
enum Answer {
    typealias Start = @LoopActor (_ done: @escaping Completion<JSONObject>) -> Void

    /// The reply's parameters.
    case parameters(JSONObject)
    /// The same, encoded.
    case bytes([UInt8])
    /// The same for every client that sends this call, until an announcement or this time.
    case cacheable([UInt8], validUntil: BootTime?)
    /// The reply comes when `done` is called.
    case later(Start)
    /// A whole frame that comes later.
    case frame(@LoopActor (_ done: @escaping @LoopActor (Frame) -> Void) -> Void)
    /// Like `later`. The service calls the returned closure when the client leaves before the reply.
    case stoppable(@LoopActor (_ done: @escaping Completion<JSONObject>) -> @LoopActor () -> Void)
    /// The replies are what the feed has to tell and, where the client asks for a heartbeat, one without changes after
    /// that time.
    case stream(Feed, heartbeat: TimeSpan? = nil)

    /// A reply without parameters, sent when the change has been made.
    static func afterwards(_ start: @escaping @LoopActor (@escaping Completion<Void>) -> Void) -> Answer {
        .later { done in start { result in done(result.map { [:] }) } }
    }
}

/// Reads the parameters of a call. An invalid parameter throws an error that names it.
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

    /// Nil where the parameter is absent or null.
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

    /// Any value, wrapped in an object because Varlink has no "any" type.
    func boxedValue(_ name: String) throws(VarlinkError) -> JSON? {
        try optional(name) { field throws(JSONMismatch) in
            try field.noOtherKeys(than: ["value"])
            return try field.required("value").value
        }
    }

    func bool(_ name: String) throws(VarlinkError) -> Bool {
        try required(name) { field throws(JSONMismatch) in try field.bool() }
    }

    /// False where it is left out.
    func flag(_ name: String) throws(VarlinkError) -> Bool {
        try optional(name) { field throws(JSONMismatch) in try field.bool() } ?? false
    }

    func field(_ name: String) throws(VarlinkError) -> JSONField? {
        try optional(name) { field throws(JSONMismatch) in field }
    }
}

/// One call of a method: who calls, how, and what the method may use to answer.
@LoopActor
struct MethodCall {
    let service: QueryService
    let peer: PeerCredentials
    let session: SessionID
    /// The widget whose extension context the call came on.
    let widget: WidgetID?
    /// Whether the client accepts several replies.
    let wantsMore: Bool
    let wantsReply: Bool

    init(_ call: VarlinkCall, from session: Session, in service: QueryService) {
        self.service = service
        peer = session.peer
        self.session = session.id
        widget = session.widget
        wantsMore = call.more
        wantsReply = !call.oneway
    }

    var backend: any Backend { service.backend }
    var itemCache: ItemCache { service.itemCache }

    /// The widget with this identifier. The error suggests similar identifiers.
    func widget(_ name: String) throws(VarlinkError) -> WidgetID {
        if let id = WidgetID(name), backend.hasContent(id) != nil { return id }
        backend.catchUp()
        guard let id = WidgetID(name), backend.hasContent(id) != nil else {
            throw .noSuchWidget(name, among: backend.widgets())
        }
        return id
    }

    /// The app group with this identifier.
    func group(_ name: String) throws(VarlinkError) -> AppGroup {
        guard let group = AppGroup(name), backend.defaults(of: group) != nil else { throw .noSuchGroup(name) }
        return group
    }

    /// The widget with this identifier, if the peer may act for it.
    func changeableWidget(_ name: String) throws(VarlinkError) -> WidgetID {
        let id = try widget(name)
        try require(.widget(id))
        return id
    }

    /// The widget with this identifier, if the peer may decide how it is shown.
    func choosableWidget(_ name: String) throws(VarlinkError) -> WidgetID {
        let id = try widget(name)
        try require(.choices)
        return id
    }

    func require(_ subject: ChangeSubject) throws(VarlinkError) {
        guard backend.mayChange(subject, peer: peer) else { throw .permissionDenied }
    }
}
