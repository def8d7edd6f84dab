// SPDX-License-Identifier: MIT
import TodayModel

/// The order of the widgets while one of them is moved.
///
/// Widgets that were moved, or stood before one that was, have a rank; the others follow them by identifier, so that a
/// widget which appears comes last. A move ranks as many widgets as it must and leaves the rest to the alphabet.
/// Widgets that are gone keep their rank: one that comes back is where it was.
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

    /// Moves one widget and returns the ranks that become different.
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
            throw Refusal.refused("there is no widget \(other) to be put beside")
        }
        return index
    }

    /// Ranks everything up to the moved widget and the last that had a rank before.
    private func changedRanks(upTo moved: Int) -> [(WidgetID, Int)] {
        let last = max(moved, order.lastIndex { ranks[$0] != nil } ?? moved)
        return order[...last].enumerated().compactMap { rank, id in ranks[id] == rank ? nil : (id, rank) }
    }
}
