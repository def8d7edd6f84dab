// SPDX-License-Identifier: MIT
import Reactor
import TodayModel

/// When a run began, and how long it takes: in awake time, as a suspended program cannot have been slow.
struct Stopwatch {
    private let started = WallTime(microseconds: EventLoop.now(.realtime))
    private let startedAwake = EventLoop.now(.monotonic)

    func outcome(
        of request: RunRequest, _ result: RunOutcome.Result, exit: String? = nil, errorOutput: String = ""
    ) -> RunOutcome {
        var outcome = RunOutcome(
            widget: request.widget, run: request.run, reason: request.reason, started: started,
            duration: TimeSpan(microseconds: EventLoop.now(.monotonic) - startedAwake), result: result, exit: exit,
            errorOutput: errorOutput)
        outcome.errand = request.errand
        outcome.isEditing = request.isEditing
        return outcome
    }
}
