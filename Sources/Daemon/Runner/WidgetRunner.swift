// SPDX-License-Identifier: MIT
import Reactor
import TodayModel

/// Performs updates: what the rest of the daemon knows of a runner, whichever way it starts processes.
@LoopActor
package protocol WidgetRunner: AnyObject {
    /// Called once for every run that was started, never from within `start`. A run is over when nothing that it
    /// started is left.
    var onFinished: @LoopActor (RunOutcome) -> Void { get set }

    func start(_ request: RunRequest)

    /// Ends the runs of a widget; their outcomes are failures with this reason.
    func cancel(_ widget: WidgetID, because reason: String)

    /// Ends all runs and calls `onStopped` after the last outcome; at once when there are none.
    func stopAll(because reason: String, onStopped: @escaping @LoopActor () -> Void)
}
