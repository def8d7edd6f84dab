// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

extension QueryService {
    /// Answers one call of a session, or begins the work that its reply waits for.
    func answer(_ call: CallInput.Call, of session: Session) throws(VarlinkProtocolError) {
        if session.widget == nil,
            let reply = replyCache.reply(to: call.bytes, hash: call.hash, now: turns.time.microseconds)
        {
            return session.append(reply)
        }
        let message = Array(call.bytes)
        let parsed = try VarlinkCall(parsing: message)
        let answer: Answer
        do throws(VarlinkError) {
            answer = try self.answer(to: parsed, from: session)
        } catch {
            if error == .permissionDenied, askPolicy(about: parsed, of: session) { return }
            if !parsed.oneway { session.append(frame(VarlinkReply(error).encoded())) }
            return
        }
        give(answer, to: parsed, of: session, keeping: (message, call.hash))
    }

    /// Sends the answer to a call, or begins the work that it waits for.
    ///
    /// - Parameter key: under which the reply is kept for other clients; nil if it is for this client only.
    func give(
        _ answer: Answer, to call: VarlinkCall, of session: Session, keeping key: (call: [UInt8], hash: UInt64)? = nil
    ) {
        switch answer {
        case .parameters(let parameters):
            if !call.oneway { session.append(frame(VarlinkReply(parameters).encoded())) }
        case .bytes(let parameters):
            if !call.oneway { session.append(frame(of: parameters)) }
        case .cacheable(let parameters, let validUntil):
            guard !call.oneway else { return }
            let frame = frame(of: parameters)
            if let key { keep(frame, for: key.call, hash: key.hash, validUntil: validUntil) }
            session.append(frame)
        case .later(let start):
            // The session waits even if the client wants no reply, so that no client makes changes faster than the store
            // commits them.
            let wait = session.beginWait()
            start { [self] in session.endWait(wait, with: call.oneway ? nil : frame(of: $0, to: session)) }
        case .stoppable(let start):
            let wait = session.beginWait(isStoppable: true)
            let stop = start { [self] in session.endWait(wait, with: call.oneway ? nil : frame(of: $0, to: session)) }
            session.onLeave(before: wait, call: stop)
        case .stream(let feed, let heartbeat):
            session.subscribe(to: feed, heartbeat: heartbeat)
        }
    }

    private func frame(of result: Result<JSONObject, Refusal>, to session: Session) -> Frame {
        switch result {
        case .success(let parameters): frame(VarlinkReply(parameters).encoded())
        case .failure(let refusal): frame(VarlinkReply(error(for: refusal, of: session.widget)).encoded())
        }
    }

    /// The frame of the only reply with these parameters.
    private func frame(of parametersBytes: [UInt8]) -> Frame {
        frame(VarlinkReply.encode(parametersBytes: parametersBytes, continues: false))
    }

    /// The frame of a reply, or of an error if clients would not read such a long one.
    private func frame(_ bytes: [UInt8]) -> Frame {
        if bytes.count <= limits.replyBytes { return bytes }
        let reason =
            "the answer has \(bytes.count) bytes, and one reply \(limits.replyBytes): ask for less, as for one widget"
        return VarlinkReply(.limitReached(reason)).encoded()
    }

    /// Keeps a reply for the next client that sends the same call. It expires after a second, because the backend has
    /// to learn that hosts still look.
    private func keep(_ reply: Frame, for call: [UInt8], hash: UInt64, validUntil: BootTime?) {
        let second = turns.time + .seconds(1)
        replyCache.store(reply, to: call, hash: hash, until: min(validUntil ?? second, second).microseconds)
    }
}

extension QueryService {
    /// Serves the methods of the daemon, in addition to those that the service answers itself.
    package func serve(_ methods: [Method], inContexts contextMethods: [Method]) {
        self.methods = Self.table(Self.readingMethods + methods)
        self.contextMethods = Self.table(contextMethods)
    }

    private static func table(_ methods: [Method]) -> [String: Method] {
        Dictionary(uniqueKeysWithValues: methods.map { ($0.name, $0) })
    }

    private static let longestMethodName = 256

    /// Finds the method that a client calls, and its answer. The backend checks the permission of a peer by its
    /// credentials. A widget that uses its extension context needs no permission, because it can change only its own
    /// state.
    ///
    /// - Parameter isAuthorized: whether the machine's policy has allowed what the peer may not do by itself.
    func answer(
        to call: VarlinkCall, from session: Session, isAuthorized: Bool = false
    ) throws(VarlinkError) -> Answer {
        // No method has a name this long.
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
        guard let method = (isContext ? contextMethods : methods)[call.memberName] else {
            throw .methodNotFound(call.method)
        }
        let parameters = try Parameters(call.parameters, allowing: method.parameterNames)
        return try method.answer(MethodCall(call, parameters, from: session, in: self, isAuthorized: isAuthorized))
    }
}

/// Replies by the bytes of their call, until something changes. A host that repeats a call gets the same bytes, and the
/// service neither parses nor encodes anything.
///
/// The cache is a table with one slot per hash; a newer reply replaces the older one. So its size is bounded whatever
/// clients ask.
struct ReplyCache {
    private struct Entry {
        let call: [UInt8]
        let reply: Frame
        let expires: Int64
    }

    private static let slots = 256
    private static let longestCall = 512
    private static let totalBytes = 16 << 20

    private var entries = [Entry?](repeating: nil, count: slots)
    private var byteCount = 0

    /// - Parameter call: a slice of the read buffer, without the NUL.
    func reply(to call: ArraySlice<UInt8>, hash: UInt64, now: Int64) -> Frame? {
        guard let entry = entries[Self.slot(of: hash)], now < entry.expires, entry.call[...] == call else {
            return nil
        }
        return entry.reply
    }

    mutating func store(_ reply: Frame, to call: [UInt8], hash: UInt64, until expires: Int64) {
        let size = call.count + reply.count
        guard call.count <= Self.longestCall, size <= Self.totalBytes else { return }
        if byteCount + size > Self.totalBytes { removeAll() }
        let slot = Self.slot(of: hash)
        if let old = entries[slot] { byteCount -= old.call.count + old.reply.count }
        entries[slot] = Entry(call: call, reply: reply, expires: expires)
        byteCount += size
    }

    /// Called whenever anything changes.
    mutating func removeAll() {
        if byteCount == 0 { return }
        for slot in entries.indices { entries[slot] = nil }
        byteCount = 0
    }

    private static func slot(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash % UInt64(slots)) }
}
