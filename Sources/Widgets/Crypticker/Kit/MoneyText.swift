// SPDX-License-Identifier: MIT

/// Amounts of money and their changes as text, the same in every locale: `$67,234.51`, `101,235 EUR`, `-1.27%`.
package enum MoneyText {
    /// A price with its currency. Only the dollar has a sign: the codes of all the others can be shown everywhere.
    package static func price(_ value: Double, in currency: Currency) -> String {
        let amount = amount(value)
        return currency == .usd ? "$\(amount)" : "\(amount) \(currency.name)"
    }

    /// Two decimals up to a hundred thousand and none from there on; more below one, where two would say nothing.
    package static func amount(_ value: Double) -> String {
        let size = abs(value)
        if size < 0.01 { return decimal(value, digits: size == 0 ? 2 : 8) }
        if size < 1 { return decimal(value, digits: 4) }
        // What two decimals would round up to a hundred thousand has none either.
        return decimal(value, digits: size < 99_999.995 ? 2 : 0)
    }

    /// `+1,234.50 (+1.87%)`.
    package static func change(_ change: PriceChange) -> String {
        "\(signed(amount(change.amount))) (\(percentage(change)))"
    }

    /// `+1.87%`.
    package static func percentage(_ change: PriceChange) -> String {
        "\(signed(decimal(change.fraction * 100, digits: 2)))%"
    }

    private static func signed(_ text: String) -> String {
        // What is rounded to nothing goes neither up nor down.
        let isZero = text.utf8.allSatisfy { !(UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
        return text.hasPrefix("-") || isZero ? text : "+\(text)"
    }

    /// Rounded to so many digits behind the point, with commas between thousands. What has no digits is a dash.
    static func decimal(_ value: Double, digits: Int) -> String {
        var factor = 1
        for _ in 0..<digits { factor *= 10 }
        let rounded = (abs(value) * Double(factor)).rounded()
        guard rounded.isFinite, let scaled = Int(exactly: rounded) else { return "-" }
        var text = grouped(scaled / factor)
        if digits > 0 { text += ".\("\(factor + scaled % factor)".dropFirst())" }
        return value < 0 && scaled != 0 ? "-\(text)" : text
    }

    private static func grouped(_ value: Int) -> String {
        let digits = Array("\(value)".utf8)
        var bytes: [UInt8] = []
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(digit)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
