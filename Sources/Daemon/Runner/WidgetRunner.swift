// SPDX-License-Identifier: MIT
import Files
import Glibc
import Reactor
import TodayModel

/// What a runner reports.
package enum RunnerReport: Sendable {
    /// The program of a run has done its work, so that the next one may begin. The outcome follows, once the runner has read
    /// it. A run may end without this report.
    case ended(WidgetID, run: UInt64)
    /// Once for each run, never from within `start`. A run is over when no process that it started is left.
    case finished(RunOutcome)
    /// A resident program has failed while no call waited. The outcome is that of its last run, with the failure.
    case idleFailure(RunOutcome)
    /// The program of a stream has printed a further update, after its run has ended. The outcome has the number of that
    /// run.
    case update(RunOutcome)
    /// The program of a stream has ended, unless that made its run fail.
    case streamEnd(StreamEnd)
    /// A widget has sent content to show until the first answer; its run continues.
    case placeholder(Content, of: WidgetID)
}

/// Runs widgets. The daemon knows a runner by this protocol only; its tests have another one, which starts no process.
@LoopActor
package protocol WidgetRunner: AnyObject {
    var onReport: @LoopActor (RunnerReport) -> Void { get set }

    /// Called when a resident program was started, with the socket of its extension context. The returned closure is called
    /// when the program and all that it started have ended.
    var onContext: @LoopActor (WidgetID, OwnedDescriptor) -> ContextEnd { get set }

    /// Which widget a process belongs to. The process cannot forge that.
    ///
    /// - Parameter seen: a time at which the process had this id, in microseconds of CLOCK_BOOTTIME.
    func origin(of process: pid_t, seen: Int64) -> ProcessOrigin

    func start(_ request: RunRequest)

    /// The directory and the variables with which a host executes a command of the widget's items: those of a run, except for
    /// what concerns a single run.
    ///
    /// - Parameter settings: the values of the widget's settings, by name.
    func commandLaunch(of manifest: Manifest, settings: [String: String]) throws(DirectoryFailure) -> CommandLaunch

    /// Tells the resident program of a widget, if one is running, that the first host began to show it or the last one
    /// stopped. That is not a run: no program is started, and there is no outcome.
    func tell(_ widget: WidgetID, _ change: VisibilityChange, in scene: Scene)

    /// Closes the connection of the widget's resident program, after the answer to a call that waits, so that it exits. Ends
    /// the program of a stream.
    func dismiss(_ widget: WidgetID)

    /// Ends the program of a stream, which has not failed. A run in progress ends as that of a silent program.
    func endStream(_ widget: WidgetID, because reason: String)

    /// Ends the runs of a widget. Their outcomes are failures with this reason.
    func cancel(_ widget: WidgetID, because reason: String)

    /// Ends all runs. Calls `onStopped` after the last outcome, or at once when there is no run.
    func stopAll(because reason: String, onStopped: @escaping @LoopActor () -> Void)
}

/// Ends an extension context.
package typealias ContextEnd = @LoopActor () -> Void

/// Which widget a process belongs to.
package enum ProcessOrigin: Equatable, Sendable {
    /// It belongs to no run.
    case outside
    case widget(WidgetID)
    /// It belongs to a run that is not known, or it has ended.
    case unknown
}
