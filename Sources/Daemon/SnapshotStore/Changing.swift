// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// What a change does to what is stored.
extension Change {
    /// Why the change cannot be made, whatever is stored.
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

    /// About how much memory it takes while it waits.
    var bytes: Int {
        if case .defaults(_, let key, let value?, _) = self { key.utf8.count + value.bytes } else { 256 }
    }

    /// Makes the change and tells which rows of the database it touches; none when it changes nothing.
    func apply(to state: inout StoredState) throws(Refusal) -> [Row] {
        switch self {
        case .choice(let id, let choice):
            return state.update(id, choice.apply)
        case .move(let id, let placement, let neighbours):
            var order = WidgetOrder(ranks: state.choices.compactMapValues(\.rank), neighbours: neighbours)
            return try order.move(id, to: placement).flatMap { id, rank in state.update(id) { $0.rank = rank } }
        case .defaults(let group, let key, let value, _):
            return try state.setDefault(group: group, key: key, value: value)
        case .push, .takeBack:
            // Layers are visible at once, and written with what widgets give.
            return []
        }
    }
}
