// SPDX-License-Identifier: MIT

import Console
import Glibc
import Link
import Platform
import Rendering
import TodayModel

/// A bar's program: one connection, a line for each change, and clicks. Between them it waits in poll(2).
final class BarLoop {
    private let bar: Bar
    private let context: CommandContext
    private let follower: Follower
    private let children: SignalPipe?
    private let turns: PageTurnSocket?
    private var state: BarState
    private var clickStream = ClickStream()
    private var clicks = BackgroundCommands()
    private var input: Int32
    private var lastUpdate: String?
    private var pageTimer: PageTimer?

    init(_ bar: Bar, in context: CommandContext) throws {
        self.bar = bar
        self.context = context
        follower = Follower(bar.call, of: context.service, Follow.Policy(waitsFromStart: true))
        state = BarState(areNamed: !bar.ids.isEmpty, hasSymbols: bar.hasSymbols, dims: bar.kind == .waybar)
        input = bar.kind.sendsClicks ? STDIN_FILENO : -1
        pageTimer = bar.turnInterval.map(PageTimer.init)
        children = bar.kind.sendsClicks ? try SignalPipe([SIGCHLD]) : nil
        turns = bar.kind.isPolled ? nil : PageTurnSocket(context.environment)
    }

    func run() throws -> ExitCode {
        defer { clicks.abandon() }
        try context.output.write(bar.kind.opening)
        while true {
            try readReplies()
            if pageTimer?.isDue(hasPages: state.hasPages, at: .now) == true { state.turn() }
            try show()
            if bar.kind.isPolled, lastUpdate != nil { return .ok }
            guard try wait() else { return .ok }
        }
    }

    // MARK: todayd

    private func readReplies() throws {
        for news in try follower.read() {
            switch news {
            case .reply(let reply): try context.service.translated { try state.apply(reply) }
            case .lost(let reason):
                context.output.note("\(reason)")
                state.lose(at: .now)
            case .end: break
            }
        }
    }

    // MARK: Showing

    private func show() throws {
        var presentation = context.output.presentation.forPrograms
        presentation.width = Bar.tooltipWidth
        presentation.isLasting = true
        // Before the first answer there is nothing to show, unless todayd is not there.
        guard let segments = state.segments(presentation) else { return }
        let update = bar.kind.update(
            segments, click: { self.bar.clickCommand($0.id, $1) }, menu: bar.menuCommand(segments.map(\.id)))
        guard update != lastUpdate else { return }
        lastUpdate = update
        try context.output.write(update)
    }

    // MARK: Waiting

    /// - Returns: false when the bar has ended.
    private func wait() throws -> Bool {
        var polls = [follower.descriptor ?? -1, input, children?.descriptor ?? -1].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        // Without events, poll(2) reports that the reader of a pipe has closed it.
        polls.append(pollfd(fd: context.output.descriptor, events: 0, revents: 0))
        polls.append(pollfd(fd: turns?.descriptor ?? -1, events: Int16(POLLIN), revents: 0))
        poll(&polls, nfds_t(polls.count), milliseconds)
        if polls[3].revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { return false }
        if polls[1].revents != 0 { readClicks() }
        if polls[2].revents != 0 {
            _ = children?.received()
            _ = clicks.ended()
        }
        if polls[4].revents != 0 { for turn in turns?.received() ?? [] { state.turn(turn) } }
        return true
    }

    /// How long the loop may wait if nothing arrives.
    private var milliseconds: Int32 {
        let now = AwakeTime.now
        let spans = [state.nextChange(after: .now), follower.pause(at: now), pageTimer?.next.map { $0 - now }]
        return TimeSpan.pollMilliseconds(spans.compactMap { $0 }.min())
    }

    // MARK: Clicks

    private func readClicks() {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(input, &bytes, bytes.count)
        if count <= 0 {
            if count == 0 || (errno != EINTR && errno != EAGAIN) { input = -1 }
            return
        }
        for click in clickStream.read(bytes.prefix(count)) {
            guard let item = state.item(click.widget) else { continue }
            let deed = bar.choices.deed(for: click.button, of: item)
            switch deed {
            case .next: state.turn(PageTurn(click.widget, isForward: true))
            case .previous: state.turn(PageTurn(click.widget, isForward: false))
            case ClickDeed.none?: break
            case .press, .menu, .update, .toggle, nil:
                start(deed, button: click.button, of: click.widget)
            }
        }
    }

    /// - Parameter deed: nil tells the widget's program of the click.
    private func start(_ deed: ClickDeed?, button: Int, of id: WidgetID) {
        let what = deed.map { ["--do", $0.rawValue] } ?? []
        do throws(BackgroundCommands.Problem) {
            // Standard output is the bar's.
            try clicks.start(
                bar.daemonOptions + ["--quiet", "click"] + what + ["--", id.text, "\(button)"],
                output: .descriptor(STDERR_FILENO), joinsErrors: false)
        } catch {
            context.output.note("a click is lost: \(error.reason)")
        }
    }
}
