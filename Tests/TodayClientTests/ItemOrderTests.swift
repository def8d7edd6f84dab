// SPDX-License-Identifier: MIT

import JSON
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import TodayClient

@Suite struct ItemOrderTests {
    static let now = WallTime(microseconds: 1_800_000_000_000_000)

    /// Scores in the user's order, some with the seconds until they end; the places in which they are shown.
    static let rows: [(scores: [(Double, Int64?)?], order: [Int])] = [
        ([], []), ([nil, nil, nil], [0, 1, 2]), ([(0.1, nil), (0.9, nil), (0.5, nil)], [1, 2, 0]),
        // Nothing said is less than 0.
        ([nil, (0, nil), nil, (1, nil)], [3, 1, 0, 2]),
        // The same score: as the user has them.
        ([(0.5, nil), (1, nil), (0.5, nil), (1, nil)], [1, 3, 0, 2]),
        // Over: as if nothing had been said.
        ([(0.2, nil), (1, 0), (0.9, -60), (0.8, 60)], [3, 0, 1, 2]),
    ]

    @Test(arguments: rows) func theMostRelevantComesFirst(scores: [(Double, Int64?)?], order: [Int]) throws {
        let items = try scores.enumerated().map { place, score in
            let json = Wire.item("org.a.w\(place)", position: place)
            var item = try Item(JSONField(root: json))
            item.content?.relevance = score.map { score, ends in
                Relevance(score, until: ends.map { Self.now + .seconds($0) })
            }
            return item
        }
        let shown = ItemOrder.relevance.sorted(items, at: Self.now)
        #expect(shown.map(\.position) == order)
        // The same as the protocol has it.
        #expect(ItemOrder.relevance.sorted(items.map(\.json), at: Self.now) == shown.map(\.json))
        #expect(ItemOrder.order.sorted(items, at: Self.now) == items)
    }

    private func service(_ program: Program, method: String, list: String) -> ScriptedService {
        let reply: JSONObject = [
            list: [
                Wire.item("org.a.low", position: 0) { $0["relevance"] = ["score": 0.1] },
                Wire.item("org.a.none", position: 1),
                Wire.item("org.a.high", position: 2) { $0["relevance"] = ["score": 1] },
            ], "removed": [],
        ]
        return program.service([method: [VarlinkReply(reply)]])
    }

    static let commands = [
        ["show", "--sort=relevance"], ["show", "--sort", "relevance", "--json"], ["watch", "--sort=relevance"],
        ["watch", "--sort=relevance", "--json"], ["list", "--sort=relevance"], ["list", "--sort=relevance", "--json"],
        ["list", "--sort=relevance", "--ids"],
    ]

    @Test(arguments: commands) func everyViewCanBeSorted(_ arguments: [String]) throws {
        let program = Program()
        let isList = arguments[0] == "list"
        let service = service(program, method: isList ? "List" : "Show", list: isList ? "widgets" : "items")
        defer { withExtendedLifetime(service) {} }
        let result = try program.run(arguments)
        #expect(result.code == .ok)
        let places = try ["org.a.high", "org.a.low", "org.a.none"].map {
            try #require(result.output.firstRange(of: $0)).lowerBound
        }
        #expect(places == places.sorted(), "\(result.output)")
    }

    @Test(arguments: ["show", "watch", "list"]) func anUnknownWordIsToldTheWords(_ command: String) throws {
        let result = try Program().run([command, "--sort=relevant"])
        #expect(result.code == .usage)
        #expect(result.errors.contains("order, relevance; did you mean relevance?"), "\(result.errors)")
    }
}
