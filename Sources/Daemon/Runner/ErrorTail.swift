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

    /// UTF-8 with what is none repaired, without terminal sequences and control characters, and beginning with a whole
    /// line unless there is but one.
    var text: String {
        var tail = bytes.suffix(Self.limit)
        if isCut || tail.count < bytes.count {
            if let end = tail.dropLast().firstIndex(of: UInt8(ascii: "\n")) { tail = tail[(end + 1)...] }
            tail = tail.drop { $0 & 0xc0 == 0x80 }
        }
        var text = Self.harmless(String(decoding: tail, as: UTF8.self))
        while text.unicodeScalars.last == "\n" { text.unicodeScalars.removeLast() }
        return text
    }

    private enum Place { case text, escape, control, string }

    /// Drops escape sequences as a whole (ECMA-48: CSI up to its final byte, OSC and its like up to BEL or ST), and
    /// everything else that PlainText would refuse.
    private static func harmless(_ text: String) -> String {
        var kept = String.UnicodeScalarView()
        var place = Place.text
        for scalar in text.unicodeScalars {
            switch (place, scalar.value) {
            case (_, 0x1b): place = .escape
            case (.escape, 0x5b): place = .control
            case (.escape, 0x5d), (.escape, 0x50), (.escape, 0x58), (.escape, 0x5e), (.escape, 0x5f): place = .string
            case (.escape, 0x20...0x2f): continue
            case (.escape, 0x30...0x7e): place = .text
            case (.control, 0x20...0x3f): continue
            case (.control, 0x40...0x7e): place = .text
            case (.string, 0x07), (.string, 0x9c): place = .text
            // A string that is never ended must not swallow all the rest.
            case (.string, let value) where value != 0x0a: continue
            default:
                place = .text
                let isLineEnd = scalar == "\n" || scalar == "\t"
                if isLineEnd || PlainText.complaint(about: String(scalar), allowingLines: true) == nil {
                    kept.append(scalar)
                }
            }
        }
        return String(kept)
    }
}
