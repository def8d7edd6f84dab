// SPDX-License-Identifier: MIT
import JSON
import Reactor
import Spelling
import TodayModel
import Varlink

/// What a method returns.
@LoopActor
enum Answer {
    typealias Start = @LoopActor (_ done: @escaping Completion<JSONObject>) -> Void

    case parameters(JSONObject)
    /// The same bytes for the same call, until an announcement or this time.
    case bytes([UInt8], validUntil: BootTime?)
    /// The reply comes when `done` is called.
    case later(Start)
    /// A whole frame that comes later.
    case frame(@LoopActor (_ done: @escaping @LoopActor (Frame) -> Void) -> Void)
    /// Like `later`. The service calls the returned closure when the client leaves before the reply.
    case stoppable(@LoopActor (_ done: @escaping Completion<JSONObject>) -> @LoopActor () -> Void)
    case stream(Feed)

    /// A reply without parameters, sent when the change has been made.
    static func afterwards(_ start: @escaping @LoopActor (@escaping Completion<Void>) -> Void) -> Answer {
        .later { done in start { result in done(result.map { [:] }) } }
    }
}

extension QueryService {
    /// The methods of org.todayd.Today.
    static let methods: [String: any Method.Type] = {
        let methods: [any Method.Type] = [
            List.self, Show.self, Update.self, SetHasContent.self, HasContent.self, Enable.self, Disable.self,
            Move.self, SetDisplayMode.self, SetLockScreen.self, PerformAction.self, SetEditing.self, Push.self,
            GetDefaults.self, SetDefaults.self, OpenURL.self, Status.self, Monitor.self, Reload.self,
        ]
        return Dictionary(uniqueKeysWithValues: methods.map { ($0.name, $0) })
    }()

    /// The methods of org.todayd.ExtensionContext.
    static let contextMethods: [String: any Method.Type] = {
        let methods: [any Method.Type] = [
            Describe.self, SetOwnHasContent.self, OwnHasContent.self, SetLargestDisplayMode.self, OpenOwnURL.self,
            GetOwnDefaults.self, SetOwnDefaults.self,
        ]
        return Dictionary(uniqueKeysWithValues: methods.map { ($0.name, $0) })
    }()

    private static let longestMethodName = 256

    /// Answers one call. The backend checks the permission of a peer by its credentials. A widget that uses its context
    /// needs no permission, because it can change only its own state.
    func answer(to call: VarlinkCall, from session: Session) throws(VarlinkError) -> Answer {
        // No method has such a long name.
        guard call.method.utf8.count <= Self.longestMethodName else { throw .methodNotFound(call.method) }
        // No method hands the connection over to another protocol.
        if call.upgrade { throw .methodNotImplemented(call.method) }
        let isContext = session.widget != nil
        guard call.interfaceName == (isContext ? Interfaces.extensionContextName : Interfaces.todayName) else {
            guard let parameters = try (isContext ? contextInfo : info).answer(call) else {
                throw .methodNotImplemented(call.method)
            }
            return .parameters(parameters)
        }
        guard let type = (isContext ? Self.contextMethods : Self.methods)[call.memberName] else {
            throw .methodNotFound(call.method)
        }
        let method = try type.init(Parameters(call.parameters, allowing: type.parameterNames))
        return try method.answer(
            in: MethodContext(
                service: self, peer: session.peer, session: session.key, widget: session.widget, wantsMore: call.more,
                wantsReply: !call.oneway))
    }

    /// The frame of a reply, or of an error if clients would not read such a long one.
    func frame(_ bytes: [UInt8]) -> Frame {
        if bytes.count <= limits.replyBytes { return Frame(bytes, tally: tally) }
        let reason =
            "the answer has \(bytes.count) bytes, and one reply \(limits.replyBytes): ask for less, as for one widget"
        return Frame(VarlinkReply(.limitReached(reason)).encoded(), tally: tally)
    }

    /// Keeps a reply for the next client that sends the same call. It expires after a second, because the backend has
    /// to learn that hosts still look.
    func keep(_ reply: Frame, for call: [UInt8], hash: UInt64, validUntil: BootTime?) {
        let second = turns.time + .seconds(1)
        replyCache.store(reply, to: call, hash: hash, until: min(validUntil ?? second, second).microseconds)
    }
}
