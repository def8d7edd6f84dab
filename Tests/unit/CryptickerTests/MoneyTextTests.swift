// SPDX-License-Identifier: MIT
import CryptoCurrencyKit
import Testing

@Suite struct MoneyTextTests {
    static let prices: [(Double, String)] = [
        (0, "$0.00"), (0.5, "$0.50"), (9.999, "$10.00"), (999.99, "$999.99"), (999.999, "$1,000.00"),
        (67_234.506, "$67,234.51"), (99_999.994, "$99,999.99"), (99_999.996, "$100,000"), (123_456.5, "$123,457"),
        (1e12, "$1,000,000,000,000"), (.infinity, "$-"), (.nan, "$-"), (1e300, "$-"),
    ]

    @Test(arguments: prices) func aPriceHasDecimalsByItsSize(value: Double, text: String) {
        #expect(MoneyText.price(value, in: "usd") == text)
    }

    @Test func otherCurrenciesHaveTheirCodes() {
        #expect(MoneyText.price(101_234.6, in: "eur") == "101,235 EUR")
    }

    static let changes: [(Double, Double, String)] = [
        (5, 5, "+5.00 (+5.00%)"), (-5, -5, "-5.00 (-5.00%)"), (0, 0, "0.00 (0.00%)"),
        (1_234.5, 1.8704, "+1,234.50 (+1.87%)"), (0.001, 0.000001, "0.00 (0.00%)"), (-0.001, -0.000001, "0.00 (0.00%)"),
    ]

    @Test(arguments: changes) func aChangeHasItsSign(amount: Double, percent: Double, text: String) {
        #expect(MoneyText.change((amount, percent)) == text)
    }

    static let codes: [(String, String?)] = [
        ("usd", "usd"), ("USD", "usd"), ("sats", "sats"), ("abcde", "abcde"), ("", nil), ("us", nil), ("abcdef", nil),
        ("us1", nil), ("us&", nil), ("été", nil), ("usd ", nil),
    ]

    @Test(arguments: codes) func aCurrencyIsThreeToFiveLetters(text: String, code: String?) async {
        #expect(await CurrencyDataViewController.currency(text) == code)
    }
}
