// SPDX-License-Identifier: MIT

import ClientTestSupport
import JSON
import Rendering
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import Commands

/// The list of widgets, and the order of widgets in all views.
@Suite struct ListTests {
    @Test func listPrintsIdentifiersForCompletion() throws {
        let program = Program()
        program.serve([
            "List": [VarlinkReply(["widgets": [Wire.item("org.a.b"), Wire.item("org.c.d")]])]
        ])
        #expect(try program.run(["list", "--ids"]).output == "org.a.b\norg.c.d\n")
    }

    @Test func theListShowsTheCommandsForAWidget() throws {
        let program = Program()
        program.serve(Wire.editedClock)
        #expect(try program.run(["list"]).output.contains("  expand, edit --done  "))
    }

    @Test func theListNamesFilesThatCannotBeWidgets() throws {
        let program = Program()
        program.serve([
            "List": [VarlinkReply(["widgets": [Wire.item("org.a.b")]])],
            "Status": [VarlinkReply(["daemon": ["complaints": .array(Wire.complaints)], "widgets": []])],
        ])
        let result = try program.run(["list"])
        #expect(result.code == .ok)
        #expect(!result.output.contains("rename"))
        #expect(
            result.errors.hasPrefix("todayctl: /w/temp.widget: rename it\ntodayctl: /w/other one.widget:7: rename that")
        )
        #expect(result.errors.split(separator: "\n").count == 2)
    }

    @Test(arguments: ["--json", "--ids", "--quiet"]) func complaintsAreOnlyForPeople(option: String) throws {
        let program = Program()
        program.serve([
            "List": [VarlinkReply(["widgets": [Wire.item("org.a.b")]])],
            "Status": [VarlinkReply(["daemon": ["complaints": .array(Wire.complaints)], "widgets": []])],
        ])
        #expect(try program.run(["list", option]).errors == "")
    }

    // MARK: Order

    static let now = WallTime(microseconds: 1_800_000_000_000_000)

    /// Scores in the user's order, some with the seconds until they end, and the order in which they are shown.
    static let rows: [(scores: [(Double, Int64?)?], order: [Int])] = [
        ([], []), ([nil, nil, nil], [0, 1, 2]), ([(0.1, nil), (0.9, nil), (0.5, nil)], [1, 2, 0]),
        // No score is less than 0.
        ([nil, (0, nil), nil, (1, nil)], [3, 1, 0, 2]),
        // The same score: the user's order.
        ([(0.5, nil), (1, nil), (0.5, nil), (1, nil)], [1, 3, 0, 2]),
        // An expired score counts as none.
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
        // JSON is sorted in the same way.
        #expect(ItemOrder.relevance.sorted(items.map(\.json), at: Self.now) == shown.map(\.json))
        #expect(ItemOrder.order.sorted(items, at: Self.now) == items)
    }

    private func serveThree(_ program: Program, method: String, list: String) {
        let reply: JSONObject = [
            list: [
                Wire.item("org.a.low", position: 0) { $0["relevance"] = ["score": 0.1] },
                Wire.item("org.a.none", position: 1),
                Wire.item("org.a.high", position: 2) { $0["relevance"] = ["score": 1] },
            ], "removed": [],
        ]
        program.serve([method: [VarlinkReply(reply)]])
    }

    static let commands = [
        ["show", "--sort=relevance"], ["show", "--sort", "relevance", "--json"], ["watch", "--sort=relevance"],
        ["watch", "--sort=relevance", "--json"], ["list", "--sort=relevance"], ["list", "--sort=relevance", "--json"],
        ["list", "--sort=relevance", "--ids"],
    ]

    @Test(arguments: commands) func everyViewCanBeSorted(_ arguments: [String]) throws {
        let program = Program()
        let isList = arguments[0] == "list"
        serveThree(program, method: isList ? "List" : "Show", list: isList ? "widgets" : "items")
        let result = try program.run(arguments)
        #expect(result.code == .ok)
        let places = try ["org.a.high", "org.a.low", "org.a.none"].map {
            try #require(result.output.firstRange(of: $0)).lowerBound
        }
        #expect(places == places.sorted(), "\(result.output)")
    }

    @Test(arguments: ["show", "watch", "list"]) func anUnknownOrderIsAnsweredWithTheChoices(_ command: String) throws {
        let result = try Program().run([command, "--sort=relevant"])
        #expect(result.code == .usage)
        #expect(result.errors.contains("order, relevance; did you mean relevance?"), "\(result.errors)")
    }
}
