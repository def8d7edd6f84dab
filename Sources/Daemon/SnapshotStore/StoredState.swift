// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// Everything that clients may change durably: the user's choices, the values of settings and the app groups' defaults.
package struct StoredState: Equatable, Sendable {
    /// Including removed widgets, because they may return.
    package internal(set) var choices: [WidgetID: Choices]
    package internal(set) var defaults: [AppGroup: GroupDefaults]
    /// The number of changes of each group's defaults, even of a group without values.
    package internal(set) var revisions: [AppGroup: Int64]
    /// The values that the user has set of each widget's settings, including removed widgets and settings that no longer exist.
    package internal(set) var settings: [WidgetID: [String: SettingValue]]

    package init(
        choices: [WidgetID: Choices] = [:], defaults: [AppGroup: GroupDefaults] = [:],
        revisions: [AppGroup: Int64] = [:], settings: [WidgetID: [String: SettingValue]] = [:]
    ) {
        self.choices = choices
        self.defaults = defaults
        self.revisions = revisions
        self.settings = settings
    }

    /// The given widgets in the user's order. Widgets that were never moved come last, by identifier.
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

    mutating func set(_ values: [String: SettingValue?], of id: WidgetID) -> [Row] {
        var changed = settings[id] ?? [:]
        var rows: [Row] = []
        for (name, value) in values.sorted(by: { $0.key < $1.key }) where changed[name] != value {
            changed[name] = value
            rows.append(.setting(id, name: name, value))
        }
        if !rows.isEmpty { settings[id] = changed.isEmpty ? nil : changed }
        return rows
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

/// How a change affects the stored state.
extension Change {
    /// Why the change is refused in any state.
    var refusal: Refusal? {
        guard case .defaults(_, let key, let value, _) = self else { return nil }
        if key.isEmpty { return .refused("the key is empty") }
        if key.utf8.count > StoreLimits.keyBytes {
            return .refused("the key is longer than \(StoreLimits.keyBytes) bytes")
        }
        if let value {
            let size = value.text.utf8.count
            if size > StoreLimits.valueBytes {
                return .refused(
                    "the value has \(size) bytes as JSON, more than the \(StoreLimits.valueBytes) of one value")
            }
        }
        return nil
    }

    /// Roughly the memory that the change needs while it waits.
    var bytes: Int {
        switch self {
        case .defaults(_, let key, let value?, _): key.utf8.count + value.bytes
        case .add(_, let values):
            values.reduce(256) { $0 + $1.key.utf8.count + $1.value.text.utf8.count }
        case .settings(_, let values):
            values.reduce(256) { $0 + $1.key.utf8.count + ($1.value?.text.utf8.count ?? 0) }
        case .choice, .move, .push, .takeBack, .remove, .defaults: 256
        }
    }

    /// Makes the change and returns the rows that it affects; none when it changes nothing.
    func apply(to state: inout StoredState) throws(Refusal) -> [Row] {
        switch self {
        case .choice(let id, let choice):
            return state.update(id, choice.apply)
        case .move(let id, let placement, let neighbours):
            var order = WidgetOrder(ranks: state.choices.compactMapValues(\.rank), neighbours: neighbours)
            return try order.move(id, to: placement).flatMap { id, rank in state.update(id) { $0.rank = rank } }
        case .defaults(let group, let key, let value, _):
            return try state.setDefault(group: group, key: key, value: value)
        case .add(let id, let values):
            if state.choices.count(where: \.value.isAdded) >= StoreLimits.addedWidgets {
                throw .refused("there are \(StoreLimits.addedWidgets) added widgets, the most there may be")
            }
            let rows = state.update(id) { ($0.isAdded, $0.enabled) = (true, true) }
            return rows + state.set(values.mapValues { $0 }, of: id)
        case .remove(let id):
            let secrets = (state.settings[id] ?? [:]).filter(\.value.isSecret)
            return state.update(id) { $0.isAdded = false } + state.set(secrets.mapValues { _ in nil }, of: id)
        case .settings(let id, let values):
            return state.set(values, of: id)
        case .push, .takeBack:
            // Layers are visible at once, and the store writes them as records.
            return []
        }
    }
}

/// The defaults of one app group: values by key, and their size. Keys are equal when their bytes are, as in the
/// database.
package struct GroupDefaults: Equatable, Sendable {
    package private(set) var values: JSONObject = [:]
    /// Bytes of keys and values as JSON.
    private var bytes = 0

    package init() {}

    /// Sets or removes a value; returns false when nothing changes. `group` is only for error messages.
    mutating func set(_ key: String, to value: JSON?, in group: AppGroup) throws(Refusal) -> Bool {
        let old = values[key]
        guard old != value else { return false }
        let growth = size(key, value) - size(key, old)
        if value != nil {
            if old == nil, values.count >= StoreLimits.keysPerGroup {
                throw Refusal.refused("\(group) already has \(StoreLimits.keysPerGroup) keys, the most there may be")
            }
            guard bytes + growth <= StoreLimits.bytesPerGroup else {
                throw Refusal.refused(
                    "\(group) would have more than the \(StoreLimits.bytesPerGroup) bytes of one group")
            }
        }
        bytes += growth
        values[key] = value
        return true
    }

    /// Adds a stored value without checking the limits.
    mutating func put(_ key: String, _ value: JSON?) {
        bytes += size(key, value) - size(key, values[key])
        values[key] = value
    }

    private func size(_ key: String, _ value: JSON?) -> Int {
        value.map { key.utf8.count + $0.text.utf8.count } ?? 0
    }
}

/// The order of the widgets while one of them is moved.
///
/// A widget has a rank if the user has moved it or a widget after it. The others follow by identifier, so a new widget
/// comes last. A move gives ranks to as few widgets as possible. Removed widgets keep their rank, so a widget that
/// returns has its old place.
struct WidgetOrder {
    private let ranks: [WidgetID: Int]
    private let neighbours: Set<WidgetID>
    private var order: [WidgetID]

    init(ranks: [WidgetID: Int], neighbours: [WidgetID]) {
        self.ranks = ranks
        self.neighbours = Set(neighbours)
        let unranked = self.neighbours.filter { ranks[$0] == nil }.sorted()
        order = ranks.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key) + unranked
    }

    /// Moves one widget and returns the ranks that change.
    mutating func move(_ id: WidgetID, to placement: Placement) throws(Refusal) -> [(WidgetID, Int)] {
        let from = order.firstIndex(of: id) ?? order.endIndex
        if from < order.endIndex { order.remove(at: from) }
        let to: Int
        switch placement {
        case .first: to = order.startIndex
        case .last: to = order.endIndex
        case .before(let other):
            to = other == id ? from : try index(of: other)
        case .after(let other):
            to = other == id ? from : try index(of: other) + 1
        case .up:
            to = order[..<from].lastIndex(where: neighbours.contains) ?? from
        case .down:
            to = order[from...].firstIndex(where: neighbours.contains).map { $0 + 1 } ?? from
        }
        order.insert(id, at: to)
        return changedRanks(upTo: to)
    }

    private func index(of other: WidgetID) throws(Refusal) -> Int {
        guard let index = order.firstIndex(of: other) else {
            throw Refusal.refused("there is no widget \(other) to move it to")
        }
        return index
    }

    /// Ranks all widgets up to the moved one and up to the last one that had a rank.
    private func changedRanks(upTo moved: Int) -> [(WidgetID, Int)] {
        let last = max(moved, order.lastIndex { ranks[$0] != nil } ?? moved)
        return order[...last].enumerated().compactMap { rank, id in ranks[id] == rank ? nil : (id, rank) }
    }
}
