// SPDX-License-Identifier: MIT
import CryptoCurrencyKit
import Testing
import TodayHTTP
import TodayKit

@Suite struct PricesTests {
    private func read(_ text: String) throws -> Prices { try Prices(try JSONValue(parsing: text), currency: "usd") }

    @Test func anAnswerBecomesDays() throws {
        let prices = try read(
            """
            {"prices":[[1793491200000,100],[1793577600000,110.5],[1793620800123,121.55]],\
            "market_caps":[[1793491200000,null]],"total_volumes":"whatever"}
            """)
        #expect(
            prices.days.map(\.date.text) == ["2026-11-01", "2026-11-02"] && prices.days.map(\.price) == [100, 121.55])
        #expect(MoneyText.change(try #require(prices.change(of: prices.newest))) == "+21.55 (+21.55%)")
        #expect(prices.change(of: prices.days[0]) == nil)
    }

    @Test func thirtyDaysAreKept() throws {
        let prices = try read(Answers.body((1...40).map(Double.init)))
        #expect(prices.days.count == 30 && prices.newest.price == 40 && prices.newest.date.text == "2026-11-30")
        #expect(prices.lowest.price == 11 && prices.lowest.date.text == "2026-11-01" && prices.highest.price == 40)
        #expect(prices.day(prices.newest.date.advanced(by: -1))?.price == 39)
        #expect(prices.day(prices.newest.date.advanced(by: -30)) == nil)
    }

    @Test func withoutTheDayBeforeThereIsNoChange() throws {
        let prices = try read(#"{"prices":[[1793491200000,100],[1793664000000,110]]}"#)
        #expect(prices.change(of: prices.newest) == nil)
    }

    static let unusable: [String] = [
        "[]", "{}", #"{"error":"coin not found"}"#, #"{"prices":null}"#, #"{"prices":{}}"#, #"{"prices":[]}"#,
        #"{"prices":[5]}"#, #"{"prices":[[1793491200000]]}"#, #"{"prices":[[1793491200000,null]]}"#,
        #"{"prices":[[1793491200000,1],[1793491200000,-1]]}"#, #"{"prices":[[1793491200000,0]]}"#,
        #"{"prices":[[1793491200000,1e300]]}"#, #"{"prices":[[1793491200,1]]}"#, #"{"prices":[[1e300,1]]}"#,
        #"{"prices":[[-1,1]]}"#,
    ]

    @Test(arguments: unusable) func anAnswerOfAnotherFormIsRefused(text: String) {
        #expect(throws: (any Error).self) { try read(text) }
    }

    @Test func savedPricesAreReadBack() throws {
        let prices = try read(#"{"prices":[[1793491200000,100],[1793664000000,110.25]]}"#)
        #expect(Prices(prices.defaultsValue) == prices)
        // A price without decimals is an integer when it is read back.
        guard case .dictionary(var members) = prices.defaultsValue else {
            Issue.record("it is not a dictionary")
            return
        }
        members["prices"] = .array([.int(100), .double(110.25)])
        #expect(Prices(.dictionary(members)) == prices)
        #expect(Prices(nil) == nil && Prices(.string("usd")) == nil)
    }

    static let damage: [(String, DefaultsValue)] = [
        ("currency", .int(1)), ("days", .array([.int(1)])), ("days", .array([.int(1), .string("2")])),
        ("prices", .array([.double(1), .string("x")])), ("prices", .array([])), ("prices", .string("")),
    ]

    @Test(arguments: damage) func damagedPricesAreIgnored(key: String, value: DefaultsValue) {
        var members: [String: DefaultsValue] = [
            "currency": .string("usd"), "days": .array([.int(1), .int(2)]),
            "prices": .array([.double(1), .double(2)]),
        ]
        #expect(Prices(.dictionary(members)) != nil)
        members[key] = value
        #expect(Prices(.dictionary(members)) == nil)
        members[key] = nil
        #expect(Prices(.dictionary(members)) == nil)
    }
}
