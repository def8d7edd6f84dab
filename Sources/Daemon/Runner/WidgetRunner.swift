// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TodayModel

/// Performs updates: what the rest of the daemon knows of a runner, whichever way it starts processes.
@LoopActor
package protocol WidgetRunner: AnyObject {
    /// Called once for every run that was started, never from within `start`. A run is over when nothing that it
    /// started is left.
    var onFinished: @LoopActor (RunOutcome) -> Void { get set }

    /// What a program that stays between runs has done when nobody had asked it, as a failure of its last run.
    var onMishap: @LoopActor (RunOutcome) -> Void { get set }

    /// The socket on which such a program uses its extension context, at its start. What is returned is called when
    /// the program and all that it has started have ended.
    var onContext: @LoopActor (WidgetID, OwnedDescriptor) -> ContextEnd { get set }

    /// Which run a process belongs to, whatever it has done to look like somebody else.
    ///
    /// - Parameter seen: when the number was its own, in microseconds of the boot-time clock.
    func origin(of process: pid_t, seen: Int64) -> ProcessOrigin

    func start(_ request: RunRequest)

    /// Ends the runs of a widget; their outcomes are failures with this reason.
    func cancel(_ widget: WidgetID, because reason: String)

    /// Ends all runs and calls `onStopped` after the last outcome; at once when there are none.
    func stopAll(because reason: String, onStopped: @escaping @LoopActor () -> Void)
}

/// Ends an extension context.
package typealias ContextEnd = @LoopActor () -> Void

/// Whose a process is.
package enum ProcessOrigin: Equatable, Sendable {
    /// No run's.
    case outside
    case widget(WidgetID)
    /// Some run's, or it has ended by now: nobody who acts in the open.
    case unknown
}
