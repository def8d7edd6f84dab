// SPDX-License-Identifier: MIT
import CryptoCurrencyKit
import Testing

@Suite struct MoneyTextTests {
    static let amounts: [(Double, String)] = [
        (0, "0.00"), (0.01, "0.0100"), (0.00999999, "0.00999999"), (0.00000123, "0.00000123"), (0.5, "0.5000"),
        (0.99994, "0.9999"), (1, "1.00"), (9.999, "10.00"),
        (12.345678, "12.35"), (999.99, "999.99"), (999.999, "1,000.00"), (1_000, "1,000.00"), (67_234.506, "67,234.51"),
        (99_999.99, "99,999.99"), (99_999.994, "99,999.99"), (99_999.996, "100,000"), (100_000, "100,000"),
        (123_456.5, "123,457"), (9_876_543_210, "9,876,543,210"), (1e12, "1,000,000,000,000"), (-12.3, "-12.30"),
        (-1_234_567.8, "-1,234,568"), (-0.001, "-0.00100000"), (.infinity, "-"), (.nan, "-"), (1e300, "-"),
    ]

    @Test(arguments: amounts) func anAmountHasDecimalsByItsSize(value: Double, text: String) {
        #expect(MoneyText.amount(value) == text)
    }

    static let changes: [(Double, Double, String)] = [
        (100, 105, "+5.00 (+5.00%)"), (100, 95, "-5.00 (-5.00%)"), (100, 100, "0.00 (0.00%)"),
        (66_000.01, 67_234.51, "+1,234.50 (+1.87%)"), (100_000, 100_000.001, "+0.00100000 (0.00%)"),
        (100_000, 99_999.999, "-0.00100000 (0.00%)"), (0.01, 1_000, "+999.99 (+9,999,900.00%)"),
    ]

    @Test(arguments: changes) func aChangeHasItsSign(old: Double, new: Double, text: String) {
        #expect(MoneyText.change(PriceChange(from: old, to: new)) == text)
    }

    @Test func onlyTheDollarHasASign() throws {
        #expect(MoneyText.price(67_234.51, in: .usd) == "$67,234.51")
        let euro = try #require(Currency("eUr"))
        #expect(MoneyText.price(101_234.6, in: euro) == "101,235 EUR")
    }

    static let codes: [(String, String?)] = [
        ("usd", "usd"), ("USD", "usd"), ("chf", "chf"), ("sats", "sats"), ("abcde", "abcde"), ("", nil), ("us", nil),
        ("abcdef", nil), ("us1", nil), ("u-d", nil), ("us&", nil), ("été", nil), ("usd ", nil), ("{|}", nil),
        ("@AB", nil), ("`ab", nil),
    ]

    @Test(arguments: codes) func aCurrencyIsThreeToFiveLetters(text: String, code: String?) {
        #expect(Currency(text)?.code == code)
    }
}
