// SPDX-License-Identifier: MIT
import Testing

@testable import QueryService

@Suite struct TurnQueueTests {
    private func order(of members: [String]) -> [String] {
        var queue = TurnQueue<Bool, Character, String>()
        // Parties in capitals belong to another user.
        for member in members { queue.append(member, of: member.first ?? " ", member.first?.isUppercase ?? false) }
        var order: [String] = []
        while let next = queue.next() { order.append(next) }
        #expect(queue.isEmpty)
        #expect(queue.partyCount == 0)
        return order
    }

    private static let orders: [([String], [String])] = [
        ([], []),
        (["a1"], ["a1"]),
        (["a1", "a2", "a3"], ["a1", "a2", "a3"]),
        (["a1", "b1", "c1"], ["a1", "b1", "c1"]),
        // A party that comes last with one member does not wait for all members of an earlier party.
        (["a1", "a2", "a3", "a4", "b1"], ["a1", "b1", "a2", "a3", "a4"]),
        (["a1", "a2", "b1", "b2", "b3", "c1"], ["a1", "b1", "c1", "a2", "b2", "b3"]),
        // A user does not wait for all processes of another user.
        (["a1", "b1", "c1", "d1", "A1", "A2"], ["a1", "A1", "b1", "A2", "c1", "d1"]),
        (["A1", "B1", "a1", "b1", "b2"], ["A1", "a1", "B1", "b1", "b2"]),
    ]

    @Test(arguments: orders)
    func partiesTakeTurns(members: [String], expected: [String]) {
        #expect(order(of: members) == expected)
    }

    private static let favoured: [([Int], [Int])] = [
        ([], []), ([0, 0], [0, 0]), ([1, 2, 1], [1, 2, 1]),
        // The favourite waits for one turn of another user, and the others for one turn of the favourite.
        ([1, 2, 3, 0], [0, 1, 2, 3]), ([1, 2, 3, 0, 0, 0, 0, 0], [0, 1, 0, 2, 0, 3, 0, 0]),
        ([0, 0, 1, 1], [0, 1, 0, 1]),
    ]

    @Test(arguments: favoured)
    func everyOtherTurnIsTheFavourites(users: [Int], expected: [Int]) {
        var queue = TurnQueue<Int, Int, Int>(favourite: 0)
        for user in users { queue.append(user, of: user, user) }
        var order: [Int] = []
        while let next = queue.next() { order.append(next) }
        #expect(order == expected)
    }

    @Test func theFavouriteIsOneOfManyWhenItComesBack() {
        var queue = TurnQueue<Int, Int, String>(favourite: 0)
        queue.append("0", of: 0, 0)
        queue.append("1", of: 1, 1)
        queue.append("2", of: 2, 2)
        #expect(queue.next() == "0")
        queue.append("0", of: 0, 0)
        #expect([queue.next(), queue.next(), queue.next()] == ["1", "0", "2"])
        queue.append("0", of: 0, 0)
        #expect([queue.next(), queue.next()] == ["0", nil])
        #expect(queue.isEmpty)
    }

    @Test func aPartyThatReturnsGoesBehindTheOthers() {
        var queue = TurnQueue<Int, Character, String>()
        queue.append("a1", of: "a", 0)
        queue.append("b1", of: "b", 0)
        #expect(queue.next() == "a1")
        queue.append("a1", of: "a", 0)
        #expect(queue.next() == "b1")
        #expect(queue.next() == "a1")
        #expect(queue.next() == nil)
    }

    /// The queue does not keep a session that has had its turn.
    @Test func takenMembersAreReleased() {
        final class Member {}
        var line = Line<Member>()
        for _ in 0..<10 { line.append(Member()) }
        weak var first: Member?
        first = line.next()
        #expect(first == nil && line.count == 9)
    }

    @Test func aLongLineKeepsItsOrder() {
        var line = Line<Int>()
        var next = 0
        var taken: [Int] = []
        for _ in 0..<1_000 {
            for _ in 0..<3 {
                line.append(next)
                next += 1
            }
            if let first = line.next() { taken.append(first) }
        }
        while let first = line.next() { taken.append(first) }
        #expect(taken == Array(0..<3_000))
        #expect(line.isEmpty)
    }
}
