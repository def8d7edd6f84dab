// SPDX-License-Identifier: MIT
import Reactor
import TodayModel

/// Which widget is due when: drives a `Timetable` with the clocks and one timer, armed to the next moment that matters.
///
/// What an event leads to happens at the end of the loop's turn: whoever asked for a run has written down its number
/// before it can end, many widgets added together start in the right order, and a program that cannot be started
/// does not recurse.
@LoopActor
package final class Scheduler {
    /// A run is to be started now. Its end must be reported to `finished`, whatever happens.
    package var onDue: (RunTicket) -> Void = { _ in }
    /// A run that somebody may wait for will not take place, and why.
    package var onDropped: (RunTicket, String) -> Void = { _, _ in }
    /// A widget's content has just become stale.
    package var onStale: (WidgetID) -> Void = { _ in }

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
    package func add(_ widget: WidgetID, _ plan: UpdatePlan, lastGood: LastGood? = nil, obstacle: String? = nil) {
        report(timetable.add(widget, plan, lastGood: lastGood, obstacle: obstacle, at: look()))
    }

    package func remove(_ widget: WidgetID) {
        report(timetable.remove(widget, at: look()))
    }

    /// Something gets into a widget's way (hidden, disabled), or out of it.
    package func setObstacle(_ obstacle: String?, of widget: WidgetID) {
        report(timetable.setObstacle(obstacle, of: widget, at: look()))
    }

    package func setConcurrency(_ concurrency: Int) {
        timetable.setConcurrency(concurrency)
        report([])
    }

    /// Asks for a run now, on behalf of somebody who waits for it.
    package func request(_ widget: WidgetID, reason: RunReason = .request, errand: Errand? = nil) -> Reception {
        take(timetable.request(widget, reason: reason, errand: errand, at: look()))
    }

    /// A host begins to show a widget.
    package func appeared(_ widget: WidgetID) { _ = take(timetable.appeared(widget, at: look())) }

    /// Defaults that a widget shares were changed, by a widget or by somebody else (nil).
    package func defaultsChanged(_ widget: WidgetID, by writer: WidgetID?) {
        report(timetable.defaultsChanged(widget, by: writer, at: look()))
    }

    /// A run has ended. False when its widget was removed meanwhile, so that its outcome is to be ignored.
    package func finished(_ outcome: RunOutcome) -> Bool {
        let succeeded = if case .failed = outcome.result { false } else { true }
        defer { report([]) }
        return timetable.finished(
            outcome.widget, run: outcome.run, succeeded: succeeded, nextUpdate: outcome.nextUpdate, at: look())
    }

    /// Content came from outside, by a push.
    package func renewed(_ widget: WidgetID, nextUpdate: TimeSpan? = nil) {
        timetable.renewed(widget, nextUpdate: nextUpdate, at: look())
        report([])
    }

    package func activity(of widget: WidgetID) -> WidgetActivity? { timetable.activity(of: widget, at: look()) }

    package func isStale(_ widget: WidgetID) -> Bool { timetable.isStale(widget, now: look().awake) }

    package var concurrency: Int { timetable.concurrency }
    package var runningCount: Int { timetable.runningCount }
    package var waitingCount: Int { timetable.waitingCount(at: look()) }

    /// Starts nothing any more; what runs may end. Whoever waits for a run that was only planned is told, and whoever
    /// asks from now on is refused.
    package func stop(because reason: String) {
        timer?.cancel()
        turn?.cancel()
        let actions = pending + timetable.stop(because: reason, at: look())
        pending = []
        for action in actions {
            switch action {
            case .start(let ticket), .drop(let ticket, _): onDropped(ticket, reason)
            case .stale: break
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
            case .stale(let widget): onStale(widget)
            }
        }
        guard let deadline = timetable.nextDeadline(after: look()) else {
            timer?.disarm()
            return
        }
        timer?.arm(at: deadline.at.microseconds, slack: (deadline.latest - deadline.at).microseconds)
    }
}

extension Moment {
    /// A look at the three clocks of this machine.
    package static var now: Moment {
        Moment(
            boot: BootTime(microseconds: EventLoop.now(.boottime)),
            awake: AwakeTime(microseconds: EventLoop.now(.monotonic)),
            wall: WallTime(microseconds: EventLoop.now(.realtime)))
    }
}
