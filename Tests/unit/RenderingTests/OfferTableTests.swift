// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Rendering

/// What can be added, in a table and one by one.
@Suite struct OfferTableTests {
    private func offer(_ change: (inout Offer) -> Void = { _ in }) throws -> Offer {
        var offer = Offer(try #require(WidgetID("org.example.clock")), isTemplate: true, name: "Clock")
        offer.summary = "The time in one zone"
        change(&offer)
        return offer
    }

    private func details(_ change: (inout Offer) -> Void) throws -> [String] {
        OfferTable.details(try offer(change), Samples.presentation(80)).map { $0.text() }
    }

    @Test func theTableNamesWhatIsNeeded() throws {
        let zone = try Setting(name: "ZONE", type: .string)
        let table = OfferTable([try offer { $0.settings = [zone] }, try offer()], Samples.presentation(80))
        let lines = table.lines.map { $0.text() }
        #expect(lines.count == 3 && lines[0].hasPrefix("WIDGET"))
        #expect(
            lines[1].hasPrefix("clock") && lines[1].contains(" zone ") && lines[1].hasSuffix("The time in one zone"))
        #expect(lines[2].contains(" - "))
    }

    @Test func anExampleStandsAlone() throws {
        #expect(try details { _ in } == ["Clock: The time in one zone"])
        #expect(try details { $0.summary = nil } == ["Clock"])
        var feed = Offer(try #require(WidgetID("org.example.feed")), isTemplate: true, name: "feed")
        feed.summary = "What is new"
        #expect(OfferTable.details(feed, Samples.presentation(80)).map { $0.text() } == ["What is new"])
        #expect(try details { $0.example = "22:40" } == ["Clock: The time in one zone", "", "  22:40", ""])
        #expect(
            try details { ($0.example, $0.icon) = ("22:40", "@") } == [
                "Clock: The time in one zone", "", "  @ 22:40", "",
            ])
    }

    @Test(
        arguments: [
            (nil, .string, "zone: Zone, needed"), ("UTC", .string, "zone: Zone, else UTC"), ("", .string, "zone: Zone"),
            ("%i", .string, "zone: Zone, else its name"), (nil, .secret, "zone: Zone, a secret"),
        ] as [(String?, SettingType, String)])
    func aSettingSaysWhatItIsWithoutAValue(fallback: String?, type: SettingType, line: String) throws {
        var zone = try Setting(name: "ZONE", type: type)
        (zone.label, zone.defaultText) = ("Zone", fallback)
        #expect(try details { $0.settings = [zone] }.dropFirst() == [line])
    }

    @Test func whatIsThereIsNamed() throws {
        let ids = try ["org.example.clock@tokyo", "org.example.clock@oslo"].map { try #require(WidgetID($0)) }
        #expect(try details { $0.added = [ids[0]] }.dropFirst() == ["There is: \(ids[0])"])
        #expect(try details { $0.added = ids }.dropFirst() == ["There are: \(ids[0]), \(ids[1])"])
        #expect(try details { $0.complaint = "no program" }.dropFirst() == ["no program"])
    }
}
