// SPDX-License-Identifier: MIT
import CryptoCurrencyKit
import Platform
import Testing
import TodayKit

@Suite struct PriceHistoryTests {
    /// The number of 2026-11-01.
    private static let day = 20_758

    private func day(_ number: Int, _ price: Double) -> DayPrice {
        DayPrice(date: CivilDay(number: Self.day + number), price: price)
    }

    private func decode(_ text: String) throws -> PriceHistory {
        try PriceHistory(decoding: Array(text.utf8), currency: .usd)
    }

    @Test func anAnswerBecomesDays() throws {
        let history = try decode(
            """
            {"prices":[[1793491200000,100],[1793577600000,110.5],[1793620800123,121.55]],\
            "market_caps":[[1793491200000,null]],"total_volumes":"whatever"}
            """)
        #expect(history.days == [day(0, 100), day(1, 121.55)])
        #expect(history.latest.date.text == "2026-11-02")
        #expect(MoneyText.change(try #require(history.change)) == "+21.55 (+21.55%)")
    }

    @Test func daysAreInTheOrderOfTime() throws {
        let history = try decode(#"{"prices":[[1793577600000,3],[1793491200000,1],[1793491200001,2]]}"#)
        #expect(history.days == [day(0, 2), day(1, 3)])
    }

    @Test func thirtyDaysAreKept() throws {
        let history = try #require(
            PriceHistory(currency: .usd, prices: (0...40).map { day($0, Double($0) + 1) }))
        #expect(history.days.count == 30)
        #expect(history.days.first == day(11, 12))
        #expect(history.latest == day(40, 41))
        #expect(history.lowest == day(11, 12))
        #expect(history.highest == day(40, 41))
        #expect(history.price(on: day(20, 0).date) == day(20, 21))
        #expect(history.price(on: day(10, 0).date) == nil)
    }

    /// Days, prices, and the change of the last day from the day before.
    static let changes: [([Int], [Double], Double?)] = [
        ([0], [5], nil), ([0, 1], [5, 6], 1), ([0, 1], [6, 5], -1), ([0, 2], [5, 6], nil), ([0, 1, 1], [5, 6, 9], 4),
    ]

    @Test(arguments: changes) func theChangeIsFromTheDayBefore(days: [Int], prices: [Double], change: Double?) throws {
        let history = try #require(
            PriceHistory(currency: .usd, prices: zip(days, prices).map { day($0, $1) }))
        #expect(history.change?.amount == change)
    }

    static let unusable: [(String, String)] = [
        ("", "it is not JSON: line 1, column 1"), ("<html>", "it is not JSON: line 1, column 1"),
        (#"{"prices":[[1793491200000,100"#, "it is not JSON: line 1, column 30"),
        (#"{"prices":[[1793491200000,NaN]]}"#, "it is not JSON: line 1, column 27"),
        (#"{"prices":[[1793491200000,-Infinity]]}"#, "it is not JSON: line 1, column 28"),
        (#"{"prices":[[1793491200000,1e999]]}"#, "number out of range"),
        ("[]", "expected an object, found an array"), ("{}", "prices: is missing"),
        (#"{"error":"coin not found"}"#, "prices: is missing"),
        (#"{"prices":null}"#, "prices: expected an array, found null"),
        (#"{"prices":{}}"#, "prices: expected an array, found an object"), (#"{"prices":[]}"#, "no prices in it"),
        (#"{"prices":[5]}"#, "prices[0]: expected an array, found a number"),
        (#"{"prices":[[1793491200000]]}"#, "prices[0]: expected a time and a price, found 1 values"),
        (#"{"prices":[[1793491200000,1,2]]}"#, "found 3 values"),
        (#"{"prices":[[1793491200000,"1"]]}"#, "prices[0][1]: expected a number, found a string"),
        (#"{"prices":[[1793491200000,null]]}"#, "prices[0][1]: expected a number, found null"),
        (#"{"prices":[[1793491200000,1],[1793491200000,-1]]}"#, "prices[1][1]: expected a price above 0"),
        (#"{"prices":[[1793491200000,0]]}"#, "expected a price above 0"),
        (#"{"prices":[[1793491200000,1e300]]}"#, "expected a price above 0"),
        (#"{"prices":[[1793491200,1]]}"#, "prices[0][0]: expected milliseconds since 1970"),
        (#"{"prices":[[1e300,1]]}"#, "prices[0][0]: expected milliseconds since 1970"),
        (#"{"prices":[[-1,1]]}"#, "prices[0][0]: expected milliseconds since 1970"),
    ]

    @Test(arguments: unusable) func anAnswerOfAnotherFormIsRefusedWithTheReason(text: String, words: String) {
        let description = failure { try decode(text) }
        #expect(description.hasPrefix("the answer with the prices cannot be used: "))
        #expect(description.contains(words), "\(description)")
    }

    @Test func depthAndNumberOfPricesAreLimited() {
        let deep = #"{"prices":"# + String(repeating: "[", count: 500_000)
        let depth = failure { try decode(deep) }
        #expect(depth.contains("nested more than 16 levels deep"), "\(depth)")
        let points = [String](repeating: "[1793491200000,1]", count: 10_000).joined(separator: ",")
        #expect(throws: Never.self) { try decode("{\"prices\":[\(points)]}") }
        let number = failure { try decode("{\"prices\":[\(points),[1793491200000,1]]}") }
        #expect(number.contains("it has 10001 prices"), "\(number)")
    }

    @Test func aSavedHistoryIsReadBack() throws {
        let history = try #require(PriceHistory(currency: .usd, prices: [day(0, 100), day(2, 110.25)]))
        #expect(PriceHistory(history.defaultsValue) == history)
        // A price without decimals is an integer when it is read back.
        guard case .dictionary(var members) = history.defaultsValue else {
            Issue.record("it is not a dictionary")
            return
        }
        members["prices"] = .array([.int(100), .double(110.25)])
        #expect(PriceHistory(.dictionary(members)) == history)
    }

    static let damage: [(String, DefaultsValue)] = [
        ("currency", .string("1")), ("currency", .int(1)), ("days", .array([.int(1)])),
        ("days", .array([.int(2), .int(1)])), ("days", .array([.int(2), .int(2)])),
        ("days", .array([.int(1), .string("2")])), ("days", .array([.int(.min), .int(1)])),
        ("days", .array([.int(1), .int(.max)])), ("prices", .array([.double(1), .double(-1)])),
        ("prices", .array([.double(1), .string("x")])), ("prices", .array([])), ("prices", .string("")),
    ]

    @Test(arguments: damage) func aDamagedHistoryIsIgnored(key: String, value: DefaultsValue) {
        var members: [String: DefaultsValue] = [
            "currency": .string("usd"), "days": .array([.int(1), .int(2)]),
            "prices": .array([.double(1), .double(2)]),
        ]
        #expect(PriceHistory(.dictionary(members)) != nil)
        members[key] = value
        #expect(PriceHistory(.dictionary(members)) == nil)
        members[key] = nil
        #expect(PriceHistory(.dictionary(members)) == nil)
    }

    @Test func withoutASavedHistoryThereIsNone() {
        #expect(PriceHistory(nil) == nil)
        #expect(PriceHistory(.string("usd")) == nil)
    }
}

/// Returns the text of the `PriceError` that `work` throws; empty if it throws nothing.
func failure<Value>(of work: () throws -> Value) -> String {
    do {
        _ = try work()
        return ""
    } catch {
        return error is PriceError ? "\(error)" : "another error: \(error)"
    }
}
