// SPDX-License-Identifier: MIT
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
