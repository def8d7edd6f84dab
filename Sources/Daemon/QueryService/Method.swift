// SPDX-License-Identifier: MIT
import JSON
import Reactor
import Spelling
import TodayModel
import Varlink

/// One method of an interface: a function from a call to its answer.
package struct Method: Sendable {
    package typealias Body = @LoopActor @Sendable (MethodCall) throws(VarlinkError) -> Answer

    package let name: String
    package let parameterNames: [String]
    package let answer: Body

    /// - Parameter parameterNames: a call with another parameter is an error.
    package init(_ name: String, _ parameterNames: [String] = [], _ answer: @escaping Body) {
        self.name = name
        self.parameterNames = parameterNames
        self.answer = answer
    }
}

/// What a method returns.
@LoopActor
package enum Answer {
    package typealias Start = @LoopActor (_ done: @escaping Completion<JSONObject>) -> Void

    /// The reply's parameters.
    case parameters(JSONObject)
    /// The same, encoded.
    case bytes([UInt8])
    /// The same for every client that sends this call, until an announcement or this time.
    case cacheable([UInt8], validUntil: BootTime?)
    /// The reply comes when `done` is called.
    case later(Start)
    /// Like `later`. The service calls the returned closure when the client leaves before the reply.
    case stoppable(@LoopActor (_ done: @escaping Completion<JSONObject>) -> @LoopActor () -> Void)
    /// The replies are the news of the feed and, if the client asks for a heartbeat, one without changes after that time.
    case stream(Feed, heartbeat: TimeSpan? = nil)

    /// A reply without parameters, sent when the change has been made.
    package static func afterwards(_ start: @escaping @LoopActor (@escaping Completion<Void>) -> Void) -> Answer {
        .later { done in start { result in done(result.map { [:] }) } }
    }
}

/// Reads the parameters of a call. An invalid parameter throws an error that names it.
package struct Parameters {
    private let root: JSONField

    init(_ object: JSONObject, allowing names: [String]) throws(VarlinkError) {
        for key in object.keys where !names.contains(key) { throw .invalidParameter(key.shortened(to: 64)) }
        root = JSONField(root: .object(object))
    }

    package func required<Value>(
        _ name: String, _ read: (JSONField) throws(JSONMismatch) -> Value
    ) throws(VarlinkError) -> Value {
        do throws(JSONMismatch) {
            return try read(try root.required(name))
        } catch {
            throw .invalidParameter(name)
        }
    }

    /// Nil if the parameter is absent or null.
    package func optional<Value>(
        _ name: String, _ read: (JSONField) throws(JSONMismatch) -> Value
    ) throws(VarlinkError) -> Value? {
        do throws(JSONMismatch) {
            guard let field = try root.optional(name) else { return nil }
            return try read(field)
        } catch {
            throw .invalidParameter(name)
        }
    }

    package func string(_ name: String) throws(VarlinkError) -> String {
        try required(name) { field throws(JSONMismatch) in try field.string() }
    }

    package func optionalString(_ name: String) throws(VarlinkError) -> String? {
        try optional(name) { field throws(JSONMismatch) in try field.string() }
    }

    /// Any value, wrapped in an object because Varlink has no "any" type.
    package func boxedValue(_ name: String) throws(VarlinkError) -> JSON? {
        try optional(name) { field throws(JSONMismatch) in
            try field.noOtherKeys(than: ["value"])
            return try field.required("value").value
        }
    }

    package func bool(_ name: String) throws(VarlinkError) -> Bool {
        try required(name) { field throws(JSONMismatch) in try field.bool() }
    }

    /// False if it is left out.
    package func flag(_ name: String) throws(VarlinkError) -> Bool {
        try optional(name) { field throws(JSONMismatch) in try field.bool() } ?? false
    }

    package func choice<Value: RawRepresentable<String> & CaseIterable>(_ name: String) throws(VarlinkError) -> Value {
        try required(name) { field throws(JSONMismatch) in try field.choice(Value.self) }
    }

    /// Texts by name, in their order; nil if the parameter is absent.
    package func texts(_ name: String) throws(VarlinkError) -> [(name: String, text: String)]? {
        try optional(name) { field throws(JSONMismatch) in
            var texts: [(name: String, text: String)] = []
            for (name, value) in try field.members() { texts.append((name, try value.string())) }
            return texts
        }
    }

    /// In microseconds.
    package func span(_ name: String, atLeast least: Int = 0) throws(VarlinkError) -> TimeSpan? {
        try optional(name) { field throws(JSONMismatch) in try field.span(in: least...Int.max) }
    }

    /// An error names the field of the content by its path.
    package func content(_ name: String) throws(VarlinkError) -> Content? {
        guard let field = try optional(name, { field throws(JSONMismatch) in field }) else { return nil }
        do throws(JSONMismatch) {
            return try Content(JSONField(root: field.value))
        } catch {
            throw .invalidContent(error)
        }
    }
}

/// One call of a method: its client, its parameters, and what the method may use to answer.
@LoopActor
package struct MethodCall {
    package let parameters: Parameters
    package let peer: PeerCredentials
    package let session: SessionID
    /// Whether the client accepts several replies.
    package let wantsMore: Bool
    package let wantsReply: Bool
    /// The widget whose extension context the call came on.
    let context: WidgetID?
    let service: QueryService
    /// The policy has allowed what the peer may not do by itself.
    private let isAuthorized: Bool

    init(
        _ call: VarlinkCall, _ parameters: Parameters, from session: Session, in service: QueryService,
        isAuthorized: Bool
    ) {
        self.isAuthorized = isAuthorized
        self.parameters = parameters
        self.service = service
        peer = session.peer
        self.session = session.id
        context = session.widget
        wantsMore = call.more
        wantsReply = !call.oneway
    }

    var backend: any Backend { service.backend }

    /// The widget that the parameter `id` names.
    package func widget() throws(VarlinkError) -> WidgetID { try widget(parameters.string("id")) }

    /// The widget with this identifier. The error suggests similar identifiers.
    package func widget(_ name: String) throws(VarlinkError) -> WidgetID {
        if let id = WidgetID(name), backend.hasWidget(id) { return id }
        backend.catchUp()
        guard let id = WidgetID(name), backend.hasWidget(id) else {
            throw .noSuchWidget(name, among: backend.widgets())
        }
        return id
    }

    /// The error about a name that is none of these.
    package func noSuchWidget(_ name: String, among ids: [WidgetID]) -> VarlinkError {
        .noSuchWidget(name, among: ids)
    }

    /// The widget that the parameter `id` names, if the peer may act for it.
    package func changeableWidget() throws(VarlinkError) -> WidgetID {
        let id = try widget()
        try require(.widget(id))
        return id
    }

    /// The widget that the parameter `id` names, if the peer may decide how it is shown.
    package func choosableWidget() throws(VarlinkError) -> WidgetID {
        let id = try widget()
        try require(.choices)
        return id
    }

    /// The widget that owns this context. The service calls the methods of contexts only there.
    package func own() throws(VarlinkError) -> WidgetID {
        guard let context else { throw .permissionDenied }
        return context
    }

    /// The app group that the parameter `group` names.
    package func group() throws(VarlinkError) -> AppGroup {
        let name = try parameters.string("group")
        guard let group = AppGroup(name), backend.defaults(of: group) != nil else { throw .noSuchGroup(name) }
        return group
    }

    package func require(_ subject: ChangeSubject) throws(VarlinkError) {
        guard isAuthorized || backend.mayChange(subject, peer: peer) else { throw .permissionDenied }
    }

    /// Reads something, and throws a refusal as an error of the protocol.
    package func refusing<Value>(_ read: () throws(Refusal) -> Value) throws(VarlinkError) -> Value {
        do throws(Refusal) {
            return try read()
        } catch {
            throw service.error(for: error, of: context)
        }
    }

    /// Answers with the defaults of a group; with `more`, the client follows them.
    package func defaults(of group: AppGroup) -> Answer {
        if wantsMore { return .stream(service.feeds.defaultsFeed(of: group)) }
        var object = JSONObjectBytes()
        object.add("values", .object(DefaultsFeed.values(of: group, in: backend)))
        // A group may hold much, so the service keeps the bytes for the next client that asks the same. What a widget reads in
        // its context goes to no other client.
        return context == nil ? .cacheable(object.end(), validUntil: nil) : .bytes(object.end())
    }
}
