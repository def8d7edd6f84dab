// SPDX-License-Identifier: MIT

import JSON
import TodayModel

/// The items of a view that is followed, from a first reply with everything and later ones with changes.
struct LiveItems {
    private var byID: [WidgetID: Item] = [:]

    /// In the user's order.
    var items: [Item] {
        byID.values.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
    }

    /// Takes a reply; returns the items in it, changed or new.
    mutating func apply(_ reply: JSONObject, isFirst: Bool) throws(JSONMismatch) -> [Item] {
        let changed = try reply.items("items")
        if isFirst { byID = [:] }
        for text in reply.strings("removed") { if let id = WidgetID(text) { byID[id] = nil } }
        for item in changed { byID[item.id] = item }
        return changed
    }

    /// When the next age on the screen will read differently.
    func nextAgeChange(after now: WallTime) -> TimeSpan? {
        byID.values.compactMap { $0.age(at: now) }.map { age -> TimeSpan in
            let unit: Int64
            switch age {
            case ..<TimeSpan.hours(1): unit = TimeSpan.minutes(1).microseconds
            case ..<TimeSpan.days(1): unit = TimeSpan.hours(1).microseconds
            default: unit = TimeSpan.days(1).microseconds
            }
            let past = age.microseconds % unit
            return TimeSpan(microseconds: past < 0 ? -past : unit - past)
        }.min()
    }
}
