// SPDX-License-Identifier: MIT
import TodayModel
import Varlink

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
    var complaints: [String] = []

    /// The rows of a database that contains all this.
    var rows: [Row] {
        state.choices.map { .choices($0.key, $0.value) }
            + state.defaults.flatMap { group, defaults in
                defaults.values.map { .value(group: group, key: $0.key, $0.value) }
            }
            + state.revisions.map { .revision($0.key, $0.value) }
            + layers.flatMap { id, layers in
                let own = layers.own.map { Row.own(id, $0, contentChanged: true) }
                let pushed = layers.pushed.map { Row.pushed(id, $0) }
                return [own, pushed].compactMap { $0 }
            }
            + memories.map { .memory($0.key, $0.value) }
            + logs.flatMap { id, log in log.entries.map { .run(id, $0) } }
    }
}
