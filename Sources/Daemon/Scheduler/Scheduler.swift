// SPDX-License-Identifier: MIT
import Reactor
import TodayModel

/// Which widget is due when: drives a `Timetable` with the clocks and one timer, armed to the next moment that matters.
///
/// What an event leads to happens at the end of the loop's turn: a caller that asked for a run has written down its number
/// before it can end, many widgets added together start in the right order, and a program that cannot be started
/// does not recurse.
@LoopActor
package final class Scheduler {
    /// A run is to be started now. Its end must be reported to `finished`, whatever happens.
    package var onDue: (RunTicket) -> Void = { _ in }
    /// A run for which a client may wait will not take place, and why.
    package var onDropped: (RunTicket, String) -> Void = { _, _ in }

    private var timetable: Timetable
    private let look: () -> Moment
    private var timer: TimerSource?
    private var turn: TurnSource?

    /// `look` reads the clocks; tests have their own.
    package init(
        concurrency: Int, look: @escaping () -> Moment = { Moment.now }
    ) throws(ReactorError) {
        timetable = Timetable(concurrency: concurrency)
        self.look = look
        // CLOCK_BOOTTIME goes on during sleep, so what fell due meanwhile fires on resume: timerfd_create(2).
        timer = try TimerSource(.boottime) { [unowned self] in act() }
        turn = try TurnSource { [unowned self] in act() }
    }

    /// Adds a widget, or changes the plan of one that is there. `obstacle` says in words why it must not run.
    package func add(
        _ widget: WidgetID, _ plan: UpdatePlan, lastGood: LastGood? = nil, notBefore: WallTime? = nil,
        obstacle: String? = nil
    ) {
        report(
            timetable.add(widget, plan, lastGood: lastGood, notBefore: notBefore, obstacle: obstacle, at: look()))
    }

    package func remove(_ widget: WidgetID) {
        report(timetable.remove(widget, at: look()))
    }

    /// Something gets into a widget's way (hidden, disabled), or out of it; true when nothing is there any more.
    package func setObstacle(_ obstacle: String?, of widget: WidgetID) -> Bool {
        // After each run this is asked, and almost always nothing is different.
        guard timetable.obstacle(of: widget) != obstacle else { return false }
        report(timetable.setObstacle(obstacle, of: widget, at: look()))
        return obstacle == nil
    }

    package func setConcurrency(_ concurrency: Int) {
        timetable.setConcurrency(concurrency)
        report([])
    }

    /// Asks for a run now, on behalf of a client that waits for it.
    package func request(_ widget: WidgetID, reason: RunReason = .request, errand: Errand? = nil) -> Reception {
        take(timetable.request(widget, reason: reason, errand: errand, at: look()))
    }

    /// A host begins to show a widget.
    package func appeared(_ widget: WidgetID) { _ = take(timetable.appeared(widget, at: look())) }

    /// A widget is behind: something is different that its answers are made from.
    package func isBehind(_ widget: WidgetID, _ difference: Premises.Difference) {
        timetable.isBehind(widget, difference, at: look())
        report([])
    }

    /// The clock on the wall was set.
    package func clockChanged() { report([]) }

    /// A run has ended. False when its widget was removed meanwhile, so that its outcome is to be ignored.
    package func finished(_ outcome: RunOutcome) -> Bool {
        defer { report([]) }
        let fruit: Timetable.Fruit =
            switch outcome.result {
            case .failed: .nothing
            case _ where outcome.isEditing: .editor
            case .newData: .content
            case .noData: .confirmation
            }
        return timetable.finished(
            outcome.widget, run: outcome.run, fruit, nextAsk: outcome.nextAsk, at: look())
    }

    /// Content that came from outside says when to ask the widget's program next.
    package func ask(_ widget: WidgetID, in span: TimeSpan) {
        timetable.ask(widget, in: span, at: look())
        report([])
    }

    /// Whether the beginning or the end of editing waits for the run of a widget before it.
    package func editingWaits(for widget: WidgetID) -> Bool { timetable.editingWaits(for: widget) }

    package func activity(of widget: WidgetID) -> WidgetActivity? { timetable.activity(of: widget, at: look()) }

    /// From when on a widget's last answer is stale; nil is never.
    package func freshUntil(of widget: WidgetID) -> AwakeTime? { timetable.freshUntil(of: widget) }

    package var concurrency: Int { timetable.concurrency }
    package var runningCount: Int { timetable.runningCount }
    package var waitingCount: Int { timetable.waitingCount(at: look()) }

    /// Starts nothing any more; what runs may end. A client that waits for a run that was only planned is told, and one that
    /// asks from now on is refused.
    package func stop(because reason: String) {
        timer?.cancel()
        turn?.cancel()
        let actions = pending + timetable.stop(because: reason, at: look())
        pending = []
        for action in actions {
            switch action {
            case .start(let ticket), .drop(let ticket, _): onDropped(ticket, reason)
            }
        }
    }

    private var pending: [Timetable.Action] = []

    private func report(_ actions: [Timetable.Action]) {
        pending += actions
        turn?.schedule()
    }

    private func take(_ answer: (reception: Reception, actions: [Timetable.Action])) -> Reception {
        report(answer.actions)
        return answer.reception
    }

    private func act() {
        let actions = pending + timetable.advance(to: look())
        pending = []
        for action in actions {
            switch action {
            case .start(let ticket): onDue(ticket)
            case .drop(let ticket, let reason): onDropped(ticket, reason)
            }
        }
        guard let deadline = timetable.nextDeadline else {
            timer?.disarm()
            return
        }
        timer?.arm(at: deadline.at.microseconds, slack: (deadline.latest - deadline.at).microseconds)
    }
}
