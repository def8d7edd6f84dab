// SPDX-License-Identifier: MIT

import Glibc
import JSON
import Rendering
import TodayModel

/// Follows the view: redraws a terminal, or prints every change elsewhere. Connects again after a restart of the daemon.
final class LiveShow {
    /// The time between two attempts to connect again.
    static let reconnectInterval = TimeSpan.milliseconds(500)

    private let show: Show
    private let context: CommandContext
    private let stream: ReplyStream
    private var items: LiveItems
    /// Whether the next reply has everything.
    private var isFresh = true
    private var screen: LiveScreen?
    private var lostAt: WallTime?

    init(_ show: Show, in context: CommandContext) {
        self.show = show
        self.context = context
        stream = ReplyStream(show.call, of: context.service)
        items = LiveItems(areNamed: !show.ids.isEmpty)
    }

    func run() throws -> ExitCode {
        // The notice about the daemon is printed before the screen is switched.
        if context.service.socket.isFallback { try context.service.connectNow() }
        if context.output.isLive && !context.output.isJSON { screen = try LiveScreen(context.output) }
        defer { screen?.leave() }
        var isFirstTurn = true
        while true {
            let changed = try readReplies(mustConnect: isFirstTurn)
            isFirstTurn = false
            if changed { draw() }
            if lostAt == nil, stream.isFinished { return .ok }
            switch wait() {
            case .quit: return .ok
            case .redraw: draw()
            case .replies: break
            }
        }
    }

    // MARK: Replies

    /// Reads all replies that have arrived.
    ///
    /// - Parameter mustConnect: whether it throws where the daemon cannot be reached. Otherwise the view waits for it.
    /// - Returns: whether there is something new to draw.
    private func readReplies(mustConnect: Bool) throws -> Bool {
        var changed = false
        do {
            while let event = try stream.available() {
                guard case .reply(let reply) = event else { break }
                try apply(reply)
                changed = true
            }
        } catch let error as ClientError where error.code == .unreachable && !mustConnect {
            return disconnect() || changed
        }
        if lostAt != nil {
            lostAt = nil
            if screen == nil { context.output.warn("connected again") }
            changed = true
        }
        return changed
    }

    private func apply(_ reply: JSONObject) throws {
        let isFirst = isFresh
        isFresh = false
        if context.output.isJSON { return try context.output.printLine(.object(show.sorted(reply))) }
        let changed = try context.service.translated { try items.apply(reply, isFirst: isFirst) }
        if screen == nil, !changed.isEmpty, !context.output.isQuiet {
            try context.output.print(show.lines(changed, context.output.presentation) + [StyledLine()])
        }
    }

    /// - Returns: whether the daemon was still connected until now.
    private func disconnect() -> Bool {
        stream.close()
        isFresh = true
        guard lostAt == nil else { return false }
        lostAt = WallTime.now
        if screen == nil { context.output.warn("todayd does not answer; waiting for it to come back") }
        return true
    }

    // MARK: Screen

    private func draw() {
        guard let screen else { return }
        let presentation = context.output.presentation
        var lines = show.lines(items.items, presentation)
        if let lostAt {
            let notice = "todayd has not answered since \(ClockTime(lostAt)): this may be old"
            lines = [presentation.line(notice, .meaning(.warning)), StyledLine()] + lines
        }
        screen.draw(lines, presentation, command: show.commandForAll)
    }

    // MARK: Waiting

    private enum Wake {
        case replies, redraw, quit
    }

    private func wait() -> Wake {
        var polls = [stream.descriptor ?? -1].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        for descriptor in screen?.descriptors ?? [] {
            polls.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
        }
        let age = screen == nil ? nil : items.nextAgeChange(after: WallTime.now)
        let span = lostAt == nil ? age : min(age ?? Self.reconnectInterval, Self.reconnectInterval)
        let milliseconds = span.map { Int32(min($0.microseconds / 1_000 + 1, 1 << 30)) } ?? -1
        let ready = poll(&polls, nfds_t(polls.count), milliseconds)
        if ready == 0 { return lostAt == nil ? .redraw : .replies }
        if polls[0].revents != 0 { return .replies }
        switch screen?.readInput() {
        case .quit: return .quit
        case .redraw: return .redraw
        case nil: return .replies
        }
    }
}
