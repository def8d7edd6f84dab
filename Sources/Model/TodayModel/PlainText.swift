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
            } else if let what = objection(to: scalar, after: previous) {
                return "contains \(what)"
            }
            previous = scalar
        }
        return nil
    }

    /// Letters of a region and the end, as in gbeng: Unicode Technical Standard 51.
    private static let longestFlag = 7

    private static func objection(to scalar: Unicode.Scalar, after previous: Unicode.Scalar) -> String? {
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
