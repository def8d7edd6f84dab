// SPDX-License-Identifier: MIT

import JSON
import Rendering
import TodayModel

/// The items of a followed view. The first reply of a connection has all items, later ones have the changes.
package struct LiveItems {
    /// Whether the items are complete since the connection began; otherwise the next reply contains all of them.
    package private(set) var isCurrent = false
    private var byID: [WidgetID: Item] = [:]
    /// The places in the first reply, if the user names the widgets; nil if they are in the user's order.
    private var places: [WidgetID: Int]?

    /// - Parameter areNamed: whether the user names the widgets, which are then shown in that order.
    package init(areNamed: Bool = false) { places = areNamed ? [:] : nil }

    package var items: [Item] {
        byID.values.sorted { first, second in
            let (one, other) = (places?[first.id] ?? first.position, places?[second.id] ?? second.position)
            return (one, first.id) < (other, second.id)
        }
    }

    /// The items at a given time: content whose freshness has ended is stale, whatever todayd said last.
    package func items(at now: WallTime) -> [Item] { items.map { $0.at(now) } }

    package subscript(id: WidgetID) -> Item? { byID[id] }

    /// Applies a reply, and returns the changed and new items in it.
    package mutating func apply(_ reply: JSONObject) throws(JSONMismatch) -> [Item] {
        let changed = try reply.member("items", [Item].self)
        if !isCurrent {
            isCurrent = true
            byID = [:]
            if places != nil {
                places = Dictionary(changed.enumerated().map { ($1.id, $0) }) { first, _ in first }
            }
        }
        for text in reply.strings("removed") { if let id = WidgetID(text) { byID[id] = nil } }
        for item in changed { byID[item.id] = item }
        return changed
    }

    /// The connection has ended: the next reply contains everything. Until then the items stay.
    package mutating func lose() { isCurrent = false }

    /// The time until the text of an age on the screen changes, or content becomes stale.
    package func nextAgeChange(after now: WallTime, where isShown: (Item) -> Bool = { _ in true }) -> TimeSpan? {
        [byID.values.filter { isShown($0.at(now)) }.nextAgeChange(after: now), byID.values.nextStaleness(after: now)]
            .compactMap { $0 }.min()
    }
}

extension Sequence<Item> {
    /// The time until one of them becomes stale without word from todayd, which gets a second more to say so itself.
    package func nextStaleness(after now: WallTime) -> TimeSpan? {
        compactMap { $0.isVisible && !$0.stale ? $0.freshUntil : nil }.filter { $0 > now }.min().map {
            $0 - now + .seconds(1)
        }
    }

    /// The time until the text of the age of one of them changes.
    package func nextAgeChange(after now: WallTime) -> TimeSpan? {
        compactMap { $0.age(at: now) }.map { age -> TimeSpan in
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
