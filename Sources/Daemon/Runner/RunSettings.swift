// SPDX-License-Identifier: MIT
import TodayModel

/// What a runner knows of the daemon it is part of.
package struct RunSettings: Sendable {
    /// Below it every widget has a directory of its own, and every group of apps.
    package var stateDirectory: String
    /// The socket at which widgets reach the daemon.
    package var socket: String
    /// The daemon's own environment, of which runs get little (docs/environment.md).
    package var environment: [String: String]
    /// Between TERM and KILL.
    package var killGrace = TimeSpan.seconds(2)
    /// For the pipes to close after a program has ended.
    package var drainGrace = TimeSpan.milliseconds(200)
    /// Before a program that stays between runs is let go, when it is not asked.
    package var idleGrace = TimeSpan.minutes(1)
    /// For the same while the user edits it, and thinks: longer than what they edit is kept without a touch.
    package var editingGrace = Layers.Draft.patience + .minutes(1)
    package var unknownOrphans = UnknownOrphans.leave

    /// What to do with an orphan that carries no sign of any run: it made a session of its own and wiped its
    /// environment.
    package enum UnknownOrphans: Sendable {
        /// In a process that has other business too, such as a test.
        case leave
        /// As the first process of a container, to which all orphans come.
        case reap
        /// In a daemon, all of whose descendants come from its runs.
        case end
    }

    package init(stateDirectory: String, socket: String, environment: [String: String]) {
        self.stateDirectory = stateDirectory
        self.socket = socket
        self.environment = environment
    }

    /// Below the state directory.
    static func directoryName(of widget: WidgetID) -> String { "widgets/\(widget)" }
    static func directoryName(ofGroup group: AppGroup) -> String { "groups/\(group)" }

    func directory(of widget: WidgetID) -> String { "\(stateDirectory)/\(Self.directoryName(of: widget))" }
    func directory(ofGroup group: AppGroup) -> String { "\(stateDirectory)/\(Self.directoryName(ofGroup: group))" }
}
