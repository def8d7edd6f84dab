// SPDX-License-Identifier: MIT
import TodayModel

/// Which widgets run next: those at rest in the order of their due times, and those that wait for a free place in the
/// order of their urgency. Each change is O(log n).
struct RunQueue: Sendable {
    /// How many runs may be in progress at once, at least one.
    var concurrency: Int { didSet { concurrency = max(1, concurrency) } }
    private(set) var runningCount = 0

    /// Widgets at rest by the time at which they are due.
    private var dues = PriorityMap<WidgetID, BootTime>()
    /// The same widgets by the latest time at which they have to start.
    private var latest = PriorityMap<WidgetID, BootTime>()
    /// Widgets whose run waits for a free place.
    private var waiting = PriorityMap<WidgetID, Rank>()

    init(concurrency: Int) { self.concurrency = max(1, concurrency) }

    // MARK: Widgets at rest

    mutating func rest(_ widget: WidgetID, until due: BootTime, slack: TimeSpan) {
        dues[widget] = due
        latest[widget] = due + slack
    }

    mutating func removeFromRest(_ widget: WidgetID) {
        dues[widget] = nil
        latest[widget] = nil
    }

    /// The widget that is due first, if it is due now.
    func firstDue(at now: BootTime) -> WidgetID? {
        guard let (widget, due) = dues.first, due <= now else { return nil }
        return widget
    }

    /// The next moment at which a run may have to start. Nil with all places taken: only the end of a run can change
    /// anything then.
    var nextDeadline: Timetable.Deadline? {
        guard runningCount < concurrency, let due = dues.first, let latest = latest.first else { return nil }
        return Timetable.Deadline(at: due.priority, latest: max(latest.priority, due.priority))
    }

    // MARK: Runs that wait, and runs in progress

    /// The rank of the widget's run among those that wait.
    subscript(widget: WidgetID) -> Rank? {
        get { waiting[widget] }
        set { waiting[widget] = newValue }
    }

    /// Removes the most urgent widget that waits, if there is a free place.
    mutating func popNext() -> WidgetID? { runningCount < concurrency ? waiting.popFirst()?.element : nil }

    mutating func runBegan() { runningCount += 1 }
    mutating func runEnded() { runningCount -= 1 }

    /// How many runs wait for a free place. With all places taken, widgets that fall due stay in `dues`.
    func waitingCount(at now: BootTime) -> Int {
        runningCount < concurrency ? waiting.count : waiting.count + dues.countOf { $0 <= now }
    }

    /// For messages: "3 of 4 runs in progress".
    var places: String { "\(runningCount) of \(concurrency) runs in progress" }

    /// Orders the runs that wait: by urgency, then by due time.
    struct Rank: Comparable, Sendable {
        enum Urgency: Int, Sendable {
            /// A client requested the run and waits for the answer.
            case requested
            /// A host shows the widget.
            case watched
            /// There is no content to show yet.
            case empty
            case scheduled
        }
        var urgency: Urgency
        var due: BootTime
        /// Run numbers increase, so runs with equal due times stay in the order in which they were planned.
        var run: UInt64

        static func < (left: Rank, right: Rank) -> Bool {
            (left.urgency.rawValue, left.due, left.run) < (right.urgency.rawValue, right.due, right.run)
        }
    }
}

/// One run of one widget, which waits or is in progress.
package struct RunTicket: Hashable, Sendable {
    /// Increases over all widgets. A run gets its number when it is planned, so that a client can wait for it.
    package let run: UInt64
    package let widget: WidgetID
    package internal(set) var reason: RunReason
    package internal(set) var interaction: Interaction?
}

/// The answer to a request for a run.
package struct RequestAnswer: Hashable, Sendable {
    package var answer: UpdateAnswer
    /// The run whose end completes the request; nil if there is none to wait for.
    package var run: UInt64?
}
