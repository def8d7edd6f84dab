// SPDX-License-Identifier: MIT
import Reactor
import TodayModel

/// Drives a `Timetable` with the clocks and with one timer, which is armed for its next deadline.
///
/// The actions of an event are carried out at the end of the loop's turn. A caller that requests a run can therefore note its
/// number before it ends, widgets that are added together start in the order of their urgency, and a program that cannot be
/// started causes no recursion.
@LoopActor
package final class Scheduler {
    /// Called when a run has to begin, or when a planned one does not take place. The end of a run that begins must be
    /// reported to `finished` in every case; a client may wait for one that is dropped.
    package var onAction: (Timetable.Action) -> Void = { _ in }

    private var timetable: Timetable
    private let clock: () -> Moment
    private var timer: TimerSource?
    private var turn: EndOfRound?
    private var pending: [Timetable.Action] = []
    private var isAdvancing = false

    /// - Parameter clock: reads the clocks; tests have clocks of their own.
    package init(
        concurrency: Int, clock: @escaping () -> Moment = { Moment.now }
    ) throws(ReactorError) {
        timetable = Timetable(concurrency: concurrency)
        self.clock = clock
        // CLOCK_BOOTTIME goes on during sleep, so a timer that expires meanwhile fires on resume (timerfd_create(2)).
        timer = try TimerSource(.boottime) { [unowned self] in advance() }
        turn = try EndOfRound { [unowned self] in advance() }
    }

    /// Adds a widget, or changes the plan of an existing one.
    ///
    /// - Parameters:
    ///   - isStart: the daemon is starting. A widget that is added later runs at once.
    ///   - stored: the answer that the daemon has; it postpones the first run at the start.
    ///   - notBefore: the date that the widget stated when it failed before the start.
    ///   - obstacle: why it may not run, in words.
    package func add(
        _ widget: WidgetID, _ plan: UpdatePlan, isStart: Bool, stored: StoredAnswer? = nil, notBefore: WallTime? = nil,
        obstacle: String? = nil
    ) {
        schedule(
            timetable.add(
                widget, plan, isStart: isStart, stored: stored, notBefore: notBefore, obstacle: obstacle, at: clock()))
    }

    package func remove(_ widget: WidgetID) { schedule(timetable.remove(widget)) }

    /// Sets or removes the obstacle to a widget (hidden, disabled). Returns true if an obstacle was removed.
    package func setObstacle(_ obstacle: String?, of widget: WidgetID) -> Bool {
        // The daemon calls this after each run, usually without a change.
        guard timetable.daemonObstacle(of: widget) != obstacle else { return false }
        schedule(timetable.setObstacle(obstacle, of: widget, at: clock()))
        return obstacle == nil
    }

    package func setConcurrency(_ concurrency: Int) {
        timetable.concurrency = concurrency
        schedule([])
    }

    /// Requests a run now, for a client that waits for it.
    package func request(_ widget: WidgetID, reason: RunReason = .request, interaction: Interaction? = nil)
        -> RequestAnswer
    {
        let (answer, actions) = timetable.request(widget, reason: reason, interaction: interaction, at: clock())
        schedule(actions)
        return answer
    }

    /// A host begins to show a widget.
    package func appeared(_ widget: WidgetID) { schedule(timetable.appeared(widget, at: clock())) }

    /// A widget is behind: its last answer was made from other inputs.
    package func markBehind(_ widget: WidgetID, _ difference: UpdateInputs.Difference) {
        timetable.markBehind(widget, difference, at: clock())
        schedule([])
    }

    /// The wall clock was set.
    package func clockChanged() { schedule([]) }

    /// A run has ended. The next one begins at once, and works while the outcome of this one is read and recorded.
    package func ended(_ widget: WidgetID, run: UInt64) {
        guard timetable.ended(widget, run: run) else { return }
        // A program that cannot be started ends while it begins.
        if !isAdvancing { advance() }
    }

    /// The outcome of a run is known. Returns false if its widget was removed meanwhile, so that the outcome is to be ignored.
    package func finished(_ outcome: RunOutcome) -> Bool {
        defer { schedule([]) }
        return timetable.finished(
            outcome.widget, run: outcome.run, Timetable.RunResult(outcome), nextAsk: outcome.nextAsk,
            age: outcome.age, stays: outcome.stays, at: clock())
    }

    /// The program of a stream has given a further update. Returns false if a later run has replaced it, or its widget was
    /// removed, so that the update is to be ignored.
    package func streamUpdated(_ outcome: RunOutcome) -> Bool {
        timetable.streamUpdated(
            outcome.widget, run: outcome.run, Timetable.RunResult(outcome), nextAsk: outcome.nextAsk, age: outcome.age,
            at: clock())
    }

    /// The program of a stream has ended. Returns false if a later run has replaced it, or its widget was removed.
    package func streamEnded(_ end: StreamEnd) -> Bool {
        defer { schedule([]) }
        return timetable.streamEnded(
            end.outcome.widget, run: end.outcome.run, isFailure: end.cause == nil && end.outcome.isFailure,
            nextAsk: end.outcome.nextAsk, at: clock())
    }

    /// Pushed content says when its widget's program has to run next.
    package func planUpdate(of widget: WidgetID, in span: TimeSpan) {
        timetable.planUpdate(of: widget, in: span, at: clock())
        schedule([])
    }

    /// Whether the beginning or the end of editing waits for a run to end, or for a free place.
    package func editingWaits(for widget: WidgetID) -> Bool { timetable.editingWaits(for: widget) }

    package func activity(of widget: WidgetID) -> WidgetActivity? { timetable.activity(of: widget, at: clock()) }

    /// When a widget's last answer becomes stale, in time awake; nil if never.
    package func freshUntil(of widget: WidgetID) -> AwakeTime? { timetable.freshUntil(of: widget) }

    package var concurrency: Int { timetable.concurrency }
    package var runningCount: Int { timetable.runningCount }
    package var waitingCount: Int { timetable.waitingCount(at: clock()) }

    /// Starts no more runs, and leaves those in progress. Each planned run is dropped, and later requests are refused.
    package func stop(because reason: String) {
        timer?.cancel()
        turn?.cancel()
        let actions = pending + timetable.stop(because: reason, at: clock())
        pending = []
        for action in actions {
            switch action {
            case .start(let ticket), .drop(let ticket, _): onAction(.drop(ticket, reason: reason))
            }
        }
    }

    /// Carries out actions at the end of the loop's turn, with those of `Timetable.advance`.
    private func schedule(_ actions: [Timetable.Action]) {
        pending += actions
        turn?.schedule()
    }

    private func advance() {
        isAdvancing = true
        defer { isAdvancing = false }
        let actions = pending + timetable.advance(to: clock())
        pending = []
        for action in actions { onAction(action) }
        guard let deadline = timetable.nextDeadline else {
            timer?.disarm()
            return
        }
        timer?.arm(at: deadline.at.microseconds, slack: (deadline.latest - deadline.at).microseconds)
    }
}

extension Timetable.RunResult {
    fileprivate init(_ outcome: RunOutcome) {
        switch outcome.result {
        case .failed: self = .failure
        case _ where outcome.isSilent: self = .silence
        case _ where outcome.isEditing: self = .editorContent
        case .newData: self = .content
        case .noData: self = .confirmation
        }
    }
}
