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

    /// What a program that stays between runs has done when it had not been asked, as a failure of its last run.
    var onMishap: @LoopActor (RunOutcome) -> Void { get set }

    /// The socket on which such a program uses its extension context, at its start. What is returned is called when
    /// the program and all that it has started have ended.
    var onContext: @LoopActor (WidgetID, OwnedDescriptor) -> ContextEnd { get set }

    /// What a widget shows until its first answer, while its run goes on.
    var onPlaceholder: @LoopActor (WidgetID, Content) -> Void { get set }

    /// Which run a process belongs to, whatever it has done to look like another.
    ///
    /// - Parameter seen: when the number was its own, in microseconds of the boot-time clock.
    func origin(of process: pid_t, seen: Int64) -> ProcessOrigin

    func start(_ request: RunRequest)

    /// Tells the program of a widget, if it stays and is there, that hosts begin or cease to look. That is no run: no
    /// program is started for it, and nothing comes of it.
    func tell(_ widget: WidgetID, _ look: Look, in scene: Scene)

    /// Lets the program of a widget end in its own time, if it stays: at once, or after the answer to what it is asked.
    func dismiss(_ widget: WidgetID)

    /// Ends the runs of a widget; their outcomes are failures with this reason.
    func cancel(_ widget: WidgetID, because reason: String)

    /// Ends what a runner before this one has started for the same daemon, which was killed. To be called before anything is
    /// started.
    ///
    /// - Returns: how many processes there were.
    func endLeftovers() -> Int

    /// Ends all runs and calls `onStopped` after the last outcome; at once when there are none.
    func stopAll(because reason: String, onStopped: @escaping @LoopActor () -> Void)
}

/// What hosts do with a widget.
package enum Look: Sendable {
    /// The first host begins to look, or the last one looks away.
    case appear, disappear
}

/// How a widget is shown while hosts look at it.
package struct Scene: Hashable, Sendable {
    package var mode: DisplayMode
    package var size: Size
    /// There is an answer of the widget.
    package var isKnown: Bool
    package var isEditing: Bool

    package init(mode: DisplayMode, size: Size, isKnown: Bool, isEditing: Bool) {
        self.mode = mode
        self.size = size
        self.isKnown = isKnown
        self.isEditing = isEditing
    }
}

/// Ends an extension context.
package typealias ContextEnd = @LoopActor () -> Void

/// Whose a process is.
package enum ProcessOrigin: Equatable, Sendable {
    /// No run's.
    case outside
    case widget(WidgetID)
    /// A run's, or it has ended by now: which one is not known.
    case unknown
}
