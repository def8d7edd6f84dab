// SPDX-License-Identifier: MIT

import Glibc
import JSON
import Rendering
import TodayModel

/// Follows the view where there is no screen: prints every change. Connects again after a restart of the daemon.
final class LiveShow {
    private let show: Show
    private let context: CommandContext
    private let stream: ReplyStream
    private var items: LiveItems
    private var reconnection = Reconnection()
    private var hasBegun = false
    private var hasAnswer = false
    private var isLost = false

    init(_ show: Show, in context: CommandContext) {
        self.show = show
        self.context = context
        stream = ReplyStream(show.call, of: context.service, heartbeat: ReplyStream.hostHeartbeat)
        items = LiveItems(areNamed: !show.ids.isEmpty)
    }

    func run() throws -> ExitCode {
        // The notice about the daemon is printed before anything else.
        if context.service.socket.isFallback { try context.service.connectNow() }
        while true {
            if reconnection.isDue(at: .now) { try readReplies() }
            hasBegun = true
            if !isLost, stream.isFinished { return .ok }
            if !wait() { return .ok }
        }
    }

    /// Reads all replies that have arrived. Only a view that has begun waits for a todayd that does not answer, and only one that
    /// has shown something for a manifest that comes back.
    private func readReplies() throws {
        do {
            while case .reply(let reply)? = try stream.available() {
                reconnection.succeeded()
                // todayd may end at once after its first reply.
                hasAnswer = true
                if isLost { context.output.warn("connected again") }
                isLost = false
                try print(reply)
            }
        } catch let error as ClientError where error.isAbsence {
            guard hasAnswer || hasBegun && error.code != .timedOut else { throw error }
            lose()
        } catch let error as ClientError where error.code == .noSuchWidget && hasAnswer {
            lose()
        }
    }

    private func print(_ reply: JSONObject) throws {
        if context.output.isJSON { return try context.output.printLine(.object(show.sorted(reply))) }
        let changed = try context.service.translated { try items.apply(reply) }
        if !changed.isEmpty, !context.output.isQuiet {
            try context.output.print(show.lines(changed, context.output.presentation) + [StyledLine()])
        }
    }

    private func lose() {
        stream.close()
        items.lose()
        reconnection.failed(at: .now)
        if !isLost { context.output.warn("todayd does not answer; waiting for it to come back") }
        isLost = true
    }

    /// - Returns: whether there is still a reader.
    private func wait() -> Bool {
        // Without events, poll(2) tells that the reader of a pipe has closed it.
        var polls = [pollfd(reading: stream.descriptor), pollfd(fd: context.output.descriptor, events: 0, revents: 0)]
        poll(&polls, nfds_t(polls.count), TimeSpan.pollMilliseconds(reconnection.pause(stream, at: .now)))
        return polls[1].revents & Int16(POLLERR | POLLHUP | POLLNVAL) == 0
    }
}
