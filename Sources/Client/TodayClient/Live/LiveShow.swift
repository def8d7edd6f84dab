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
    private var followed: [FollowedCall]
    private var screen: LiveScreen?
    private var lostAt: WallTime?

    /// One call whose replies are followed, and the items that it has given.
    private struct FollowedCall {
        let stream: ReplyStream
        var items = LiveItems()
        var isFresh = true
        var isConnected = false
    }

    init(_ show: Show, in context: CommandContext) {
        self.show = show
        self.context = context
        followed = show.calls.map { FollowedCall(stream: ReplyStream($0, of: context.service)) }
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
            if followed.allSatisfy({ $0.isConnected && $0.stream.isFinished }) { return .ok }
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
        for index in followed.indices {
            do {
                while let event = try followed[index].stream.available() {
                    guard case .reply(let reply) = event else { break }
                    try apply(reply, from: index)
                    changed = true
                }
                followed[index].isConnected = true
            } catch let error as ClientError where error.code == .unreachable && !mustConnect {
                changed = disconnect(index) || changed
            }
        }
        if followed.allSatisfy(\.isConnected), lostAt != nil {
            lostAt = nil
            if screen == nil { context.output.warn("connected again") }
            changed = true
        }
        return changed
    }

    private func apply(_ reply: JSONObject, from index: Int) throws {
        let isFirst = followed[index].isFresh
        followed[index].isFresh = false
        if context.output.isJSON { return try context.output.printLine(.object(show.sorted(reply))) }
        let items = try context.service.translated { try followed[index].items.apply(reply, isFirst: isFirst) }
        if screen == nil, !items.isEmpty, !context.output.isQuiet {
            try context.output.print(show.lines(items, context.output.presentation) + [StyledLine()])
        }
    }

    /// - Returns: whether the daemon was still connected until now.
    private func disconnect(_ index: Int) -> Bool {
        followed[index].stream.close()
        followed[index].isFresh = true
        followed[index].isConnected = false
        guard lostAt == nil else { return false }
        lostAt = WallTime.now
        if screen == nil { context.output.warn("todayd does not answer; waiting for it to come back") }
        return true
    }

    // MARK: Screen

    private func draw() {
        guard let screen else { return }
        let presentation = context.output.presentation
        var lines = show.lines(followed.flatMap(\.items.items), presentation)
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
        var polls = followed.compactMap { call in
            call.stream.descriptor.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        }
        let streams = polls.count
        for descriptor in screen?.descriptors ?? [] {
            polls.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
        }
        let age = screen == nil ? nil : followed.compactMap { $0.items.nextAgeChange(after: WallTime.now) }.min()
        let span = lostAt == nil ? age : min(age ?? Self.reconnectInterval, Self.reconnectInterval)
        let milliseconds = span.map { Int32(min($0.microseconds / 1_000 + 1, 1 << 30)) } ?? -1
        let ready = poll(&polls, nfds_t(polls.count), milliseconds)
        if ready == 0 { return lostAt == nil ? .redraw : .replies }
        if polls[..<streams].contains(where: { $0.revents != 0 }) { return .replies }
        switch screen?.readInput() {
        case .quit: return .quit
        case .redraw: return .redraw
        case nil: return .replies
        }
    }
}

/// The items of a followed view. The first reply has all items, later ones have the changes.
struct LiveItems {
    private var byID: [WidgetID: Item] = [:]

    /// The items in the user's order.
    var items: [Item] {
        byID.values.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
    }

    /// Applies a reply, and returns the changed and new items in it.
    mutating func apply(_ reply: JSONObject, isFirst: Bool) throws(JSONMismatch) -> [Item] {
        let changed = try reply.items("items")
        if isFirst { byID = [:] }
        for text in reply.strings("removed") { if let id = WidgetID(text) { byID[id] = nil } }
        for item in changed { byID[item.id] = item }
        return changed
    }

    /// The time until the text of an age on the screen changes.
    func nextAgeChange(after now: WallTime) -> TimeSpan? {
        byID.values.compactMap { $0.age(at: now) }.map { age -> TimeSpan in
            let unit: Int64
            switch age {
            case ..<TimeSpan.hours(1): unit = TimeSpan.minutes(1).microseconds
            case ..<TimeSpan.days(1): unit = TimeSpan.hours(1).microseconds
            default: unit = TimeSpan.days(1).microseconds
            }
            let past = age.microseconds % unit
            return TimeSpan(microseconds: past < 0 ? -past : unit - past)
        }.min()
    }
}
