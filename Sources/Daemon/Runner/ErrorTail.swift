// SPDX-License-Identifier: MIT
import TodayModel

/// The last part of what a program printed to standard error, as text that is safe to print on a terminal.
struct ErrorTail: Sendable {
    private static let limit = RunRecord.errorOutputBytes

    private(set) var bytes: [UInt8] = []
    private var isCut = false
    /// The reason of a crashed program of Swift, which stands in front of its trace; nil while none was cut off.
    private var crashReason: String?

    /// Keeps the last bytes. Twice the limit is kept before older bytes are removed, so that few bytes are moved.
    mutating func append(_ more: ArraySlice<UInt8>) {
        bytes += more.suffix(2 * Self.limit)
        isCut = isCut || more.count > 2 * Self.limit
        if bytes.count > 2 * Self.limit {
            crashReason = SwiftCrash.reason(in: String(decoding: bytes, as: UTF8.self)) ?? crashReason
            bytes.removeFirst(bytes.count - Self.limit)
            isCut = true
        }
    }

    /// Adds a whole line, after a line end if one is missing.
    mutating func append(line: String) {
        if let last = bytes.last, last != UInt8(ascii: "\n") { append([UInt8(ascii: "\n")]) }
        append(Array((line + "\n").utf8)[...])
    }

    /// The tail as UTF-8, with invalid bytes replaced, and without terminal sequences and control characters. It begins
    /// with a whole line if it has more than one.
    var text: String {
        var tail = bytes.suffix(Self.limit)
        if isCut || tail.count < bytes.count {
            if let end = tail.dropLast().firstIndex(of: UInt8(ascii: "\n")) { tail = tail[(end + 1)...] }
            tail = tail.drop { $0 & 0xc0 == 0x80 }
        }
        var text = PlainText.harmless(String(decoding: tail, as: UTF8.self))
        while text.unicodeScalars.last == "\n" { text.unicodeScalars.removeLast() }
        let cut = tail.count < bytes.count ? SwiftCrash.reason(in: String(decoding: bytes, as: UTF8.self)) : nil
        guard let reason = cut ?? crashReason, SwiftCrash.reason(in: text) == nil else { return text }
        return "\(PlainText.line(reason, upTo: 500))\n…\n\(text)"
    }
}
