// SPDX-License-Identifier: MIT

/// Amounts of money and their changes as text, the same in every locale: `$67,234.51`, `101,235 EUR`, `-1.27%`.
package enum MoneyText {
    /// Only the dollar has a sign; the other currencies have their codes, which every terminal can show.
    package static func price(_ value: Double, in currency: String) -> String {
        currency == "usd" ? "$\(amount(value))" : "\(amount(value)) \(currency.uppercased())"
    }

    /// `+1,234.50 (+1.87%)`.
    package static func change(_ change: (amount: Double, percent: Double)) -> String {
        "\(signed(amount(change.amount))) (\(percentage(change.percent)))"
    }

    /// `+1.87%`.
    package static func percentage(_ percent: Double) -> String { "\(signed(decimal(percent, digits: 2)))%" }

    /// Two decimals below a hundred thousand, and none above.
    private static func amount(_ value: Double) -> String { decimal(value, digits: abs(value) < 99_999.995 ? 2 : 0) }

    private static func signed(_ text: String) -> String {
        // A change that rounds to zero has no sign.
        text.hasPrefix("-") || text.allSatisfy({ "0.,".contains($0) }) ? text : "+\(text)"
    }

    /// Rounded, with commas between thousands.
    private static func decimal(_ value: Double, digits: Int) -> String {
        let factor = digits == 2 ? 100 : 1
        guard let scaled = Int(exactly: (abs(value) * Double(factor)).rounded()) else { return "-" }
        var whole = ""
        for (index, digit) in "\(scaled / factor)".reversed().enumerated() {
            if index > 0, index % 3 == 0 { whole.append(",") }
            whole.append(digit)
        }
        let fraction = digits > 0 ? ".\("\(factor + scaled % factor)".dropFirst())" : ""
        return (value < 0 && scaled != 0 ? "-" : "") + String(whole.reversed()) + fraction
    }
}
