// SPDX-License-Identifier: MIT

/// How many cells of a terminal text takes. It asks no locale, as wcwidth(3) would, and it looks at whole grapheme
/// clusters: a family of four joined by ZWJ is one emoji, two cells wide.
enum DisplayWidth {
    static func of(_ text: some StringProtocol) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        let width = of(first)
        // One scalar, as nearly always; or a wide base, which its modifiers, joiners and vowels do not widen.
        if scalars.count == 1 || width == 2 { return width }
        // A text symbol turned into an emoji (VS16, keycaps included), and the two letters of a flag.
        if scalars.contains("\u{FE0F}"), first.properties.isEmoji { return 2 }
        if isRegionalIndicator(first) { return 2 }
        return scalars.reduce(0) { $0 + of($1) }
    }

    static func of(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return 1 }
        if contains(WidthTable.wide, value) { return 2 }
        return contains(WidthTable.zero, value) ? 0 : 1
    }

    private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
        (0x1F1E6...0x1F1FF).contains(scalar.value)
    }

    /// Binary search for the last range that begins at or before the value.
    private static func contains(_ ranges: [UInt32], _ value: UInt32) -> Bool {
        var low = 0
        var high = ranges.count / 2
        while low < high {
            let middle = (low + high) / 2
            if ranges[2 * middle] <= value { low = middle + 1 } else { high = middle }
        }
        return low > 0 && value <= ranges[2 * low - 1]
    }
}
