// SPDX-License-Identifier: MIT
import TodayModel
import Varlink

/// Everything that clients may change, as a value: the user's choices and the app groups' defaults.
package struct StoredState: Equatable, Sendable {
    /// Also of widgets which are not there at present: they may come back.
    package internal(set) var choices: [WidgetID: Choices]
    /// By group and key.
    package internal(set) var defaults: [String: [String: JSON]]

    package init(choices: [WidgetID: Choices] = [:], defaults: [String: [String: JSON]] = [:]) {
        self.choices = choices
        self.defaults = defaults
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

    mutating func setDefault(group: String, key: String, value: JSON?) throws(StoreFailure) -> [Row] {
        let values = defaults[group] ?? [:]
        guard values[key] != value else { return [] }
        if value != nil, values[key] == nil, values.count >= StoreLimits.keysPerGroup {
            throw StoreFailure(.refused, "\(group) already has \(StoreLimits.keysPerGroup) keys, the most there may be")
        }
        defaults[group, default: [:]][key] = value
        if defaults[group]?.isEmpty == true { defaults[group] = nil }
        return [.value(group: group, key: key, value)]
    }
}
