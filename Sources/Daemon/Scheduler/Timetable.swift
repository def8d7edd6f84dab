// SPDX-License-Identifier: MIT
import TodayModel

/// Decides which widget runs when. Each event comes with the time of three clocks, and returns actions. The timetable
/// reads no clock, starts nothing and does not wait.
///
/// A widget is in one of four places: at rest until it is due, waiting for a free place, running, or in none of them
/// because of an obstacle. `RunQueue` keeps the first two.
///
/// No event but `advance` starts a run: it is called after all events of a turn, so that the most urgent run begins first.
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
    }

    /// When to call `advance` next: not before `at`, and not after `latest`.
    package struct Deadline: Hashable, Sendable {
        package var at: BootTime
        package var latest: BootTime
    }

    var entries: [WidgetID: TimetableEntry] = [:]
    var queue: RunQueue
    /// Runs in progress of widgets that were removed.
    private var removedRuns: [WidgetID: TimetableEntry.Running] = [:]
    private var lastRun: UInt64 = 0
    private var clocks = ClockJumps()

    package init(concurrency: Int) { queue = RunQueue(concurrency: concurrency) }

    /// Plans the runs that are due, and starts planned runs while there are free places. To be called after events and at
    /// the deadline.
    package mutating func advance(to now: Moment) -> [Action] {
        let jumps = clocks.look(at: now)
        if jumps.slept { spreadOverdue(now) }
        if jumps.clockWasSet { for widget in Array(entries.keys) { followDate(of: widget, now: now) } }
        while let widget = queue.firstDue(at: now.boot) {
            // The boot clock and the wall clock drift apart. A widget that was run before its date would find the day before.
            if let date = entries[widget]?.askDate, date > now.wall {
                followDate(of: widget, now: now)
            } else {
                plan(widget, reason: nil, now: now)
            }
        }
        var actions: [Action] = []
        while let widget = queue.popNext() {
            guard let ticket = entries[widget]?.waiting else { continue }
            entries[widget]?.waiting = nil
            entries[widget]?.running = TimetableEntry.Running(ticket: ticket, started: now.boot)
            if ticket.reason == .defaults { entries[widget]?.lastDefaults = now.boot }
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
        let ticket = makeTicket(widget, reason: reason ?? entry.dueReason, interaction: interaction)
        entries[widget]?.waiting = ticket
        let urgency: RunQueue.Place.Urgency =
            switch reason {
            case nil where entry.dueReason == .defaults: .requested
            case nil: entry.lastGood == nil ? .empty : .scheduled
            case .appear?: .watched
            default: .requested
            }
        queue[widget] = RunQueue.Place(urgency: urgency, due: reason == nil ? entry.due : now.boot, run: ticket.run)
        updateQueue(for: widget)
    }

    mutating func makeTicket(_ widget: WidgetID, reason: RunReason, interaction: Interaction?) -> RunTicket {
        lastRun += 1
        return RunTicket(run: lastRun, widget: widget, reason: reason, interaction: interaction)
    }

    /// Called after each change of an entry, so that the queue has its due time.
    mutating func updateQueue(for widget: WidgetID) {
        if let entry = entries[widget], entry.obstacle == nil, entry.waiting == nil, entry.running == nil,
            entry.due != .never
        {
            queue.rest(widget, until: entry.due, slack: entry.slack)
        } else {
            queue.removeFromRest(widget)
        }
    }
}

// MARK: - Widgets

extension Timetable {
    /// Adds a widget, or changes the plan of one that is there.
    ///
    /// At the daemon's start, `lastGood` postpones the first run until the interval is over. A widget that is added later runs
    /// at once, because its author wants to see the result.
    @discardableResult
    package mutating func add(
        _ widget: WidgetID, _ plan: UpdatePlan, lastGood: LastGood? = nil, notBefore: WallTime? = nil,
        obstacle: String? = nil, at now: Moment
    ) -> [Action] {
        guard entries[widget] == nil else {
            entries[widget]?.replacePlan(plan, of: widget, now: now)
            entries[widget]?.daemonObstacle = obstacle
            return dropRunsIfObstructed(widget)
        }
        var entry = TimetableEntry(
            widget, plan, lastGood: lastGood, notBefore: notBefore, obstacle: obstacle, isStart: !clocks.haveLooked,
            now: now)
        if var running = removedRuns.removeValue(forKey: widget) {
            running.isIgnorable = true
            entry.running = running
        }
        entries[widget] = entry
        updateQueue(for: widget)
        return []
    }

    /// Removes a widget. A run in progress keeps its place until it ends; its outcome has no effect.
    package mutating func remove(_ widget: WidgetID) -> [Action] {
        guard let entry = entries.removeValue(forKey: widget) else { return [] }
        queue[widget] = nil
        if let running = entry.running { removedRuns[widget] = running }
        updateQueue(for: widget)
        return entry.planned.map { .drop($0, reason: "removed") }
    }

    /// Sets or removes the daemon's obstacle to a widget (hidden, disabled). A widget without an obstacle is due at once if it
    /// has no answer, or if its last answer is older than its interval, whatever time that answer asked for.
    package mutating func setObstacle(_ obstacle: String?, of widget: WidgetID, at now: Moment) -> [Action] {
        guard var entry = entries[widget], entry.daemonObstacle != obstacle else { return [] }
        entry.daemonObstacle = obstacle
        if obstacle == nil, entry.due > now.boot, !entry.hasStatedWait {
            let age = entry.lastGoodBoot.map { now.boot - $0 }
            if age.map({ $0 >= entry.plan.interval }) ?? true { entry.makeDue(now) }
        }
        entries[widget] = entry
        return dropRunsIfObstructed(widget)
    }

    package func daemonObstacle(of widget: WidgetID) -> String? { entries[widget]?.daemonObstacle }

    /// Drops all planned runs, and refuses every later request with the reason.
    package mutating func stop(because reason: String, at now: Moment) -> [Action] {
        Array(entries.keys).flatMap { setObstacle(reason, of: $0, at: now) }
    }

    private mutating func dropRunsIfObstructed(_ widget: WidgetID) -> [Action] {
        var dropped: [Action] = []
        if let entry = entries[widget], let obstacle = entry.obstacle {
            dropped = entry.planned.map { .drop($0, reason: obstacle) }
            entries[widget]?.waiting = nil
            entries[widget]?.following = []
            queue[widget] = nil
        }
        updateQueue(for: widget)
        return dropped
    }

    /// A run has ended. Returns false if its widget was removed meanwhile, so that the outcome is to be ignored.
    package mutating func finished(
        _ widget: WidgetID, run: UInt64, _ result: RunResult, nextAsk: NextAsk? = nil, at now: Moment
    ) -> Bool {
        if removedRuns[widget]?.ticket.run == run {
            removedRuns[widget] = nil
            queue.runEnded()
            return false
        }
        guard var entry = entries[widget], let running = entry.running, running.ticket.run == run else {
            return false
        }
        queue.runEnded()
        entry.running = nil
        if !running.isIgnorable {
            entry.recordEnd(of: running, result, nextAsk: nextAsk, now: now)
        }
        if entry.obstacle == nil, !entry.following.isEmpty {
            let ticket = entry.following.removeFirst()
            entry.waiting = ticket
            queue[widget] = RunQueue.Place(urgency: .requested, due: now.boot, run: ticket.run)
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

// MARK: - Jumps of the clocks

extension Timetable {
    /// The first overdue widget runs this long after the machine's sleep: the network needs some time.
    static let wakeDelay = TimeSpan.seconds(1)
    static let widestWakeSpread = TimeSpan.seconds(10)
    static let widestWakeSpacing = TimeSpan.milliseconds(250)

    /// Spreads the widgets that became overdue during the sleep over some seconds, the longest overdue first. A widget that
    /// is due just now keeps its time.
    private mutating func spreadOverdue(_ now: Moment) {
        var overdue: [WidgetID] = []
        var punctual: [WidgetID] = []
        while let widget = queue.firstDue(at: now.boot) {
            queue.removeFromRest(widget)
            guard let entry = entries[widget] else { continue }
            if now.boot - entry.due > entry.slack + ClockJumps.shortestSleep {
                overdue.append(widget)
            } else {
                punctual.append(widget)
            }
        }
        let spacing = min(Self.widestWakeSpacing, Self.widestWakeSpread / Int64(max(1, overdue.count)))
        for (index, widget) in overdue.enumerated() {
            entries[widget]?.makeDueAfterSleep(at: now.boot + Self.wakeDelay + spacing * Int64(index))
            updateQueue(for: widget)
        }
        for widget in punctual { updateQueue(for: widget) }
    }

    /// Moves the due time of a widget that asked for a date. All other due times are on clocks that cannot be set.
    private mutating func followDate(of widget: WidgetID, now: Moment) {
        if entries[widget]?.followDate(now) == true { updateQueue(for: widget) }
    }
}
