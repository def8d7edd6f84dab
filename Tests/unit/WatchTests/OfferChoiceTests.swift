// SPDX-License-Identifier: MIT

import Rendering
import Testing
import TodayModel

@testable import Watch

/// Choosing one of what there is to add.
@Suite struct OfferChoiceTests {
    private static let names = ["agenda", "feed", "weather"]

    private func choice() throws -> OfferChoice {
        OfferChoice(
            try Self.names.map { name in
                var offer = Offer(try #require(WidgetID("org.a.\(name)")), isTemplate: true, name: name.uppercased())
                (offer.summary, offer.example) = ("about \(name)", "12° \(name)")
                offer.settings = [try Setting(name: "CITY", type: .string, label: "Where")]
                return offer
            })
    }

    private func text(_ text: String) -> [TerminalEvent] { text.unicodeScalars.map { .key(.text($0)) } }

    private static let keys: [(keys: [TerminalEvent], answer: String)] = [
        ([.key(.enter)], "agenda"), ([.key(.down), .key(.enter)], "feed"), ([.key(.end), .key(.enter)], "weather"),
        ([.key(.down), .key(.up), .key(.up), .key(.enter)], "agenda"),
        ([.key(.down), .key(.down), .key(.down), .key(.enter)], "weather"), ([.key(.escape)], "left"),
        ([.key(.control("c"))], "left"),
    ]

    @Test(arguments: keys.indices) func keysChoose(index: Int) throws {
        #expect(try answer(Self.keys[index].keys) == Self.keys[index].answer)
    }

    private func answer(_ events: [TerminalEvent]) throws -> String {
        var choice = try choice()
        for event in events {
            switch choice.handle(event) {
            case .none: continue
            case .chosen(let offer): return offer.shortName
            case .left: return "left"
            }
        }
        return "none"
    }

    @Test func typingSearches() throws {
        #expect(try answer(text("wea") + [.key(.enter)]) == "weather")
        #expect(try answer(text("WEATHER") + [.key(.enter)]) == "weather")
        #expect(try answer([.key(.down)] + text("e") + [.key(.enter)]) == "agenda", "the first of those that fit")
        #expect(try answer(text("xyz") + [.key(.enter)]) == "none")
        #expect(try answer(text("xyz") + [.key(.escape), .key(.enter)]) == "agenda", "Esc ends the search first")
        #expect(try answer(text("wq") + [.key(.backspace), .key(.enter)]) == "weather")
    }

    @Test func theFrameFits() throws {
        var choice = try choice()
        _ = choice.handle(.key(.end))
        for size in [Size(columns: 80, rows: 24), Size(columns: 20, rows: 6), Size(columns: 40, rows: 2)] {
            let presentation = Presentation(width: size.columns, now: WallTime(microseconds: 0))
            let rows = choice.frame(size, presentation).rows.map { $0.text() }
            #expect(rows.count == size.rows)
            if size.rows > 4 { #expect(rows.contains { $0.hasPrefix("▸ weather") }, "\(rows)") }
            if size.rows > 20 {
                #expect(rows.contains("  12° weather") && rows.contains("city: Where, needed"))
                #expect(rows.last?.hasPrefix("Enter adds") == true)
            }
        }
    }
}
