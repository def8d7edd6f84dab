// SPDX-License-Identifier: MIT
import Spelling

/// The rule of what a widget's text may contain, in one place: everything that could move a cursor, recolour a
/// terminal, reverse a line or hide in it is refused before it is ever stored.
///
/// The marks that only say in which direction a neutral character belongs (U+200E, U+200F, U+061C) are allowed: Arabic
/// and Hebrew texts with numbers in them need them, and they turn nothing around that is not theirs.
package enum PlainText {
    /// What is wrong with `text`, in words, or nil. Line feeds and tabs are fine where several lines are.
    package static func complaint(about text: some StringProtocol, allowingLines: Bool) -> String? {
        var marks = CombiningMarks()
        var previous: Unicode.Scalar = " "
        var tags = 0
        for scalar in text.unicodeScalars {
            if marks.exceed(with: scalar) {
                return "has more than \(CombiningMarks.most) combining marks on one letter"
            }
            tags = (0xe0000...0xe007f).contains(scalar.value) ? tags + 1 : 0
            if tags > longestFlag { return "contains invisible characters" }
            if scalar.value == 0x0a || scalar.value == 0x09 {
                if !allowingLines { return "is more than one line" }
            } else if let what = complaint(about: scalar, after: previous) {
                return "contains \(what)"
            }
            previous = scalar
        }
        return nil
    }

    /// Letters of a region and the end, as in gbeng: Unicode Technical Standard 51.
    private static let longestFlag = 7

    private static func complaint(about scalar: Unicode.Scalar, after previous: Unicode.Scalar) -> String? {
        var name: String { "U+\(hexadecimal(scalar.value))" }
        switch scalar.value {
        case 0x1b: return "a terminal escape sequence"
        case 0x00...0x1f, 0x7f...0x9f: return "the control character \(name)"
        case 0x202a...0x202e, 0x2066...0x2069: return "the text direction override \(name)"
        case 0x2028, 0x2029: return "the line separator \(name)"
        case 0xfeff, 0xfff9...0xfffb: return "the invisible character \(name)"
        // The flags of England, Scotland and Wales are a black flag with such letters after it.
        case 0xe0000...0xe007f where previous.value == 0x1f3f4 || (0xe0000...0xe007f).contains(previous.value):
            return nil
        case 0xe0000...0xe007f: return "the invisible character \(name)"
        default: return nil
        }
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

/// What one kind of text may be: how long, of how many lines, and of which characters. Manifests, content and calls are
/// held to it alike, with the same reason.
package struct TextRule: Sendable {
    package let mostBytes: Int
    package let allowsLines: Bool

    package init(mostBytes: Int, allowsLines: Bool = false) {
        self.mostBytes = mostBytes
        self.allowsLines = allowsLines
    }

    /// Why a text breaks the rule, in words that go on with its name: "is more than one line". Nil where it does not.
    package func complaint(about text: some StringProtocol) -> String? {
        // Counted first: only what is short enough is worth looking at.
        if text.utf8.count > mostBytes { return "is longer than \(mostBytes) bytes" }
        return PlainText.complaint(about: text, allowingLines: allowsLines)
    }
}

/// Texts that cannot be refused, because they tell what went wrong: they are made harmless instead.
extension PlainText {
    /// One line, and no longer than so many bytes and an ellipsis.
    package static func line(_ text: String, upTo bytes: Int = .max) -> String {
        // Cut first: only what is kept is worth looking at.
        let short = text.shortened(to: bytes)
        if complaint(about: short, allowingLines: false) == nil { return short }
        return String(harmless(short).map { $0.isNewline || $0 == "\t" ? " " : $0 })
    }

    private enum Place { case text, escape, control, string }

    /// Drops escape sequences as a whole (ECMA-48: CSI up to its final byte, OSC and its like up to BEL or ST), and
    /// everything else that `complaint` would name.
    package static func harmless(_ text: String) -> String {
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
                if isLineEnd || complaint(about: String(scalar), allowingLines: true) == nil {
                    kept.append(scalar)
                }
            }
        }
        return String(kept)
    }
}
