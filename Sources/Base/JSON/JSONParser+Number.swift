// SPDX-License-Identifier: MIT

extension JSONParser {
    /// Reads the number that begins at the position.
    ///
    /// Whole numbers never pass through a double. Those beyond 64 bits, and all with a fraction or an exponent, become
    /// the nearest double; one beyond the range of doubles is an error, since infinity could not be written again.
    mutating func number() throws(JSONSyntaxError) -> JSON {
        let start = position
        let isNegative = take(UInt8(ascii: "-"))
        let digitsStart = position
        let whole = try wholeNumber(isNegative: isNegative)

        var isWhole = true
        if take(UInt8(ascii: ".")) {
            try digits()
            isWhole = false
        }
        if let byte = next, byte | 0x20 == UInt8(ascii: "e") {
            position += 1
            if !take(UInt8(ascii: "-")) { _ = take(UInt8(ascii: "+")) }
            try digits()
            isWhole = false
        }
        if isWhole {
            if let whole { return .int(whole) }
            if position == digitsStart { throw unexpected("a digit") }
        }
        let text = String(decoding: UnsafeRawBufferPointer(rebasing: input[start..<position]), as: UTF8.self)
        // Not strtod(3), which takes the decimal point from the locale. Nil is what some versions of the standard
        // library return for a number too small to tell from zero.
        let value = Double(text) ?? (isNegative ? -0.0 : 0.0)
        guard value.isFinite else { throw failure("number out of range", at: start) }
        return .double(value)
    }

    /// Reads the digits before the point; nil when they do not fit into 64 bits.
    private mutating func wholeNumber(isNegative: Bool) throws(JSONSyntaxError) -> Int64? {
        if take(UInt8(ascii: "0")) {
            if let byte = next, isDigit(byte) { throw failure("a number cannot begin with 0", at: position - 1) }
            return 0
        }
        guard let byte = next, isDigit(byte) else { throw unexpected("a digit") }
        // Counted downwards: the most negative number has no positive counterpart.
        var negated: Int64 = 0
        var fits = true
        while let byte = next, isDigit(byte) {
            position += 1
            guard fits else { continue }
            let (tens, overflow) = negated.multipliedReportingOverflow(by: 10)
            let (sum, underflow) = tens.subtractingReportingOverflow(Int64(byte & 0x0F))
            fits = !overflow && !underflow
            negated = sum
        }
        if isNegative { return fits ? negated : nil }
        return fits && negated != .min ? -negated : nil
    }

    private mutating func digits() throws(JSONSyntaxError) {
        guard let byte = next, isDigit(byte) else { throw unexpected("a digit") }
        while let byte = next, isDigit(byte) { position += 1 }
    }

    func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
}
