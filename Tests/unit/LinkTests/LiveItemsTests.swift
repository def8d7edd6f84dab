// SPDX-License-Identifier: MIT

import ClientTestSupport
import JSON
import Testing
import TodayModel

@testable import Link

/// What a host holds of a view that it follows.
@Suite struct LiveItemsTests {
    private func reply(_ ids: [String], removed: [String] = []) -> JSONObject {
        let items = ids.map { Wire.item($0, position: ["org.a.one": 1, "org.a.two": 2, "org.a.three": 3][$0] ?? 0) }
        return ["items": .array(items), "removed": JSON(removed)]
    }

    /// The user's order, or that of the names on the command line, which a later change does not shuffle.
    @Test(arguments: [
        (false, ["org.a.one", "org.a.two", "org.a.three"], ["org.a.one", "org.a.two"]),
        (true, ["org.a.three", "org.a.one", "org.a.two"], ["org.a.two", "org.a.one"]),
    ])
    func aConnectionBeginsWithEverything(areNamed: Bool, first: [String], later: [String]) throws {
        var items = LiveItems(areNamed: areNamed)
        func shown() -> [String] { items.items.map(\.id.text) }
        #expect(!items.isCurrent)
        #expect(try items.apply(reply(["org.a.three", "org.a.one", "org.a.two"])).count == 3)
        #expect(items.isCurrent && shown() == first)
        #expect(try items.apply(reply(["org.a.two"])).map(\.id.text) == ["org.a.two"])
        #expect(shown() == first)
        items.lose()
        #expect(!items.isCurrent && shown() == first, "what was shown stays until the next reply")
        _ = try items.apply(reply(["org.a.two", "org.a.one"]))
        #expect(items.isCurrent && shown() == later)
        _ = try items.apply(reply([], removed: ["org.a.one", "no identifier"]))
        #expect(shown() == ["org.a.two"])
    }

    @Test(
        arguments: [
            (.seconds(30), .seconds(30)), (.seconds(60), .seconds(60)), (.seconds(90), .seconds(30)),
            (.minutes(90), .minutes(30)), (.hours(36), .hours(12)), (.hours(60), .hours(12)), (.hours(0), .minutes(1)),
        ] as [(TimeSpan, TimeSpan)])
    func theTextOfAnAgeChanges(age: TimeSpan, next: TimeSpan) throws {
        let now = WallTime(microseconds: 1_800_000_000_000_000)
        let taken = JSON.int((now + .zero - age).microseconds)
        var items = LiveItems()
        let item = Wire.item("org.a.a", change: ["taken": taken, "stale": true])
        _ = try items.apply(["items": [item], "removed": []])
        #expect(items.nextAgeChange(after: now) == next)
        #expect(items.nextAgeChange(after: now, where: { _ in false }) == nil)
    }
}
