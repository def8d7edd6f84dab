// SPDX-License-Identifier: MIT

import Glibc
import JSON
import Rendering
import TodayModel

/// Follows the view: on a terminal the screen is kept up to date, elsewhere every change is printed. Survives a restart of
/// the daemon.
final class LiveShow {
    /// How long after the loss of the daemon it is looked for again, and again.
    static let patience = TimeSpan.milliseconds(500)

    private let show: Show
    private let context: CommandContext
    private var feeds: [Feed]
    private var screen: LiveScreen?
    private var lostAt: WallTime?

    /// One call that is followed, with what it has given.
    private struct Feed {
        let stream: ReplyStream
        var items = LiveItems()
        var isFresh = true
        var isConnected = false
    }

    init(_ show: Show, in context: CommandContext) {
        self.show = show
        self.context = context
        feeds = show.calls.map { Feed(stream: ReplyStream($0, of: context.service)) }
    }

    func run() throws -> ExitCode {
        // What is said about the daemon is said before the screen is taken.
        if context.service.endpoint.isFallback { try context.service.reach() }
        if context.output.isLive && !context.output.isJSON { screen = try LiveScreen(context.output) }
        defer { screen?.leave() }
        var isFirstTurn = true
        while true {
            let changed = try turn(mayFail: isFirstTurn)
            isFirstTurn = false
            if changed { draw() }
            if feeds.allSatisfy({ $0.isConnected && $0.stream.isFinished }) { return .ok }
            switch wait() {
            case .quit: return .ok
            case .redraw: draw()
            case .news: break
            }
        }
    }

    // MARK: One turn

    /// Takes whatever has come; true when there is something new to draw.
    private func turn(mayFail: Bool) throws -> Bool {
        var changed = false
        for index in feeds.indices {
            do {
                while let event = try feeds[index].stream.available() {
                    guard case .reply(let reply) = event else { break }
                    try take(reply, from: index)
                    changed = true
                }
                feeds[index].isConnected = true
            } catch let error as ClientError where error.code == .unreachable && !mayFail {
                changed = lose(index, error) || changed
            }
        }
        if feeds.allSatisfy(\.isConnected), lostAt != nil {
            lostAt = nil
            if screen == nil { context.output.complain("connected again") }
            changed = true
        }
        return changed
    }

    private func take(_ reply: JSONObject, from index: Int) throws {
        let isFirst = feeds[index].isFresh
        feeds[index].isFresh = false
        if context.output.isJSON { return try context.output.printLine(.object(show.sorted(reply))) }
        let items = try context.service.translated { try feeds[index].items.apply(reply, isFirst: isFirst) }
        if screen == nil, !items.isEmpty, !context.output.isQuiet {
            try context.output.print(show.lines(items, context.output.presentation) + [Line()])
        }
    }

    /// True when that is news.
    private func lose(_ index: Int, _ error: ClientError) -> Bool {
        feeds[index].stream.close()
        feeds[index].isFresh = true
        feeds[index].isConnected = false
        guard lostAt == nil else { return false }
        lostAt = WallTime.now
        if screen == nil { context.output.complain("todayd does not answer; waiting for it to come back") }
        return true
    }

    // MARK: Screen

    private func draw() {
        guard let screen else { return }
        let presentation = context.output.presentation
        var lines = show.lines(feeds.flatMap(\.items.items), presentation)
        if let lostAt {
            let notice = "todayd has not answered since \(ClockTime(lostAt)): this may be old"
            lines = [presentation.line(notice, .meaning(.warning)), Line()] + lines
        }
        screen.draw(lines, presentation, command: show.commandForAll)
    }

    // MARK: Waiting

    private enum Wake {
        case news, redraw, quit
    }

    private func wait() -> Wake {
        var polls = feeds.compactMap { feed in
            feed.stream.descriptor.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        }
        let streams = polls.count
        for descriptor in screen?.descriptors ?? [] {
            polls.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
        }
        let age = screen == nil ? nil : feeds.compactMap { $0.items.nextAgeChange(after: WallTime.now) }.min()
        let span = lostAt == nil ? age : min(age ?? Self.patience, Self.patience)
        let milliseconds = span.map { Int32(min($0.microseconds / 1_000 + 1, 1 << 30)) } ?? -1
        let ready = poll(&polls, nfds_t(polls.count), milliseconds)
        if ready == 0 { return lostAt == nil ? .redraw : .news }
        if polls[..<streams].contains(where: { $0.revents != 0 }) { return .news }
        switch screen?.takeInput() {
        case .quit: return .quit
        case .redraw: return .redraw
        case nil: return .news
        }
    }
}
