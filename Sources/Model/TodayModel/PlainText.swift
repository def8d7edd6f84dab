// SPDX-License-Identifier: MIT

/// The rule of what a widget's text may contain, in one place: everything that could move a cursor, recolour a
/// terminal or reverse a line is refused before it is ever stored.
package enum PlainText {
    /// What is wrong with `text`, in words, or nil. Line feeds and tabs are fine where several lines are.
    package static func complaint(about text: some StringProtocol, allowingLines: Bool) -> String? {
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0a, 0x09:
                if !allowingLines { return "is more than one line" }
            case 0x1b:
                return "contains a terminal escape sequence"
            case 0x00...0x1f, 0x7f...0x9f:
                return "contains the control character U+\(hexadecimal(scalar.value))"
            case 0x202a...0x202e, 0x2066...0x2069:
                return "contains the text direction override U+\(hexadecimal(scalar.value))"
            default:
                continue
            }
        }
        return nil
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
