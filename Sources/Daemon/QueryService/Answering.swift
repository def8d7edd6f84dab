// SPDX-License-Identifier: MIT
import JSON
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
    /// - Parameter key: by which the reply may be kept for other clients; nil where it is for this one.
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
            // The session waits even where the client wants no reply, so that no client makes changes faster than the
            // store commits them.
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
