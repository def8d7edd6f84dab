// SPDX-License-Identifier: MIT

import Console
import Glibc
import Link
import Platform
import Rendering
import TodayModel
import Varlink

/// Follows the view on a screen. It handles the connection, keys, signals, the calls that keys have caused, and the programs
/// that they have started. It waits only in poll(2).
final class WatchLoop {
    private let view: ViewRequest
    private let context: CommandContext
    private let follower: Follower
    private let screen: LiveScreen
    private var state: WatchState
    private var input = TerminalInput()
    private var list: WatchList?
    private let calls: WatchCalls
    private var commands = BackgroundCommands()
    private var underWay: [pid_t: (deed: WatchDeed, output: CollectedOutput?)] = [:]
    private var isEnded = false
    /// The longest time between two drawings, if todayd writes without a pause.
    private static let drawingInterval = TimeSpan.milliseconds(100)
    private var drawnAt: AwakeTime?
    private var ground: Ground?

    init(_ view: ViewRequest, in context: CommandContext) throws {
        self.view = view
        self.context = context
        calls = WatchCalls(context.service)
        context.service.asksInTerminal = false
        follower = Follower(
            view.call, of: context.service, Follow.Policy(waitsFromStart: true, endsWithStream: true))
        // Messages about the daemon are printed before the screen is switched.
        try follower.connect()
        screen = try LiveScreen(context.output, hasMouse: true)
        let options = WatchState.Options(
            order: view.order, extras: view.extras, areNamed: !view.ids.isEmpty, point: view.point ?? .today,
            hasKeys: screen.hasKeys,
            commandForAll: view.commandForAll)
        state = WatchState(options, context.output.presentation)
    }

    func run() throws -> ExitCode {
        defer {
            screen.leave()
            cancelEdits()
            commands.abandon()
        }
        while !isEnded {
            if try readReplies() {
                draw()
                return .ok
            }
            readList()
            collect()
            carryOut(state.nextMove())
            if !follower.hasMore || (drawnAt.map { AwakeTime.now - $0 >= Self.drawingInterval } ?? true) { draw() }
            wait()
        }
        return .ok
    }

    private func draw() {
        state.resize(context.output.screenSize, context.output.presentation)
        screen.show(state.frame(), on: ground)
        drawnAt = .now
    }

    // MARK: todayd

    /// - Returns: whether todayd has ended the view.
    private func readReplies() throws -> Bool {
        state.clock = .now
        for news in try follower.read() {
            switch news {
            case .reply(let reply): try context.service.translated { try state.apply(reply) }
            case .lost:
                list = nil
                state.lose(at: .now)
            case .end: return true
            }
        }
        return false
    }

    private func readList() {
        guard state.isViewEdited, !state.isLost else {
            list = nil
            return
        }
        let list = self.list ?? WatchList(at: view.point ?? .today, of: context.service)
        self.list = list
        do {
            if let items = try list.read() { state.list(items) }
        } catch {
            // If todayd has gone, the connection of the view ends, too. Without a list, the widgets of the view can be edited.
            self.list = nil
            state.giveUpList("\(error)")
        }
    }

    // MARK: Deeds

    private func carryOut(_ effects: [WatchEffect]) {
        for effect in effects {
            switch effect {
            case .quit: isEnded = true
            case .suspend: screen.suspend()
            case .redraw: screen.forget()
            case .start(.performHere(let id, let word)): lend(to: words(for: .performHere(id, word)))
            case .add: lend(to: context.service.socket.options + ["add"], silence: .no)
            case .start(let deed): start(deed)
            }
        }
    }

    private var isLocked: Bool { view.point == .lockScreen }

    private func words(for deed: WatchDeed) -> [String] {
        context.service.socket.options + (deed.isQuiet ? ["--quiet"] : []) + ["--color=never"]
            + deed.words(isLocked: isLocked)
    }

    private func start(_ deed: WatchDeed) {
        state.began(deed)
        do {
            if let call = deed.call(isLocked: isLocked) { return try calls.start(deed, call) }
            let output = CollectedOutput()
            let pid = try commands.start(
                words(for: deed), output: .descriptor(output?.descriptor ?? -1), joinsErrors: true)
            underWay[pid] = (deed, output)
        } catch {
            carryOut(state.ended(deed, succeeded: false, said: "\(error)"))
        }
    }

    /// Reports the state of the calls, and the programs that have ended.
    private func collect() {
        for ended in calls.ended(context.output.presentation) { finish(ended) }
        for ended in commands.ended() {
            guard let (deed, output) = underWay.removeValue(forKey: ended.pid) else { continue }
            if case .open(_, let url) = deed {
                let failure = URLOpener.failure(of: ended.ending, url)
                carryOut(state.ended(deed, succeeded: failure == nil, said: failure?.description ?? ""))
            } else {
                let succeeded = ended.ending == .exited(0)
                let said = Self.said(output?.bytes ?? [], succeeded: succeeded)
                carryOut(state.ended(deed, succeeded: succeeded, said: said))
            }
        }
    }

    /// Ends a deed whose call has ended, unless something has to be opened first.
    private func finish(_ ended: WatchCalls.Ended) {
        var opening: WatchDeed?
        if ended.succeeded, let url = ended.url, let id = ended.deed.widget { opening = .open(id, url: url) }
        if ended.deed != opening {
            carryOut(state.ended(ended.deed, succeeded: ended.succeeded, said: ended.said))
            if let opening { state.began(opening) }
        }
        if let opening, case .open(let id, let url) = opening { open(url, of: id, ended.listener, opening) }
    }

    private func open(_ url: String, of id: WidgetID, _ listener: SocketListener?, _ deed: WatchDeed) {
        do {
            guard let item = state.item(id) else { throw ClientError("no widget '\(id)' is shown any more") }
            var plan = try URLOpener(environment: context.environment).plan(url, for: item, of: listener)
            // The output of a browser would otherwise appear on the screen.
            let output = CollectedOutput()
            plan.output = .descriptor(output?.descriptor ?? -1)
            plan.joinsErrors = true
            underWay[try commands.start(plan)] = (deed, output)
        } catch {
            carryOut(state.ended(deed, succeeded: false, said: "\(error)"))
        }
    }

    /// An editing session that was begun here ends with the view. todayd has read the calls once it has answered, for which a
    /// second is enough; it ends the editing of a slower widget by itself.
    private func cancelEdits() {
        let edits = state.ownEdits
        for id in edits { start(.edit(id, .cancel)) }
        let end = AwakeTime.now + .seconds(1)
        while !edits.isEmpty, !calls.isEmpty, AwakeTime.now < end {
            var polls = calls.descriptors.map { pollfd(reading: $0) }
            _ = poll(&polls, nfds_t(polls.count), TimeSpan.pollMilliseconds(end - .now))
            _ = calls.ended(context.output.presentation)
        }
    }

    /// What is shown of a command's output: its last line, or the reason that todayctl gives for its failure. Output of other
    /// programs may come before it.
    static func said(_ bytes: [UInt8], succeeded: Bool) -> String {
        let lines = String(decoding: bytes, as: UTF8.self).split { $0 == "\n" || $0 == "\r\n" }
        if succeeded { return lines.last.map(String.init) ?? "" }
        let name = "todayctl: "
        guard let first = lines.lastIndex(where: { $0.hasPrefix(name) }) else { return lines.joined(separator: " ") }
        return ([lines[first].dropFirst(name.count)] + lines[(first + 1)...]).joined(separator: " ")
    }

    /// Lends this terminal to a command that wants one, until the command ends.
    ///
    /// - Parameter silence: the exit status with which it has said nothing, because the user has chosen nothing.
    private func lend(to words: [String], silence: ExitCode? = nil) {
        var plan = SpawnedProgram.Plan("/proc/self/exe", words, output: .descriptor(context.output.descriptor))
        plan.input = .descriptor(STDIN_FILENO)
        let isEnding = screen.lend {
            do throws(SpawnedProgram.Failure) {
                return try SpawnedProgram(plan).wait() != silence.map { .exited($0.rawValue) }
            } catch {
                context.output.warn("\(error)")
                return true
            }
        } prompt: {
            // Its output disappears as soon as the view is back.
            context.output.prompt("Enter shows the widgets again. ")
        }
        if isEnding { isEnded = true }
        input = TerminalInput()
    }

    // MARK: Waiting

    private func wait() {
        if isEnded { return }
        var polls = ([follower.descriptor ?? -1] + (list?.descriptors ?? []) + calls.descriptors + screen.descriptors)
            .map {
                pollfd(reading: $0)
            }
        _ = poll(&polls, nfds_t(polls.count), TimeSpan.pollMilliseconds(pause))
        switch screen.readSignals() {
        case .quit: isEnded = true
        // After two changes, a terminal of the same size may show something else.
        case .redraw: screen.forget()
        case nil: break
        }
        if let bytes = screen.readKeys() {
            // The end of input means that the terminal is gone.
            if bytes.isEmpty { isEnded = true }
            handle(input.read(bytes, at: .now))
        } else {
            handle(input.timeOut(at: .now))
        }
    }

    private func handle(_ events: [TerminalEvent]) {
        for event in events where !isEnded {
            if case .ground(let answer) = event {
                if ground != answer { screen.forget() }
                ground = answer
                continue
            }
            state.clock = .now
            let effects = state.handle(event)
            carryOut(effects)
            // Input from before the terminal was lent is not meant for the view.
            if effects.contains(where: \.lendsTerminal) { return }
        }
    }

    /// How long the loop may wait if nothing arrives.
    private var pause: TimeSpan? {
        let now = AwakeTime.now
        let spans = [
            state.nextChange(after: .now), follower.pause(at: now), list?.nextReading.map { $0 - now },
            input.deadline.map { $0 - now }, calls.deadline.map { $0 - now },
        ]
        return spans.compactMap { $0 }.min()
    }
}
