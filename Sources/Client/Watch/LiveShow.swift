// SPDX-License-Identifier: MIT

import Console
import Glibc
import JSON
import Link
import Rendering
import TodayModel

/// Follows the view without a screen: prints every change.
final class LiveShow {
    private let view: ViewRequest
    private let context: CommandContext
    private let follower: Follower
    private var items: LiveItems
    private var isLost = false

    init(_ view: ViewRequest, in context: CommandContext) {
        self.view = view
        self.context = context
        follower = Follower(view.call, of: context.service, Follow.Policy(endsWithStream: true))
        items = LiveItems(areNamed: !view.ids.isEmpty)
    }

    func run() throws -> ExitCode {
        // The notice about the daemon is printed before anything else.
        if context.service.socket.isFallback { try context.service.connectNow() }
        while true {
            for news in try follower.read() {
                switch news {
                case .reply(let reply): try print(reply)
                case .lost: lose()
                case .end: return .ok
                }
            }
            if !wait() { return .ok }
        }
    }

    private func print(_ reply: JSONObject) throws {
        if isLost { context.output.warn("connected again") }
        isLost = false
        if context.output.isJSON { return try context.output.printLine(.object(view.sorted(reply))) }
        let changed = try context.service.translated { try items.apply(reply) }
        if !changed.isEmpty, !context.output.isQuiet {
            try context.output.print(view.lines(changed, context.output.presentation) + [StyledLine()])
        }
    }

    private func lose() {
        items.lose()
        context.output.warn("todayd does not answer; waiting for it to come back")
        isLost = true
    }

    /// - Returns: whether there is still a reader.
    private func wait() -> Bool {
        // Without events, poll(2) reports that the reader of a pipe has closed it.
        var polls = [
            pollfd(reading: follower.descriptor), pollfd(fd: context.output.descriptor, events: 0, revents: 0),
        ]
        poll(&polls, nfds_t(polls.count), TimeSpan.pollMilliseconds(follower.pause(at: .now)))
        return polls[1].revents & Int16(POLLERR | POLLHUP | POLLNVAL) == 0
    }
}
