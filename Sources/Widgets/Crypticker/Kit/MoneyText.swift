// SPDX-License-Identifier: MIT

/// Amounts of money and their changes as text, the same in every locale: `$67,234.51`, `101,235 EUR`, `-1.27%`.
package enum MoneyText {
    /// A price with its currency. Only the dollar has a sign; the others have their codes, which every terminal can show.
    package static func price(_ value: Double, in currency: Currency) -> String {
        let amount = amount(value)
        return currency == .usd ? "$\(amount)" : "\(amount) \(currency.name)"
    }

    /// Two decimals below a hundred thousand, none above, and more below one, where two would show little of the value.
    package static func amount(_ value: Double) -> String {
        let size = abs(value)
        if size < 0.01 { return decimal(value, digits: size == 0 ? 2 : 8) }
        if size < 1 { return decimal(value, digits: 4) }
        // Two decimals would round any larger value up to a hundred thousand.
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
        // A change that is rounded to zero has no sign.
        let isZero = text.utf8.allSatisfy { !(UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
        return text.hasPrefix("-") || isZero ? text : "+\(text)"
    }

    /// Rounded to `digits` decimals, with commas between thousands. A dash if the value is not finite or too large.
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

/// The currency of prices: a code of three to five letters, such as `usd`. Only the API knows which codes it supports.
package struct Currency: Hashable, Sendable {
    /// In lower case, as the URL needs it.
    package let code: String

    package static let usd = Currency(known: "usd")

    private init(known code: String) { self.code = code }

    /// Nil if the text is not a code. Allows ASCII letters only, because the code becomes a part of a URL.
    package init?(_ text: String) {
        let bytes = text.utf8.map { $0 | 0x20 }
        guard (3...5).contains(bytes.count), text.utf8.allSatisfy({ $0 < 0x80 }),
            bytes.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
        else { return nil }
        code = String(decoding: bytes, as: UTF8.self)
    }

    /// The code as people read it: `USD`.
    package var name: String { code.uppercased() }
}
