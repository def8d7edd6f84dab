// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// Everything that clients may change, as a value: the user's choices and the app groups' defaults.
package struct StoredState: Equatable, Sendable {
    /// Also of widgets which are not there at present: they may come back.
    package internal(set) var choices: [WidgetID: Choices]
    package internal(set) var defaults: [AppGroup: GroupDefaults]
    /// Counts the changes of a group's defaults; also of one that has none any more.
    package internal(set) var revisions: [AppGroup: Int64]

    package init(
        choices: [WidgetID: Choices] = [:], defaults: [AppGroup: GroupDefaults] = [:],
        revisions: [AppGroup: Int64] = [:]
    ) {
        self.choices = choices
        self.defaults = defaults
        self.revisions = revisions
    }

    /// The given widgets in the user's order; those never moved come last, by identifier.
    package func order(of widgets: [WidgetID]) -> [WidgetID] {
        let ranked = widgets.map { (rank: choices[$0]?.rank ?? .max, id: $0) }
        return ranked.sorted { ($0.rank, $0.id) < ($1.rank, $1.id) }.map(\.id)
    }

    mutating func update(_ id: WidgetID, _ change: (inout Choices) -> Void) -> [Row] {
        let before = choices[id]
        var after = before ?? Choices()
        change(&after)
        guard after != before ?? Choices() else { return [] }
        choices[id] = after
        return [.choices(id, after)]
    }

    mutating func setDefault(group: AppGroup, key: String, value: JSON?) throws(Refusal) -> [Row] {
        var changed = defaults[group] ?? GroupDefaults()
        guard try changed.set(key, to: value, in: group) else { return [] }
        defaults[group] = changed.values.isEmpty ? nil : changed
        let revision = (revisions[group] ?? 0) + 1
        revisions[group] = revision
        return [.value(group: group, key: key, value), .revision(group, revision)]
    }
}
