// SPDX-License-Identifier: MIT

/// The characters that may be sent to a terminal.
package enum Charset: Sendable {
    case unicode
    /// Under the C or POSIX locale: what is not ASCII is spelled with ASCII where that is customary, else `?`.
    case ascii

    /// What `scalar` becomes under the C locale.
    static func transliteration(of scalar: Unicode.Scalar) -> String {
        let value = Int(scalar.value)
        if value < 0x80 { return String(scalar) }
        if (0xA1..<0x180).contains(value) { return String(latin[value - 0xA1]) }
        if let spelling = spellings[scalar] { return spelling }
        return DisplayWidth.of(scalar) == 0 ? "" : "?"
    }

    /// U+00A1 to U+017F: Latin-1 and Latin Extended-A, letters without their marks.
    private static let latin: [Substring] = """
        ! c GBP ? JPY | S " (c) a << - - (R) - deg +/- 2 3 ' u P . , 1 o >> 1/4 1/2 3/4 ? \
        A A A A A A AE C E E E E I I I I D N O O O O O x O U U U U Y TH ss \
        a a a a a a ae c e e e e i i i i d n o o o o o / o u u u u y th y \
        A a A a A a C c C c C c C c D d D d E e E e E e E e E e G g G g G g G g \
        H h H h I i I i I i I i I i IJ ij J j K k k L l L l L l L l L l N n N n N n n N n \
        O o O o O o OE oe R r R r R r S s S s S s S s T t T t T t U u U u U u U u U u U u \
        W w Y y Y Z z Z z Z z s
        """.split(separator: " ")

    private static let spellings: [Unicode.Scalar: String] = [
        "\u{2010}": "-", "\u{2011}": "-", "–": "-", "—": "-", "−": "-", "‘": "'", "’": "'", "‚": "'", "“": "\"",
        "”": "\"", "„": "\"", "…": "...", "•": "*", "·": ".", "‹": "<", "›": ">", "€": "EUR", "₿": "BTC", "™": "(TM)",
        "→": "->", "←": "<-", "↑": "^", "↓": "v", "↗": "^", "↘": "v", "⇒": "=>", "≤": "<=", "≥": ">=", "≠": "!=",
        "≈": "~", "×": "x", "√": "v", "∞": "inf", "✓": "ok", "✔": "ok", "✗": "x", "✘": "x", "●": "*", "○": "o",
        "★": "*", "☆": "*", "▲": "^", "▼": "v", "▶": ">", "◀": "<", "Ω": "Ohm", "µ": "u", "μ": "u", "℃": "C",
        "\u{A0}": " ", "\u{2002}": " ", "\u{2003}": " ", "\u{2009}": " ", "\u{202F}": " ", "\u{3000}": " ",
    ]
}
