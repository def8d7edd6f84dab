// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// A decision of the user or of a containing app. It becomes visible and is acknowledged when it is on disk.
package enum Change: Equatable, Sendable {
    case enabled(WidgetID, Bool)
    case hasContent(WidgetID, Bool)
    case displayMode(WidgetID, DisplayMode)
    case lockScreen(WidgetID, Bool)
    /// `among` are the widgets that count as neighbours, in any order; others keep their place.
    case move(WidgetID, Placement, among: [WidgetID])
    /// Sets one value of an app group's defaults, or removes it. `writer` is the widget whose process does so.
    case defaults(group: AppGroup, key: String, value: JSON?, writer: WidgetID? = nil)

    /// What is wrong with the change whatever the state is.
    var complaint: StoreFailure? {
        guard case .defaults(_, let key, let value, _) = self else { return nil }
        if key.isEmpty { return StoreFailure(.refused, "the key is empty") }
        if key.utf8.count > StoreLimits.keyBytes {
            return StoreFailure(.refused, "the key is longer than \(StoreLimits.keyBytes) bytes")
        }
        if let value {
            let size = value.text.utf8.count
            if size > StoreLimits.valueBytes {
                let reason = "the value has \(size) bytes as JSON, more than the \(StoreLimits.valueBytes) of one value"
                return StoreFailure(.refused, reason)
            }
        }
        return nil
    }

    /// About how much memory it takes while it waits.
    var bytes: Int {
        if case .defaults(_, let key, let value?, _) = self { key.utf8.count + value.bytes } else { 256 }
    }

    /// Makes the change and tells which rows of the database it touches; none when it changes nothing.
    func apply(to state: inout StoredState) throws(StoreFailure) -> [Row] {
        switch self {
        case .enabled(let id, let enabled):
            return state.update(id) { $0.enabled = enabled }
        case .hasContent(let id, let hasContent):
            return state.update(id) { $0.hasContent = hasContent }
        case .displayMode(let id, let mode):
            return state.update(id) { $0.mode = mode }
        case .lockScreen(let id, let allowed):
            return state.update(id) { $0.allowedOnLockScreen = allowed }
        case .move(let id, let placement, let neighbours):
            var order = WidgetOrder(ranks: state.choices.compactMapValues(\.rank), neighbours: neighbours)
            return try order.move(id, to: placement).flatMap { id, rank in state.update(id) { $0.rank = rank } }
        case .defaults(let group, let key, let value, _):
            return try state.setDefault(group: group, key: key, value: value)
        }
    }
}
