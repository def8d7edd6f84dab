// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// One row of the database as it is to be: what the loop hands to the writer.
enum Row: Equatable, Sendable {
    case choices(WidgetID, Choices)
    /// One value of a group's defaults; nil removes it.
    case value(group: AppGroup, key: String, JSON?)
    /// How often a group's defaults have been changed.
    case revision(AppGroup, Int64)
    /// A widget's own layer; nil removes it. When only its times have changed, its content is not written again.
    case own(WidgetID, Layers.Own?, contentChanged: Bool)
    /// What was pushed to a widget; nil removes it.
    case pushed(WidgetID, Layers.Pushed?)
    /// What a widget has said and seen; nil removes it.
    case memory(WidgetID, WidgetMemory?)
    /// One record of the update log, which pushes out the one that is too old.
    case run(WidgetID, UpdateLog.Entry)
    /// Removes all of a widget's log.
    case endOfLog(WidgetID)
}

/// Everything that is stored, as read when the store opens.
struct Contents: Equatable, Sendable {
    var state = StoredState()
    /// Only of the layers that are kept on disk.
    var layers: [WidgetID: Layers] = [:]
    var memories: [WidgetID: WidgetMemory] = [:]
    var logs: [WidgetID: UpdateLog] = [:]
    /// What could not be read, in words.
    private(set) var complaints: [String] = []

    /// A damaged table may lose rows by the million.
    static let mostComplaints = 100

    mutating func complain(_ complaint: String) {
        if complaints.count < Self.mostComplaints { complaints.append(complaint) }
        if complaints.count == Self.mostComplaints { complaints.append("and so on") }
    }

    /// The rows of a database that contains all this.
    var rows: [Row] {
        var rows: [Row] = state.choices.map { .choices($0.key, $0.value) }
        for (group, defaults) in state.defaults {
            rows += defaults.values.map { Row.value(group: group, key: $0.key, $0.value) }
        }
        rows += state.revisions.map { Row.revision($0.key, $0.value) }
        for (id, layers) in layers {
            if let own = layers.own { rows.append(.own(id, own, contentChanged: true)) }
            if let pushed = layers.pushed { rows.append(.pushed(id, pushed)) }
        }
        rows += memories.map { Row.memory($0.key, $0.value) }
        for (id, log) in logs { rows += log.entries.map { Row.run(id, $0) } }
        return rows
    }
}
