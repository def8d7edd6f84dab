// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import SnapshotStore

/// The results of moves. A row: ranks, the present widgets, a move, and the resulting order.
struct WidgetOrderTests {
    static let table: [(ranked: String, present: String, move: String, to: Placement, order: String)] = [
        // No widget was moved yet: by identifier.
        ("", "c a b", "c", .first, "c a b"),
        ("", "c a b", "a", .last, "b c a"),
        ("", "a b c", "c", .up, "a c b"),
        ("", "a b c", "a", .down, "b a c"),
        ("", "a b c", "a", .up, "a b c"),
        ("", "a b c", "c", .down, "a b c"),
        ("", "a b c", "c", .before(id("b")), "a c b"),
        ("", "a b c", "a", .after(id("b")), "b a c"),
        ("", "a b c", "b", .before(id("b")), "a b c"),
        ("", "a b c", "b", .after(id("b")), "a b c"),
        // Some widgets have ranks; the others follow.
        ("c b", "a b c d", "d", .up, "c b d a"),
        ("c b", "a b c d", "a", .first, "a c b d"),
        ("c b", "a b c d", "c", .last, "b a d c"),
        ("c b", "a b c d", "b", .up, "b c a d"),
        ("c b", "a b c d", "b", .down, "c a b d"),
        // x is gone and keeps its place, but other widgets do not count it when they move.
        ("a x b", "a b", "b", .up, "b a"),
        ("a x b", "a b x", "b", .up, "a b x"),
        ("a x b", "a b", "a", .down, "b a"),
        ("x a b", "a b", "b", .first, "b a"),
    ]

    @Test(arguments: table)
    func aMoveGivesTheOrder(
        _ row: (ranked: String, present: String, move: String, to: Placement, order: String)
    ) throws {
        var state = ranked(row.ranked)
        _ = try Change.move(id(row.move), row.to, among: ids(row.present)).apply(to: &state)
        #expect(state.order(of: ids(row.present)) == ids(row.order))
    }

    @Test func aWidgetThatComesBackIsWhereItWas() throws {
        var state = ranked("a x b")
        _ = try Change.move(id("b"), .first, among: ids("a b")).apply(to: &state)
        #expect(state.order(of: ids("a b x")) == ids("b a x"))
    }

    @Test func aNewWidgetComesLast() throws {
        var state = StoredState()
        _ = try Change.move(id("c"), .last, among: ids("a b c")).apply(to: &state)
        #expect(state.order(of: ids("0 a b c")) == ids("a b c 0"))
        #expect(state.order(of: ids("z 0")) == ids("0 z"))
    }

    @Test func aMoveRanksNoMoreThanItMust() throws {
        var state = StoredState()
        let rows = try Change.move(id("b"), .first, among: ids("a b c d e")).apply(to: &state)
        #expect(rows.count == 1)
        #expect(state.choices.compactMapValues(\.rank) == [id("b"): 0])
    }

    @Test func aPlaceBesideAnUnknownWidgetIsRefused() {
        var state = ranked("a b")
        #expect {
            _ = try Change.move(id("a"), .before(id("nobody")), among: ids("a b")).apply(to: &state)
        } throws: { error in
            (error as? Refusal)?.isRefused == true && "\(error)".contains("org.example.nobody")
        }
        #expect(state == ranked("a b"))
    }

    private func ranked(_ names: String) -> StoredState {
        var state = StoredState()
        for (rank, id) in ids(names).enumerated() { state.choices[id, default: Choices()].rank = rank }
        return state
    }
}
