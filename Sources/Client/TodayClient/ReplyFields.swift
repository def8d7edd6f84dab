// SPDX-License-Identifier: MIT

import JSON
import TodayModel

/// What several commands read from replies.
extension JSONObject {
    func items(_ key: String) throws(JSONMismatch) -> [Item] {
        var items: [Item] = []
        for field in try JSONField(root: .object(self), isTolerant: true).required(key).array() {
            items.append(try Item(field))
        }
        return items
    }

    func strings(_ key: String) -> [String] {
        (self[key]?.arrayValue ?? []).compactMap(\.stringValue)
    }
}
