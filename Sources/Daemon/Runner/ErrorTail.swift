// SPDX-License-Identifier: MIT
import TodayModel

/// The end of what a program printed to standard error, for people to read: whatever it was, it is harmless text.
struct ErrorTail: Sendable {
    private static let limit = RunRecord.errorOutputBytes

    private var bytes: [UInt8] = []
    private var isCut = false

    /// Keeps the last bytes; twice as many for a while, so that few are moved.
    mutating func append(_ more: ArraySlice<UInt8>) {
        bytes += more.suffix(2 * Self.limit)
        isCut = isCut || more.count > 2 * Self.limit
        if bytes.count > 2 * Self.limit {
            bytes.removeFirst(bytes.count - Self.limit)
            isCut = true
        }
    }

    /// Adds a line, on a line of its own.
    mutating func append(line: String) {
        if let last = bytes.last, last != UInt8(ascii: "\n") { append([UInt8(ascii: "\n")]) }
        append(Array((line + "\n").utf8)[...])
    }

    /// UTF-8 with what is none repaired, without terminal sequences and control characters, and beginning with a whole
    /// line unless there is but one.
    var text: String {
        var tail = bytes.suffix(Self.limit)
        if isCut || tail.count < bytes.count {
            if let end = tail.dropLast().firstIndex(of: UInt8(ascii: "\n")) { tail = tail[(end + 1)...] }
            tail = tail.drop { $0 & 0xc0 == 0x80 }
        }
        var text = PlainText.harmless(String(decoding: tail, as: UTF8.self))
        while text.unicodeScalars.last == "\n" { text.unicodeScalars.removeLast() }
        return text
    }
}
