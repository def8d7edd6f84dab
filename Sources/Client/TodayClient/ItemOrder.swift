// SPDX-License-Identifier: MIT

import JSON
import TodayModel

/// In which order widgets are shown.
enum ItemOrder: String, CaseIterable {
    /// The user's own, as `todayctl move` makes it.
    case order
    /// The widgets that matter most by their own judgement first; those that say nothing last.
    case relevance

    /// What is equally relevant stays in the order that it had.
    func sorted(_ items: [Item], at now: WallTime) -> [Item] {
        sorted(items) { $0.content?.relevance.flatMap { Self.score($0.score, until: $0.until, at: now) } }
    }

    /// Items as the protocol has them.
    func sorted(_ items: [JSON], at now: WallTime) -> [JSON] {
        sorted(items) { item in
            guard let relevance = item["content"]?["relevance"], let score = relevance["score"]?.doubleValue else {
                return nil
            }
            let until = relevance["until"]?.intValue.map { WallTime(microseconds: $0) }
            return Self.score(score, until: until, at: now)
        }
    }

    /// Nil from the end of its time on: then it matters no more than any other.
    private static func score(_ score: Double, until: WallTime?, at now: WallTime) -> Double? {
        if let until, until <= now { return nil }
        return score
    }

    private func sorted<Element>(_ elements: [Element], score: (Element) -> Double?) -> [Element] {
        if self == .order { return elements }
        let scored = elements.enumerated().map { (place: $0.offset, score: score($0.element), element: $0.element) }
        return scored.sorted { first, second in
            // Nothing is less than any score, also than 0.
            let (left, right) = (first.score ?? -1, second.score ?? -1)
            return left == right ? first.place < second.place : left > right
        }.map(\.element)
    }
}
