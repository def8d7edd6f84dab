// SPDX-License-Identifier: MIT
import Glibc
import Platform
import TodayModel

/// The directory of an app group, for files that the widget and its containing app share, such as an SQLite database.
public struct GroupContainer: Sendable {
    /// The path of the directory, which exists and which only its user can read.
    public let path: String

    /// Finds the directory of a group, and makes it where todayd has not.
    ///
    /// todayd tells its widgets the directory; an app asks todayd. If no todayd of this user runs, it is the directory that
    /// a todayd without other settings will use: `todayd/groups/NAME` below `$XDG_STATE_HOME`.
    ///
    /// - Parameter suiteName: the group, as in `AppGroups=` of the manifest.
    /// - Throws: `TodayError.noSuchGroup` if the widget does not belong to the group.
    public init(suiteName: String) throws(TodayError) {
        path = try Containers(Surroundings.current).groupDirectory(suiteName)
    }

    /// Whether the todayd that answers runs as another user, as the system instance does. Its widgets cannot read this
    /// user's group directories then. False if no todayd answers.
    public static var isHiddenFromWidgets: Bool { Containers(Surroundings.current).isDaemonOfAnotherUser }
}

extension ExtensionContext {
    /// The widget's own directory. No other widget writes to it, and todayd never deletes files in it.
    ///
    /// todayd makes the directory. In a process that todayd has not started it is `today-widgets/PROGRAM` below
    /// `$XDG_STATE_HOME`.
    public var containerDirectory: String {
        get throws(TodayError) { try Containers(Surroundings.current).ownDirectory() }
    }
}

/// Where a widget and its groups keep their files.
struct Containers {
    let surroundings: Surroundings

    init(_ surroundings: Surroundings) { self.surroundings = surroundings }

    private var variables: EnvironmentVariables { surroundings.variables }

    func ownDirectory() throws(TodayError) -> String {
        if let given = variables["TODAY_STATE_DIRECTORY"] { return given }
        let directory = try userDirectory("today-widgets") + "/\(Self.programName)"
        try SmallFile.makeDirectory(directory)
        return directory
    }

    func groupDirectory(_ name: String) throws(TodayError) -> String {
        guard let group = AppGroup(name) else { throw .noSuchGroup(name) }
        if let given = variables["TODAY_GROUP_DIRECTORY_\(group.variableName)"] { return given }
        if variables["TODAY_WIDGET"] != nil { throw .noSuchGroup(name) }
        // A todayd of another user runs its widgets as that user, who cannot open the files of this one.
        let asked = (try? surroundings.daemon.stateDirectory()).flatMap { SmallFile.isOwn($0) ? $0 : nil }
        let parent = if let asked { asked } else { try userDirectory("todayd") }
        let directory = "\(parent)/groups/\(group)"
        try SmallFile.makeDirectory(directory)
        return directory
    }

    var isDaemonOfAnotherUser: Bool {
        (try? surroundings.daemon.stateDirectory()).map { !SmallFile.isOwn($0) } ?? false
    }

    /// The directory of this name in the user's state directory.
    private func userDirectory(_ name: String) throws(TodayError) -> String {
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
