// SPDX-License-Identifier: MIT
import Glibc
import TodayModel

extension ExtensionContext {
    /// The widget's own directory, which no other widget writes to, and which todayd does not clean.
    ///
    /// The daemon makes it; outside of the daemon it is `today-widgets/NAME` below `$XDG_STATE_HOME`, where `NAME` is the
    /// program's.
    public var containerDirectory: String {
        get throws(TodayError) { try Containers(Surroundings.current).own() }
    }
}

/// The directory that an app group shares: for files that the widget and its containing app both need, such as an SQLite
/// database.
public struct GroupContainer: Sendable {
    /// Where it is. It exists, and only its user may look into it.
    public let path: String

    /// Finds the directory of a group.
    ///
    /// A widget is told by the daemon, an app asks it. Where none of this user's runs, it is the directory that one will
    /// use unless it is told otherwise: `todayd/groups/NAME` below `$XDG_STATE_HOME`.
    ///
    /// - Parameter suiteName: the group, as in `AppGroups=` of the manifest.
    /// - Throws: `TodayError.noSuchGroup` when the widget does not belong to the group.
    public init(suiteName: String) throws(TodayError) {
        path = try Containers(Surroundings.current).group(suiteName)
    }

    /// Whether the todayd that answers keeps its directories as another user, as the system instance does: its widgets
    /// cannot see what is in this one. False where none answers.
    public static var isHiddenFromWidgets: Bool { Containers(Surroundings.current).isDaemonAnotherUsers }
}

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
