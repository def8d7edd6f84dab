// SPDX-License-Identifier: MIT
import TodayModel

/// Decides which widget runs when. Each event comes with the time of three clocks, and returns actions. The timetable
/// reads no clock, starts nothing and does not wait.
///
/// A widget rests until it is due, waits for a free place, or runs (`TimetableEntry.Phase`). `RunQueue` has the order of
/// those that rest and of those that wait.
///
/// Only `advance` starts runs. It is called after all events of a turn, so that the most urgent run begins first. `request`
/// and `appeared` call it at once, because their answers say whether the run has begun: the first of them in a turn may take
/// the last free place before a more urgent one.
package struct Timetable: Sendable {
    package enum Action: Hashable, Sendable {
        case start(RunTicket)
        /// A planned run does not take place, because its widget was removed or may not run any more.
        case drop(RunTicket, reason: String)
    }

    /// The result of a run.
    package enum RunResult: Hashable, Sendable {
        case content, confirmation
        /// What a widget draws while it is edited: the program works, but its answer is not newer.
        case editorContent
        case failure
        /// The program of a stream runs, and has printed nothing within its time-out.
        case silence
    }

    /// When to call `advance` next: not before `at`, and not after `latest`.
    package struct Deadline: Hashable, Sendable {
        package var at: BootTime
        package var latest: BootTime
    }

    var entries = WidgetTable<TimetableEntry>()
    var queue: RunQueue
    /// Runs in progress of widgets that were removed.
    private var removedRuns: [WidgetID: TimetableEntry.Running] = [:]
    private var lastRun: UInt64 = 0
    private var clocks = ClockJumps()

    package init(concurrency: Int) { queue = RunQueue(concurrency: concurrency) }

    /// Plans the runs that are due, and starts planned runs while there are free places. To be called after events and at
    /// the deadline.
    package mutating func advance(to now: Moment) -> [Action] {
        let jumps = clocks.read(now)
        if jumps.slept { spreadOverdue(now) }
        if jumps.clockWasSet { for widget in entries.ids { followDate(of: widget, now: now) } }
        while let widget = queue.firstDue(at: now.boot) {
            // The boot clock and the wall clock drift apart. A calendar that runs just before midnight would draw the day that
            // is ending.
            if let date = entries[widget]?.due.date, date > now.wall {
                followDate(of: widget, now: now)
            } else {
                plan(widget, reason: nil, now: now)
            }
        }
        var actions: [Action] = []
        while let widget = queue.popNext() {
            guard let ticket = entries[widget]?.waiting else { continue }
            entries[widget]?.phase = .running(TimetableEntry.Running(ticket: ticket, started: now.boot))
            entries[widget]?.stream.runBegan(at: now.boot)
            if ticket.reason == .behind {
                entries[widget]?.lastBehindRun = now.boot
            }
            queue.runBegan()
            actions.append(.start(ticket))
        }
        return actions
    }

    /// When `advance` has to be called next if no event comes before; nil if only an event can change anything.
    package var nextDeadline: Deadline? { queue.nextDeadline }

    /// Plans a run of a widget. Without a reason, it is the one for which the widget is due.
    mutating func plan(_ widget: WidgetID, reason: RunReason?, interaction: Interaction? = nil, now: Moment) {
        guard let entry = entries[widget] else { return }
        let ticket = makeTicket(widget, reason: reason ?? entry.due.reason, interaction: interaction)
        entries[widget]?.phase = .waiting(ticket)
        let urgency: RunQueue.Rank.Urgency =
            switch reason {
            case nil where entry.due.reason == .behind: .requested
            case nil: entry.lastAnswer == nil ? .empty : .scheduled
            case .appear?: .watched
            default: .requested
            }
        queue[widget] = RunQueue.Rank(urgency: urgency, due: reason == nil ? entry.due.time : now.boot, run: ticket.run)
        updateQueue(for: widget)
    }

    mutating func makeTicket(_ widget: WidgetID, reason: RunReason, interaction: Interaction?) -> RunTicket {
        lastRun += 1
        return RunTicket(run: lastRun, widget: widget, reason: reason, interaction: interaction)
    }

    /// Called after each change of an entry, so that the queue has its due time.
    mutating func updateQueue(for widget: WidgetID) {
        if let entry = entries[widget], entry.awaitsDueTime {
            queue.rest(widget, until: entry.due.time, slack: entry.due.slack)
        } else {
            queue.removeFromRest(widget)
        }
    }
}

// MARK: - Widgets

extension Timetable {
    /// Adds a widget, or changes the plan of an existing one.
    ///
    /// At the daemon's start, a stored answer postpones the first run until the interval is over. A widget that is added later
    /// runs at once, because its author wants to see the result.
    @discardableResult
    package mutating func add(
        _ widget: WidgetID, _ plan: UpdatePlan, isStart: Bool, stored: StoredAnswer? = nil, notBefore: WallTime? = nil,
        obstacle: String? = nil, at now: Moment
    ) -> [Action] {
        guard entries[widget] == nil else {
            entries[widget]?.replacePlan(plan, of: widget, now: now)
            entries[widget]?.daemonObstacle = obstacle
            return dropRunsIfObstructed(widget)
        }
        var entry = TimetableEntry(
            widget, plan, stored: stored, notBefore: notBefore, obstacle: obstacle, isStart: isStart, now: now)
        if var running = removedRuns.removeValue(forKey: widget) {
            running.isIgnorable = true
            entry.phase = .running(running)
        }
        entries[widget] = entry
        updateQueue(for: widget)
        return []
    }

    /// Removes a widget. A run in progress keeps its place until it ends; its outcome has no effect.
    package mutating func remove(_ widget: WidgetID) -> [Action] {
        guard let entry = entries[widget].take() else { return [] }
        queue[widget] = nil
        if let running = entry.running { removedRuns[widget] = running }
        updateQueue(for: widget)
        return entry.planned.map { .drop($0, reason: "removed") }
    }

    /// Sets or removes the daemon's obstacle to a widget (hidden, disabled). A widget without an obstacle is due at once if it
    /// has no answer, or if its last answer is older than its interval, whatever time that answer asked for. So is a stream,
    /// because the obstacle has ended its program.
    package mutating func setObstacle(_ obstacle: String?, of widget: WidgetID, at now: Moment) -> [Action] {
        guard var entry = entries[widget], entry.daemonObstacle != obstacle else { return [] }
        entry.daemonObstacle = obstacle
        let isOver = entry.plan.stays || entry.isOlderThanInterval(at: now.boot)
        if obstacle == nil, entry.due.time > now.boot, !entry.due.isStatedWait, isOver {
            entry.due = DueTime(now.boot, because: .schedule)
        }
        entries[widget] = entry
        return dropRunsIfObstructed(widget)
    }

    package func daemonObstacle(of widget: WidgetID) -> String? { entries[widget]?.daemonObstacle }

    /// Drops all planned runs, and refuses every later request with the reason.
    package mutating func stop(because reason: String, at now: Moment) -> [Action] {
        entries.ids.flatMap { setObstacle(reason, of: $0, at: now) }
    }

    /// A widget is behind: its last answer was made from other inputs. It is due at once, or when its obstacle is removed.
    /// Two such runs begin at least a second apart, because two widgets that change each other's defaults, or a program that
    /// writes its own file, would run without end.
    package mutating func markBehind(_ widget: WidgetID, _ difference: UpdateInputs.Difference, at now: Moment) {
        guard let entry = entries[widget] else { return }
        // Another size does not end a failure, and the next run draws for that size anyway.
        if difference == .room, entry.due.isStatedWait { return }
        // A run that already waits reads the new inputs. It becomes urgent.
        if let waiting = entry.waiting { raiseToRequested(widget, waiting, now: now) }
        let earliest = entry.lastBehindRun.map { $0 + Self.shortestTimeBetweenBehindRuns } ?? now.boot
        let time = max(now.boot, earliest)
        guard time < entry.due.time || entry.due.isStatedWait || entry.due.date != nil else { return }
        entries[widget]?.due = DueTime(time, because: .behind)
        updateQueue(for: widget)
    }

    static let shortestTimeBetweenBehindRuns = TimeSpan.seconds(1)

    /// Pushed content says when its widget's program has to run next. A run that is due, planned or in progress decides that
    /// itself when it ends.
    package mutating func planUpdate(of widget: WidgetID, in span: TimeSpan, at now: Moment) {
        guard let entry = entries[widget], !entry.due.isStatedWait, !entry.plan.stays else { return }
        // A widget that is behind runs anyway: the pushed content was not made from the new inputs.
        guard entry.due.reason != .behind, entry.due.time > now.boot else { return }
        entries[widget]?.due = .after(Cadence.bounded(span), since: now.boot)
        updateQueue(for: widget)
    }

    private mutating func dropRunsIfObstructed(_ widget: WidgetID) -> [Action] {
        var dropped: [Action] = []
        if let entry = entries[widget], let obstacle = entry.obstacle {
            dropped = entry.planned.map { .drop($0, reason: obstacle) }
            if entry.waiting != nil { entries[widget]?.phase = .resting }
            entries[widget]?.following = []
            queue[widget] = nil
        }
        updateQueue(for: widget)
        return dropped
    }

    /// A run has ended, and its place is free. Its widget begins no other run before `finished`. Returns false if that is
    /// known already.
    package mutating func ended(_ widget: WidgetID, run: UInt64) -> Bool {
        guard var running = entries[widget]?.running, running.ticket.run == run, !running.hasEnded else { return false }
        running.hasEnded = true
        entries[widget]?.phase = .running(running)
        queue.runEnded()
        return true
    }

    /// The outcome of a run is known. Returns false if its widget was removed meanwhile, so that the outcome is to be ignored.
    package mutating func finished(
        _ widget: WidgetID, run: UInt64, _ result: RunResult, nextAsk: NextAsk? = nil, age: TimeSpan = .zero,
        stays: Bool = false, at now: Moment
    ) -> Bool {
        if let removed = removedRuns[widget], removed.ticket.run == run {
            removedRuns[widget] = nil
            if !removed.hasEnded { queue.runEnded() }
            return false
        }
        guard var entry = entries[widget], let running = entry.running, running.ticket.run == run else {
            return false
        }
        if !running.hasEnded { queue.runEnded() }
        entry.phase = .resting
        if !running.isIgnorable {
            entry.recordEnd(of: running, result, nextAsk: nextAsk, age: age, stays: stays, now: now)
        }
        if entry.obstacle == nil, !entry.following.isEmpty {
            let ticket = entry.following.removeFirst()
            entry.phase = .waiting(ticket)
            queue[widget] = RunQueue.Rank(urgency: .requested, due: now.boot, run: ticket.run)
        }
        entries[widget] = entry
        updateQueue(for: widget)
        return !running.isIgnorable
    }

    package var concurrency: Int {
        get { queue.concurrency }
        set { queue.concurrency = newValue }
    }
    package var runningCount: Int { queue.runningCount }

    /// How many runs wait for a free place.
    package func waitingCount(at now: Moment) -> Int { queue.waitingCount(at: now.boot) }
}
