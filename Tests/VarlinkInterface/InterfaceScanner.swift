// SPDX-License-Identifier: MIT
import JSON

/// The words and signs of an interface description, one after the other, and the comments between them.
struct InterfaceScanner {
    private let bytes: [UInt8]
    /// The index of the next word or sign.
    private(set) var position = 0
    /// The lines of the comment directly above the position.
    private var comment: [String] = []

    init(_ text: String) {
        bytes = Array(text.utf8)
        skipSpace(atLineStart: true)
    }

    var isAtEnd: Bool { position == bytes.count }

    /// The comment that ends on the line above, without `#`; empty when there is none.
    var documentation: String { comment.joined(separator: "\n") }

    func peek(_ sign: String) -> Bool { bytes[position...].starts(with: sign.utf8) }

    /// Takes a sign such as `(` or `->`, if it comes next.
    mutating func take(_ sign: String) -> Bool {
        guard peek(sign) else { return false }
        position += sign.utf8.count
        skipSpace(atLineStart: false)
        return true
    }

    mutating func expect(_ sign: String) throws(InterfaceSyntaxError) {
        guard take(sign) else { throw unexpected("'\(sign)'") }
    }

    /// Takes a word of letters, digits and underscores.
    ///
    /// - Parameters:
    ///   - what: the name in the error when there is none, such as "a field's name".
    ///   - isDotted: whether the word may have dots and hyphens, as in an interface's name.
    mutating func word(_ what: String, isDotted: Bool = false) throws(InterfaceSyntaxError) -> String {
        let end = wordEnd(isDotted: isDotted)
        guard end > position else { throw unexpected(what) }
        let word = String(decoding: bytes[position..<end], as: UTF8.self)
        position = end
        skipSpace(atLineStart: false)
        return word
    }

    func failure(_ reason: String, at offset: Int? = nil) -> InterfaceSyntaxError {
        let place = bytes.withUnsafeBytes { TextPosition(of: offset ?? position, in: $0) }
        return InterfaceSyntaxError(line: place.line, column: place.column, reason: reason)
    }

    func unexpected(_ expected: String) -> InterfaceSyntaxError {
        failure("expected \(expected), found \(found)")
    }

    private var found: String {
        guard !isAtEnd else { return "the end" }
        let end = max(wordEnd(isDotted: false), position + 1)
        return JSONField.quoted(String(decoding: bytes[position..<end], as: UTF8.self))
    }

    private func wordEnd(isDotted: Bool) -> Int {
        bytes[position...].firstIndex { byte in
            let isLetter = byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
            let isDigit = byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
            let isMark = isDotted && (byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-"))
            return !isLetter && !isDigit && !isMark && byte != UInt8(ascii: "_")
        } ?? bytes.count
    }

    /// Skips white space and comments, and keeps the comment of the next member: whole lines directly above it. A comment
    /// at the end of a line belongs to no member.
    private mutating func skipSpace(atLineStart: Bool) {
        var lineIsEmpty = atLineStart
        comment = []
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\n"):
                if lineIsEmpty { comment = [] }
                lineIsEmpty = true
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
                break
            case UInt8(ascii: "#"):
                let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
                if lineIsEmpty { comment.append(commentText(position + 1..<end)) }
                lineIsEmpty = false
                position = end
                continue
            default:
                return
            }
            position += 1
        }
    }

    private func commentText(_ range: Range<Int>) -> String {
        var line = bytes[range]
        if line.first == UInt8(ascii: " ") { line.removeFirst() }
        while let last = line.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\r") { line.removeLast() }
        return String(decoding: line, as: UTF8.self)
    }
}
