// SPDX-License-Identifier: MIT
import Glibc
import TodayModel

/// Where a widget and its groups keep their files.
struct Containers {
    let surroundings: Surroundings

    init(_ surroundings: Surroundings) { self.surroundings = surroundings }

    private var variables: Variables { surroundings.variables }

    func own() throws(TodayError) -> String {
        if let given = variables["TODAY_STATE_DIRECTORY"] { return given }
        let directory = try outside("today-widgets") + "/\(Self.programName)"
        try SmallFile.makeDirectory(directory)
        return directory
    }

    /// A widget is told; an app asks the daemon. While none runs it is where the user's daemon will look for it, so that
    /// both use the same files, in whichever order they start.
    func group(_ name: String) throws(TodayError) -> String {
        guard let group = AppGroup(name) else { throw .noSuchGroup(name) }
        if let given = variables["TODAY_GROUP_DIRECTORY_\(group.variableName)"] { return given }
        if variables["TODAY_WIDGET"] != nil { throw .noSuchGroup(name) }
        // Another user's daemon runs its widgets as that user: neither could open what the other leaves there.
        let asked = (try? surroundings.daemon.stateDirectory()).flatMap { SmallFile.isOwn($0) ? $0 : nil }
        let parent = if let asked { asked } else { try outside("todayd") }
        let directory = "\(parent)/groups/\(group)"
        try SmallFile.makeDirectory(directory)
        return directory
    }

    var isDaemonAnotherUsers: Bool { (try? surroundings.daemon.stateDirectory()).map { !SmallFile.isOwn($0) } ?? false }

    private func outside(_ name: String) throws(TodayError) -> String {
        if let state = variables["XDG_STATE_HOME"], state.hasPrefix("/") { return "\(state)/\(name)" }
        guard let home = variables["HOME"] else {
            throw .system("there is no directory for the widget's files: neither XDG_STATE_HOME nor HOME is set")
        }
        return "\(home)/.local/state/\(name)"
    }

    static var programName: String {
        CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "widget"
    }
}
