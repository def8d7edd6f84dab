// SPDX-License-Identifier: MIT

import Spelling
import TodayModel

/// What is drawn on: its width, characters and colours, and the time.
package struct Presentation: Sendable {
    package var width: Int
    package var charset: Charset
    package var colors: ColorDepth
    package var now: WallTime
    /// Whether the drawing stays until something changes. It then leaves out the age of fresh content, which changes every
    /// minute.
    package var isLasting = false

    package init(width: Int, charset: Charset = .unicode, colors: ColorDepth = .none, now: WallTime) {
        self.width = max(width, 10)
        self.charset = charset
        self.colors = colors
        self.now = now
    }

    /// Text of any origin, cleaned for this terminal.
    package func printable(_ untrusted: String) -> Printable {
        Printable(untrusted, charset)
    }

    package func line(_ untrusted: String, _ style: Style = .plain) -> StyledLine {
        StyledLine(printable(untrusted), style)
    }

    /// The Unicode text, or the ASCII text if the terminal has no other characters. Neither is cleaned.
    func glyph(_ unicode: String, ascii: String) -> Printable {
        Printable(charset == .unicode ? unicode : ascii, .unicode)
    }

    var ellipsis: Printable { glyph("…", ascii: "...") }

    /// One view, as a card draws it below its title.
    package func lines(of view: View, mode: DisplayMode) -> [StyledLine] {
        ViewLayout(presentation: self, mode: mode).lines(view, width: width).map { truncated($0, width) }
    }

    package func truncated(_ line: StyledLine, _ width: Int) -> StyledLine {
        line.truncated(width, ellipsis: ellipsis)
    }
}

/// The characters that a terminal shows.
package enum Charset: Sendable {
    case unicode
    /// For the C or POSIX locale. Other characters are replaced by their usual ASCII spelling, or by `?`.
    case ascii

    /// Reads the name of the locale from the variables, in the order of locale(7). setlocale(3) would take longer than the
    /// rest of a short command.
    ///
    /// - Parameter value: the value of a variable; nil if it is unset or empty.
    package init(_ value: (String) -> String?) {
        let locale = value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? "C"
        // `C.UTF-8`, `de_CH.utf8`, `en_US.UTF-8@euro`: the codeset is between `.` and `@`.
        let codeset = locale.utf8.drop { $0 != UInt8(ascii: ".") }.prefix { $0 != UInt8(ascii: "@") }
        let letters = codeset.lazy.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ".") }.map { $0 | 0x20 }
        self = letters.elementsEqual("utf8".utf8) ? .unicode : .ascii
    }

    /// The ASCII spelling of a scalar, for the C locale.
    static func transliteration(of scalar: Unicode.Scalar) -> String {
        let value = Int(scalar.value)
        if value < 0x80 { return String(scalar) }
        if (0xA1..<0x180).contains(value) { return String(latin[value - 0xA1]) }
        if let spelling = spellings[scalar] { return spelling }
        // A picture is left out: no sign expresses it, and a meaningless one is noise.
        let isPicture = (0x1F000...0x1FAFF).contains(value) || (0x2600...0x27BF).contains(value)
        return isPicture || DisplayWidth.of(scalar) == 0 ? "" : "?"
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
        "★": "*", "☆": "*", "▲": "^", "▼": "v", "▴": "^", "▾": "v", "△": "^", "▽": "v", "▶": ">",
        "☀": "sun", "☁": "cloud", "⛅": "fair", "🌤": "fair", "🌧": "rain", "🌨": "snow", "❄": "snow", "⚡": "!", "⚠": "!",
        "◀": "<", "▸": ">", "◂": "<", "Ω": "Ohm", "µ": "u", "μ": "u", "℃": "C",
        "\u{A0}": " ", "\u{2002}": " ", "\u{2003}": " ", "\u{2009}": " ", "\u{202F}": " ", "\u{3000}": " ",
    ]
}

/// Icons as text: an emoji stays as it is, and the common names of the freedesktop icon naming specification become emoji.
enum Symbol {
    /// Nil for an unknown name, and if the terminal shows only ASCII.
    static func glyph(_ name: String, _ charset: Charset) -> Printable? {
        guard charset == .unicode, let first = name.first else { return nil }
        if name.consists(of: 0...0x7F) {
            // A name of one character stands for itself.
            if name.utf8.count == 1 { return Printable(name, charset) }
            return emoji(named: name[...]).map { Printable($0, charset) }
        }
        let symbol = Printable(String(first), charset)
        return symbol.isBlank ? nil : symbol
    }

    /// Looks up `battery-low-symbolic`, then `battery-low`, then `battery`, as icon themes do.
    private static func emoji(named name: Substring) -> String? {
        var name = name
        while true {
            if let emoji = names[name] { return emoji }
            guard let dash = name.lastIndex(of: "-") else { return nil }
            name = name[..<dash]
        }
    }

    private static let names: [Substring: String] = [
        "audio": "🔊", "audio-volume-muted": "🔇", "battery": "🔋", "battery-low": "🪫", "call": "📞", "camera": "📷",
        "computer": "💻", "cpu": "🧮", "dialog-error": "❌", "dialog-information": "💡", "dialog-password": "🔑",
        "dialog-warning": "⚠️", "drive": "💾", "edit-delete": "🗑️", "emblem-favorite": "⭐", "folder": "📁",
        "go-home": "🏠", "mail": "✉️", "mail-unread": "📬", "media": "🎵", "network": "🌐", "network-offline": "📴",
        "preferences": "⚙️", "printer": "🖨️", "process-stop": "🛑", "security": "🔒", "software-update": "📦",
        "system": "⚙️", "text": "📄", "trophy": "🏆", "user": "👤", "user-trash": "🗑️", "utilities-terminal": "🖥️",
        "weather-clear": "☀️", "weather-clear-night": "🌙", "weather-few-clouds": "⛅", "weather-fog": "🌫️",
        "weather-overcast": "☁️", "weather-severe-alert": "🌪️", "weather-showers": "🌧️", "weather-snow": "🌨️",
        "weather-storm": "⛈️", "x-office-calendar": "📅", "appointment": "⏰", "alarm": "⏰",
    ]
}
