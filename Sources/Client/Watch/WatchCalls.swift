// SPDX-License-Identifier: MIT

import Glibc
import JSON
import Link
import Rendering
import TodayModel
import Varlink

/// The calls that keys have caused, each on its own connection, so that the screen waits for none of them.
final class WatchCalls {
    /// A call that is over.
    struct Ended {
        let deed: WatchDeed
        let succeeded: Bool
        /// The answers in words, or the reason for the failure.
        let said: String
        /// The URL that the widget or the user wants opened.
        var url: String?
        /// Who has answered.
        var listener: SocketListener?
    }

    fileprivate struct Call {
        let deed: WatchDeed
        let replies: ReplyStream
        let deadline: AwakeTime
        let patience: TimeSpan
        /// The last answer of each widget that has run.
        var answers: [UpdateAnswer] = []
    }

    private let service: ServiceClient
    private var calls: [Call] = []

    init(_ service: ServiceClient) { self.service = service }

    var isEmpty: Bool { calls.isEmpty }

    /// For poll(2).
    var descriptors: [Int32] { calls.compactMap(\.replies.descriptor) }

    /// When the first call has taken too long.
    var deadline: AwakeTime? { calls.map(\.deadline).min() }

    /// - Throws: if todayd cannot be called.
    func start(_ deed: WatchDeed, _ call: ServiceCall) throws {
        let replies = ReplyStream(call, of: service, connectingWithin: .zero)
        try replies.connect()
        let patience = deed.patience.map { max($0, service.patience) } ?? service.patience
        calls.append(Call(deed: deed, replies: replies, deadline: .now + patience, patience: patience))
    }

    /// Reads what has arrived.
    func ended(_ presentation: Presentation) -> [Ended] {
        var ended: [Ended] = []
        calls = calls.compactMap { call in
            var call = call
            guard let end = read(&call, presentation) else { return call }
            ended.append(end)
            return nil
        }
        return ended
    }

    /// - Returns: nil while more replies are to come.
    private func read(_ call: inout Call, _ presentation: Presentation) -> Ended? {
        do {
            while case .reply(let reply)? = try call.replies.available() {
                try service.translated { try call.take(reply) }
                if call.replies.isFinished { return call.ended(presentation) }
            }
            if call.deadline > .now { return nil }
            return Ended(deed: call.deed, succeeded: false, said: "no answer within \(call.patience.text)")
        } catch {
            return Ended(deed: call.deed, succeeded: false, said: "\(error)")
        }
    }
}

extension WatchCalls.Call {
    fileprivate mutating func take(_ reply: JSONObject) throws(JSONMismatch) {
        let field = JSONField(root: .object(reply))
        var new = try field.optional("answers")?.array() ?? []
        if let answer = try field.optional("answer") { new.append(answer) }
        for field in new {
            let answer = try UpdateAnswer(field)
            answers.removeAll { $0.id == answer.id }
            answers.append(answer)
        }
    }

    fileprivate func ended(_ presentation: Presentation) -> WatchCalls.Ended {
        let failure = answers.first { $0.exitCode != .ok }
        var ended = WatchCalls.Ended(
            deed: deed, succeeded: failure == nil, said: (failure ?? answers.last)?.line(presentation).text() ?? "")
        ended.url = answers.lazy.compactMap(\.open).last
        if case .open(_, let url) = deed { ended.url = url }
        ended.listener = replies.listener
        return ended
    }
}
