// SPDX-License-Identifier: MIT
import Files
import Spawn
import TodayModel

/// The settings of a runner.
package struct RunSettings: Sendable {
    /// Holds one directory for each widget and each app group.
    package var stateDirectory: String
    /// The socket at which widgets reach the daemon.
    package var socket: String
    /// The daemon's own environment; a run inherits the variables of `RunEnvironment.inherited`.
    package var environment: [String: String]
    /// When the daemon started, for the programs of hosts that say it.
    package var startTime = WallTime.now
    /// The time between SIGTERM and SIGKILL.
    package var killGrace = TimeSpan.seconds(2)
    /// How long to wait for the pipes to close after the program has exited.
    package var drainGrace = TimeSpan.milliseconds(200)
    /// How long a resident program may be idle before the daemon closes its connection.
    package var idleGrace = TimeSpan.minutes(1)
    /// The same while the user edits the widget: longer than an untouched draft is kept.
    package var editingGrace = Layers.Draft.patience + .minutes(1)
    /// How many bytes of the output of a run its outcome has.
    package var keptOutput = KeptOutput()
    /// Where each run gets a control group; nil where none is delegated.
    package var groups: DelegatedGroup?
    package var sandboxing = Sandboxing.bubblewrap
    /// Whether each child of the daemon that belongs to no run is ended: it was started by a run.
    package var endsStrays = false

    /// What an outcome has of the program's output. The content of a good run says enough, and the daemon has thousands.
    package struct KeptOutput: Sendable {
        package var ofFailure = 1_024
        package var ofSuccess = 0

        package init() {}
    }

    package init(stateDirectory: String, socket: String, environment: [String: String]) {
        self.stateDirectory = stateDirectory
        self.socket = socket
        self.environment = environment
    }

    /// Relative to the state directory.
    static func directoryName(of widget: WidgetID) -> String { "widgets/\(widget)" }
    static func directoryName(ofGroup group: AppGroup) -> String { "groups/\(group)" }

    func directory(of widget: WidgetID) -> String { "\(stateDirectory)/\(Self.directoryName(of: widget))" }
    func directory(ofGroup group: AppGroup) -> String { "\(stateDirectory)/\(Self.directoryName(ofGroup: group))" }

    func workingDirectory(of manifest: Manifest) -> String {
        manifest.update.workingDirectory ?? directory(of: manifest.id)
    }

    /// Makes the widget's directory and those of its app groups.
    func makeDirectories(for manifest: Manifest) throws(DirectoryFailure) {
        var names = [Self.directoryName(of: manifest.id)]
        names += manifest.appGroups.map { Self.directoryName(ofGroup: $0) }
        for name in names { try Paths.makeOwnDirectory(name, in: stateDirectory, mode: 0o700) }
    }
}
