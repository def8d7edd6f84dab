// SPDX-License-Identifier: MIT
import Platform
import Spelling

extension JSONParser {
    /// Reads the string whose opening quote is at the position.
    mutating func string() throws(JSONSyntaxError) -> String {
        position += 1
        let start = position
        var isASCII = skipPlainCharacters()
        if next == UInt8(ascii: "\"") {
            defer { position += 1 }
            return try text(start..<position, isASCII: isASCII)
        }

        var unescaped: [UInt8] = []
        var plainStart = start
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                // Each run is checked alone, because an escape cannot complete a cut-off sequence.
                append(try validated(plainStart..<position, isASCII: isASCII), to: &unescaped)
                position += 1
                return try withFewMarks(String(decoding: unescaped, as: UTF8.self), from: start)
            case UInt8(ascii: "\\"):
                append(try validated(plainStart..<position, isASCII: isASCII), to: &unescaped)
                append(try escape(), to: &unescaped)
                plainStart = position
                isASCII = true
            case _ where isLenient: position += 1
            default:
                throw failure("control characters in a string must be escaped, found \(Self.named(byte))")
            }
            isASCII = skipPlainCharacters() && isASCII
        }
        // A string of a lenient document may go on in further lines.
        let end = isLenient ? start - 1 : position
        throw failure("expected '\"' at the end of the string, found the end", at: end)
    }

    /// Moves to the next quote, backslash or control character; false when a byte before it is not ASCII.
    private mutating func skipPlainCharacters() -> Bool {
        var seen: UInt8 = 0
        while true {
            while position + 8 <= input.count {
                let word = input.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                guard isPlainASCII(word) else { break }
                position += 8
            }
            // At most eight bytes one by one, then eight at once again, so that text with few bytes beyond ASCII stays
            // fast.
            let end = Swift.min(position + 8, input.count)
            while position < end {
                let byte = input[position]
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { return seen < 0x80 }
                seen |= byte
                position += 1
            }
            if position == input.count { return seen < 0x80 }
        }
    }

    /// Whether none of eight bytes is a quote, a backslash, a control character or beyond ASCII, tested all at once.
    ///
    /// `(x - 0x01…) & ~x & 0x80…` is not zero exactly when a byte of x is zero; the borrow that may mark a wrong byte
    /// starts only at a right one, so the answer for all eight is exact.
    private func isPlainASCII(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let high: UInt64 = 0x8080_8080_8080_8080
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        let special =
            ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | ((word &- (ones &* 0x20)) & ~word) | word
        return special & high == 0
    }

    private func text(_ range: Range<Int>, isASCII: Bool) throws(JSONSyntaxError) -> String {
        let text = String(decoding: try validated(range, isASCII: isASCII), as: UTF8.self)
        return isASCII ? text : try withFewMarks(text, from: range.lowerBound)
    }

    /// Refuses strings whose comparison would take quadratic time. RFC 8259, section 9, allows limits on the contents
    /// of strings.
    private func withFewMarks(_ text: String, from start: Int) throws(JSONSyntaxError) -> String {
        guard text.hasTooManyMarks else { return text }
        throw failure("a string with more than \(CombiningMarks.most) combining marks on one letter", at: start)
    }

    private func validated(_ range: Range<Int>, isASCII: Bool) throws(JSONSyntaxError) -> UnsafeRawBufferPointer {
        let bytes = UnsafeRawBufferPointer(rebasing: input[range])
        if isASCII { return bytes }
        if let invalid = InvalidUTF8.firstOffset(in: bytes) {
            let offset = range.lowerBound + invalid
            throw failure("invalid UTF-8, found \(Self.named(input[offset]))", at: offset)
        }
        return bytes
    }

    private func append(_ bytes: UnsafeRawBufferPointer, to unescaped: inout [UInt8]) {
        unescaped.append(contentsOf: bytes)
    }

    private func append(_ scalar: Unicode.Scalar, to unescaped: inout [UInt8]) {
        unescaped.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
}

extension JSONParser {
    /// Reads the escape whose backslash is at the position.
    private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
        let start = position
        position += 1
        guard let letter = next else { throw failure("expected an escape, found the end") }
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape(from: start)
        case UInt8(ascii: "x") where isLenient: return Unicode.Scalar(UInt8(try hexadecimalDigits(2)))
        default: throw failure("unknown escape; only \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX exist", at: start)
        }
    }

    /// Reads the four digits after `\u`, and the second half of a surrogate pair. A half alone is not a character.
    private mutating func unicodeEscape(from start: Int) throws(JSONSyntaxError) -> Unicode.Scalar {
        let first = try hexadecimalDigits(4)
        if let scalar = Unicode.Scalar(first) { return scalar }
        if UTF16.isLeadSurrogate(first), consume(UInt8(ascii: "\\")), consume(UInt8(ascii: "u")) {
            let second = try hexadecimalDigits(4)
            if UTF16.isTrailSurrogate(second) {
                return UTF16.decode(UTF16.EncodedScalar([first, second]))
            }
        }
        throw failure("half of a surrogate pair without its other half", at: start)
    }

    private mutating func hexadecimalDigits(_ count: Int) throws(JSONSyntaxError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<count {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw unexpected("\(count == 4 ? "four" : "two") hexadecimal digits")
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }
}

extension JSONParser {
    /// Reads the number that begins at the position.
    ///
    /// Whole numbers never pass through a double. Those beyond 64 bits, and all with a fraction or an exponent, become
    /// the nearest double; one beyond the range of doubles is an error, since infinity could not be written again.
    mutating func number() throws(JSONSyntaxError) -> JSON {
        let start = position
        let isNegative = consume(UInt8(ascii: "-"))
        let digitsStart = position
        let whole = try wholeNumber(isNegative: isNegative)

        var isWhole = true
        if consume(UInt8(ascii: ".")) {
            try digits()
            isWhole = false
        }
        if let byte = next, byte | 0x20 == UInt8(ascii: "e") {
            position += 1
            if !consume(UInt8(ascii: "-")) { _ = consume(UInt8(ascii: "+")) }
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
        if consume(UInt8(ascii: "0")) {
            if let byte = next, isDigit(byte) { throw failure("a number cannot begin with 0", at: position - 1) }
            return 0
        }
        guard let byte = next, isDigit(byte) else { throw unexpected("a digit") }
        // It counts downwards, because the most negative number has no positive counterpart.
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
