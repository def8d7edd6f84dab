// SPDX-License-Identifier: MIT
import JSON
import TodayModel
import Varlink

/// Answers one call, or begins the work that its reply waits for.
extension Session {
    func answer(_ call: CallInput.Call, in service: QueryService) throws(VarlinkProtocolError) {
        if widget == nil,
            let reply = service.replyCache.reply(
                to: call.bytes, hash: call.hash, now: service.turns.time.microseconds)
        {
            return append(reply)
        }
        let message = Array(call.bytes)
        let parsed = try VarlinkCall(parsing: message)
        let answer: Answer
        do throws(VarlinkError) {
            answer = try service.answer(to: parsed, from: self)
        } catch {
            return reply(VarlinkReply(error), to: parsed, service)
        }
        switch answer {
        case .parameters(let parameters):
            reply(VarlinkReply(parameters), to: parsed, service)
        case .bytes(let parameters, let validUntil):
            guard !parsed.oneway else { return }
            let frame = service.frame(VarlinkReply.encode(parametersBytes: parameters, continues: false))
            service.keep(frame, for: message, hash: call.hash, validUntil: validUntil)
            append(frame)
        case .later(let start):
            // The session waits even where the client wants no reply, so that no client makes changes faster than the
            // store commits them.
            let wait = beginWait()
            start { [self] in endWait(wait, with: parsed.oneway ? nil : frame(of: $0, service)) }
        case .frame(let start):
            let wait = beginWait()
            start { [self] frame in endWait(wait, with: parsed.oneway ? nil : frame) }
        case .stoppable(let start):
            let wait = beginWait()
            stop(wait, by: start { [self] in endWait(wait, with: parsed.oneway ? nil : frame(of: $0, service)) })
        case .stream(let feed):
            subscribe(to: feed)
        }
    }

    private func reply(_ reply: VarlinkReply, to call: VarlinkCall, _ service: QueryService) {
        if !call.oneway { append(service.frame(reply.encoded())) }
    }

    private func frame(of result: Result<JSONObject, Refusal>, _ service: QueryService) -> Frame {
        let reply =
            switch result {
            case .success(let parameters): VarlinkReply(parameters)
            case .failure(let refusal): VarlinkReply(service.error(for: refusal, of: widget))
            }
        return service.frame(reply.encoded())
    }
}
