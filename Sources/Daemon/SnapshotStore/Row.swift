// SPDX-License-Identifier: MIT
import TodayModel
import Varlink

/// One row of the database as it is to be: what the loop hands to the writer.
enum Row: Equatable, Sendable {
    case choices(WidgetID, Choices)
    /// One value of a group's defaults; nil removes it.
    case value(group: AppGroup, key: String, JSON?)
    /// A snapshot; nil removes it. When only its times have changed, its content is not written again.
    case snapshot(WidgetID, Snapshot?, contentChanged: Bool)
    /// One record of the update log, which pushes out the one that is too old.
    case run(WidgetID, UpdateLog.Entry)
    /// Removes all of a widget's log.
    case endOfLog(WidgetID)
}

/// Everything that is stored, as read when the store opens.
struct Contents: Equatable, Sendable {
    var state = StoredState()
    var snapshots: [WidgetID: Snapshot] = [:]
    var logs: [WidgetID: UpdateLog] = [:]
    /// What could not be read, in words.
    var complaints: [String] = []

    /// The rows of a database that contains all this.
    var rows: [Row] {
        state.choices.map { .choices($0.key, $0.value) }
            + state.defaults.flatMap { group, defaults in
                defaults.values.map { .value(group: group, key: $0.key, $0.value) }
            }
            + snapshots.map { .snapshot($0.key, $0.value, contentChanged: true) }
            + logs.flatMap { id, log in log.entries.map { .run(id, $0) } }
    }
}
