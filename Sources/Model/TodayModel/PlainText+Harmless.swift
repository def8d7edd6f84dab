// SPDX-License-Identifier: MIT
import Spelling

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
