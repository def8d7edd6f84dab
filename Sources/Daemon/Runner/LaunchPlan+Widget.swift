// SPDX-License-Identifier: MIT
import Files
import Glibc
import Spawn
import TodayModel

extension LaunchPlan {
    /// How a widget's program is started, whichever protocol it has.
    init(_ request: RunRequest, mark: String, base: [String: String], settings: RunSettings) {
        let manifest = request.manifest
        let command = manifest.update.command
        self.init(executable: command.first ?? "", arguments: command)
        environment = RunEnvironment.variables(of: request, mark: mark, base: base, settings: settings)
        directory = settings.directory(of: request.widget)
        // What programs expect, some of which use select(2) or close every descriptor there may be. The daemon has more.
        limits.openFiles = 1_024
        limits.memory = manifest.limits.memory?.bytes
        standardError = .pipe
        parentDeathSignal = SIGKILL
    }
}

extension RunSettings {
    /// Makes the directories that the program of a widget will find.
    func makeDirectories(for manifest: Manifest) throws(DirectoryFailure) {
        var names = [Self.directoryName(of: manifest.id)]
        names += manifest.appGroups.map { Self.directoryName(ofGroup: $0) }
        for name in names { try Paths.makeOwnDirectory(name, in: stateDirectory, mode: 0o700) }
    }
}
