// SPDX-License-Identifier: MIT

import TodayModel

/// The background of a terminal.
package enum Ground: Hashable, Sendable {
    case light, dark

    /// A terminal's answer to the query for its background, `rgb:ffff/ffff/dddd` with 1 to 4 digits (xterm's control sequences,
    /// OSC 11); nil for anything else.
    package init?(answer text: some StringProtocol) {
        guard text.hasPrefix("rgb:") else { return nil }
        var levels: [Double] = []
        for part in text.dropFirst(4).split(separator: "/", omittingEmptySubsequences: false) {
            guard (1...4).contains(part.utf8.count), let value = UInt32(part, radix: 16) else { return nil }
            levels.append(Double(value) / Double((1 << (4 * UInt32(part.utf8.count))) - 1))
        }
        guard levels.count == 3 else { return nil }
        self = Color.luminance(levels) > 0.4 ? .light : .dark
    }

    /// `$COLORFGBG`, which rxvt, Konsole and others set: the last number is the colour of the background among 16.
    package init?(variable text: String) {
        guard let last = text.split(separator: ";").last, let number = Int(last), (0...15).contains(number) else {
            return nil
        }
        self = number == 7 || number > 8 ? .light : .dark
    }
}

/// How many colours a terminal has, and its background if that is known.
package struct ColorDepth: Hashable, Sendable {
    enum Level { case none, sixteen, indexed, direct }

    let level: Level
    package var ground: Ground?

    private init(_ level: Level) { self.level = level }

    /// No styles at all: a pipe, NO_COLOR, a dumb terminal.
    package static let none = ColorDepth(.none)
    package static let sixteen = ColorDepth(.sixteen)
    /// The 256 colours of xterm.
    package static let indexed = ColorDepth(.indexed)
    /// 24 bits.
    package static let direct = ColorDepth(.direct)

    /// Reads $TERM, $COLORTERM and $NO_COLOR (no-color.org).
    package init(ofTerminal value: (String) -> String?) {
        guard value("NO_COLOR") == nil, let term = value("TERM"), term != "dumb" else {
            self = .none
            return
        }
        self = ColorDepth(always: value)
    }

    /// The same for `--color=always`, which overrides NO_COLOR and a dumb or missing terminal.
    package init(always value: (String) -> String?) {
        if let direct = value("COLORTERM"), direct == "truecolor" || direct == "24bit" {
            self = .direct
        } else {
            self = value("TERM")?.hasSuffix("256color") == true ? .indexed : .sixteen
        }
        ground = value("COLORFGBG").flatMap { Ground(variable: $0) }
    }
}

extension Color {
    /// The highest luminance of a text on white, and the lowest on a dark background, for a contrast of 4.5 (WCAG 2.2, 1.4.3).
    private static let (mostOnLight, leastOnDark) = (0.183, 0.265)

    /// The luminance of red, green and blue from 0 to 1, with a gamma of 2.
    static func luminance(_ levels: [Double]) -> Double {
        zip(levels, [0.2126, 0.7152, 0.0722]).reduce(0) { $0 + $1.0 * $1.0 * $1.1 }
    }

    /// An exact colour made readable on a background: darker on a light one, lighter on a dark one, and unchanged if it is
    /// readable. A meaning is a colour of the user's theme, which fits.
    func readable(on ground: Ground?) -> Color {
        guard let ground, case .rgb(let red, let green, let blue) = self else { return self }
        var levels = [red, green, blue].map { Double($0) / 255 }
        let light = Self.luminance(levels)
        switch ground {
        case .light where light > Self.mostOnLight:
            let factor = (Self.mostOnLight / light).squareRoot()
            levels = levels.map { $0 * factor }
        case .dark where light < Self.leastOnDark:
            var mixed = levels
            var share = 0.0
            while Self.luminance(mixed) < Self.leastOnDark {
                share += 0.05
                mixed = levels.map { $0 + (1 - $0) * share }
            }
            levels = mixed
        case .light, .dark: return self
        }
        let bytes = levels.map { UInt8(min(max($0 * 255, 0), 255)) }
        return .rgb(red: bytes[0], green: bytes[1], blue: bytes[2])
    }
}
