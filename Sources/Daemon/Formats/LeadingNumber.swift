// SPDX-License-Identifier: MIT
import JSON
import Spelling
import TodayModel

/// A decimal number at the start of a text, and what follows it: `-1,5e3` and `ms`. In some locales, programs print a comma as
/// the decimal mark.
struct LeadingNumber: Equatable {
    let value: Double
    let rest: String

    private static let mostBytes = 64

    /// Nil if the text does not begin with a number, or with one that is too long or too large.
    init?(_ text: String) {
        var scanner = Scanner(rest: Array(text.utf8)[...])
        scanner.sign()
        guard scanner.mantissa() else { return nil }
        scanner.exponent()
        guard scanner.number.utf8.count <= Self.mostBytes else { return nil }
        // Nil is what some versions of the standard library return for a number too small to tell from zero.
        let value = Double(scanner.number) ?? 0
        guard value.isFinite else { return nil }
        self.value = value
        rest = scanner.rest.text
    }

    /// The number if the whole text is one.
    static func only(_ text: String) -> Double? {
        guard let number = LeadingNumber(text), number.rest.isEmpty else { return nil }
        return number.value
    }

    /// `62` or `62 %`.
    static func percent(_ text: String) -> Double? {
        guard let number = LeadingNumber(text) else { return nil }
        let rest = Array(number.rest.utf8)[...].trimmed
        return rest.isEmpty || rest.elementsEqual("%".utf8) ? number.value : nil
    }

    private struct Scanner {
        var rest: ArraySlice<UInt8>
        var number = ""

        mutating func sign() {
            guard let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") else { return }
            if first == UInt8(ascii: "-") { number = "-" }
            rest = rest.dropFirst()
        }

        /// Digits, perhaps a mark with digits after it.
        mutating func mantissa() -> Bool {
            let whole = digits()
            number += whole.isEmpty ? "0" : whole.text
            guard let mark = rest.first, mark == UInt8(ascii: ".") || mark == UInt8(ascii: ",") else {
                return !whole.isEmpty
            }
            let before = rest
            rest = rest.dropFirst()
            let fraction = digits()
            if fraction.isEmpty { rest = before } else { number += "." + fraction.text }
            return !whole.isEmpty || !fraction.isEmpty
        }

        mutating func exponent() {
            guard let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") else { return }
            let before = (rest, number)
            rest = rest.dropFirst()
            number += "e"
            if rest.first == UInt8(ascii: "-") { number += "-" }
            if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest = rest.dropFirst() }
            let digits = digits()
            if digits.isEmpty { (rest, number) = before } else { number += digits.text }
        }

        private mutating func digits() -> ArraySlice<UInt8> {
            let digits = rest.prefix(while: \.isDigit)
            rest = rest.dropFirst(digits.count)
            return digits
        }
    }
}

extension ReadContent {
    /// Reads a percentage that is text, with a note on what is none.
    ///
    /// - Returns: the number as it is written.
    @discardableResult mutating func setPercentage(_ text: String, at place: String) -> Double? {
        guard !text.isEmpty else { return nil }
        guard let number = LeadingNumber.percent(text) else {
            note("\(place): \(JSONField.quoted(text)) is not a number")
            return nil
        }
        content.percentage = min(max(number, 0), 100)
        if content.percentage != number { note("\(place): \(text) is not within 0 to 100") }
        return number
    }
}
