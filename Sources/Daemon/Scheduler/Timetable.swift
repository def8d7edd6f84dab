// SPDX-License-Identifier: MIT
import TodayModel

/// Which widget runs when: every decision of scheduling as a value. Events go in together with a look at the clocks,
/// actions come out; nothing in here reads a clock, starts anything or waits.
///
/// A widget is in one of four places: at rest until it is due (`dues`), waiting for a free place (`ready`), running, or
/// nowhere because something is in its way. Each change of place is O(log n).
package struct Timetable: Sendable {
    package enum Action: Hashable, Sendable {
        case start(RunTicket)
        /// A planned run will not take place, because its widget was removed, hidden or disabled.
        case drop(RunTicket, reason: String)
    }

    /// What has come of a run.
    package enum Fruit: Hashable, Sendable {
        case content, confirmation
        /// What the widget draws while it is edited: it works, but nothing of its answer is newer.
        case editor
        /// It has failed.
        case nothing
    }

    /// When to look again: not before `at`, and not after `latest`.
    package struct Deadline: Hashable, Sendable {
        package var at: BootTime
        package var latest: BootTime
    }

    /// One widget.
    struct Entry: Sendable {
        var plan: UpdatePlan
        var cadence: Cadence
        /// What the daemon says is in its way, in words: hidden, disabled.
        var obstacle: String?

        /// From when the interval counts: the start of the last run.
        var base: BootTime
        var due: BootTime
        var slack = TimeSpan.zero
        var dueReason = RunReason.schedule
        /// The date for which it is due, where it has asked for one: the clock on the wall may be set.
        var askDate: WallTime?
        /// It has failed and said when to come again: what would only be early has to wait.
        var hasStatedWait = false

        var waiting: RunTicket?
        var running: Running?
        /// What cannot be joined to the run in progress and follows it.
        var following: [RunTicket] = []

        /// The start of the last run that was for changed defaults.
        var lastDefaults: BootTime?

        /// When an update last succeeded, as if the machine had been awake since.
        var lastGood: AwakeTime?
        /// The same on the clock that goes on while the machine sleeps; nil also where that is not known.
        var lastGoodBoot: BootTime?
        /// How long an answer is fresh; nil is for ever.
        var staleAge: TimeSpan?
        /// When the last successful update wanted to be asked next; nil leaves that to the interval.
        var ask: NextAsk?
        var counts = WidgetActivity()

        /// Why it does not run, in words.
        var hindrance: String? {
            if let obstacle { return obstacle }
            return plan.isPushed ? "no program to run: its content is pushed (Protocol=push)" : nil
        }
    }

    /// A run in progress.
    struct Running: Sendable {
        var ticket: RunTicket
        var started: BootTime
        /// The widget was removed meanwhile: what comes of it has no effect.
        var isIgnorable = false
        /// The manifest was changed meanwhile: run again when it has ended.
        var isOutdated = false
    }

    /// The order of those who wait for a place: by urgency, then first due first served.
    struct Place: Comparable, Sendable {
        enum Urgency: Int, Sendable {
            /// A client asked and waits for the answer.
            case requested
            /// A host looks.
            case watched
            /// There is nothing to show yet.
            case empty
            case scheduled
        }
        var urgency: Urgency
        var due: BootTime
        /// Run numbers grow, so equal due times keep the order of arrival.
        var run: UInt64

        static func < (left: Place, right: Place) -> Bool {
            (left.urgency.rawValue, left.due, left.run) < (right.urgency.rawValue, right.due, right.run)
        }
    }

    /// How many runs may be in progress at once.
    package internal(set) var concurrency: Int
    package internal(set) var runningCount = 0

    var entries: [WidgetID: Entry] = [:]
    /// Runs in progress of widgets that are gone.
    var orphans: [WidgetID: Running] = [:]
    var dues = PriorityMap<WidgetID, BootTime>()
    /// The same widgets by due time and slack.
    var latest = PriorityMap<WidgetID, BootTime>()
    var ready = PriorityMap<WidgetID, Place>()
    var lastRun: UInt64 = 0
    /// How long the machine had slept at the last look; nil before the first.
    var slept: TimeSpan?
    /// What the clock on the wall showed when the machine was booted, by the last look.
    var bootDate: WallTime?

    package init(concurrency: Int) {
        self.concurrency = max(1, concurrency)
    }

    /// Takes in what the clocks say: what is due gets into the queue, and the queue into free places. To be called after
    /// events, and at the deadline.
    package mutating func advance(to now: Moment) -> [Action] {
        if noticeSleep(now) { spreadOverdue(now) }
        if noticeClockChange(now) { followDates(now) }
        while let (widget, due) = dues.first, due <= now.boot {
            if waitsForDate(widget, now: now) { continue }
            plan(widget, reason: nil, now: now)
        }
        var actions: [Action] = []
        while runningCount < concurrency, let (widget, _) = ready.popFirst() {
            guard let ticket = entries[widget]?.waiting else { continue }
            entries[widget]?.waiting = nil
            entries[widget]?.running = Running(ticket: ticket, started: now.boot)
            if ticket.reason == .defaults { entries[widget]?.lastDefaults = now.boot }
            runningCount += 1
            actions.append(.start(ticket))
        }
        return actions
    }

    /// When `advance` has to be called next, if nothing happens before. With all places taken only the end of a run
    /// can change anything, so no time is worth a wake-up.
    package var nextDeadline: Deadline? {
        guard runningCount < concurrency, let due = dues.first, let latest = latest.first else { return nil }
        return Deadline(at: due.priority, latest: max(latest.priority, due.priority))
    }

    /// Puts a widget into the queue. Without a reason: for the one for which it is due.
    mutating func plan(_ widget: WidgetID, reason: RunReason?, errand: Errand? = nil, now: Moment) {
        guard var entry = entries[widget] else { return }
        let ticket = makeTicket(widget, reason: reason ?? entry.dueReason, errand: errand)
        entry.waiting = ticket
        entries[widget] = entry
        let urgency: Place.Urgency =
            switch reason {
            case nil where entry.dueReason == .defaults: .requested
            case nil: entry.lastGood == nil ? .empty : .scheduled
            case .appear?: .watched
            default: .requested
            }
        ready[widget] = Place(urgency: urgency, due: reason == nil ? entry.due : now.boot, run: ticket.run)
        settle(widget, now: now)
    }

    mutating func makeTicket(_ widget: WidgetID, reason: RunReason, errand: Errand?) -> RunTicket {
        lastRun += 1
        return RunTicket(run: lastRun, widget: widget, reason: reason, errand: errand)
    }

    /// Keeps the heaps in step with an entry: called after every change of one.
    mutating func settle(_ widget: WidgetID, now: Moment) {
        let entry = entries[widget]
        let isFree = entry?.hindrance == nil
        if let entry, isFree, entry.waiting == nil, entry.running == nil, entry.due != .never {
            dues[widget] = entry.due
            latest[widget] = entry.due + entry.slack
        } else {
            dues[widget] = nil
            latest[widget] = nil
        }
    }
}
