// SPDX-License-Identifier: MIT
import JSON
import QueryService
import TestSupport
import Testing
import TodayModel

/// A run that found nothing new renews a snapshot without waking subscribers.
@Suite struct ConfirmationTests {
    init() { TestLoop.start() }

    private static func item(_ text: String, confirmed: Int64) -> Item {
        var item = Item.showing(text)
        item.confirmed = WallTime(microseconds: confirmed)
        return item
    }

    @Test func aConfirmationWakesNoHostButIsThereForWhoAsks() async throws {
        let fixture = try await Fixture([Self.item("a", confirmed: 1)])
        let host = try fixture.connect()
        try host.follow("Show")
        #expect(try host.news(of: "Show").texts == ["a"])
        await fixture.with { $0.change(Self.item("a", confirmed: 2)) }
        let asked = try fixture.connect().today("Show")
        #expect(asked["items"]?.arrayValue?.first?["confirmed"] == 2)
        // The next reply is the next content: no other reply came before it.
        await fixture.with { $0.change(Self.item("b", confirmed: 3)) }
        #expect(try host.news(of: "Show").texts == ["b"])
    }
}
