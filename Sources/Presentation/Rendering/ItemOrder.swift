// SPDX-License-Identifier: MIT

import JSON
import TodayModel

/// The order in which widgets are shown.
package enum ItemOrder: String, CaseIterable {
    /// The user's order, which `todayctl move` changes.
    case order
    /// The highest relevance first, as the widgets judge it. Widgets without a relevance are last.
    case relevance

    /// Items with the same relevance keep their order.
    package func sorted(_ items: [Item], at now: WallTime) -> [Item] {
        sorted(items) { $0.content?.relevance.flatMap { Self.score($0.score, until: $0.until, at: now) } }
    }

    /// Sorts items that are still JSON.
    package func sorted(_ items: [JSON], at now: WallTime) -> [JSON] {
        sorted(items) { item in
            guard let relevance = item["content"]?["relevance"], let score = relevance["score"]?.doubleValue else {
                return nil
            }
            let until = relevance["until"]?.intValue.map { WallTime(microseconds: $0) }
            return Self.score(score, until: until, at: now)
        }
    }

    /// Nil after `until`: the item then counts as one without a relevance.
    private static func score(_ score: Double, until: WallTime?, at now: WallTime) -> Double? {
        if let until, until <= now { return nil }
        return score
    }

    private func sorted<Element>(_ elements: [Element], score: (Element) -> Double?) -> [Element] {
        if self == .order { return elements }
        let scored = elements.enumerated().map { (place: $0.offset, score: score($0.element), element: $0.element) }
        return scored.sorted { first, second in
            // An item without a score comes after a score of 0.
            let (left, right) = (first.score ?? -1, second.score ?? -1)
            return left == right ? first.place < second.place : left > right
        }.map(\.element)
    }
}
