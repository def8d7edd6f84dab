// SPDX-License-Identifier: MIT

import TodayModel

/// The look of a piece of a line. `escapeSequence` turns it into what a terminal understands.
package struct Style: Hashable, Sendable {
    package var color: Color?
    package var isBold = false
    package var isDim = false
    package var isUnderlined = false

    package init(color: Color? = nil, bold: Bool = false, dim: Bool = false, underlined: Bool = false) {
        self.color = color
        isBold = bold
        isDim = dim
        isUnderlined = underlined
    }

    package static let plain = Style()
    package static let bold = Style(bold: true)
    package static let dim = Style(dim: true)
    package static let link = Style(underlined: true)
    package static func meaning(_ meaning: Color.Meaning) -> Style { Style(color: .meaning(meaning)) }
}

extension Severity {
    var color: Color? {
        switch self {
        case .normal: nil
        case .good: .meaning(.good)
        case .info: .meaning(.accent)
        case .warning: .meaning(.warning)
        case .critical: .meaning(.critical)
        }
    }
}

extension Style {
    /// The SGR sequence that turns this style on, or an empty string (console_codes(4), ECMA-48). Meanings use the sixteen
    /// colours of the user's theme, which fit its background.
    func escapeSequence(_ depth: ColorDepth) -> String {
        if depth.level == .none || self == .plain { return "" }
        var codes = ""
        if isBold { codes += ";1" }
        if isDim { codes += ";2" }
        if isUnderlined { codes += ";4" }
        if let color, let code = Self.code(of: color, depth) { codes += ";\(code)" }
        return codes.isEmpty ? "" : "\u{1B}[\(codes.dropFirst())m"
    }

    private static func code(of color: Color, _ depth: ColorDepth) -> String? {
        switch color {
        case .meaning(.primary): nil
        case .meaning(.secondary): "2"
        case .meaning(.accent): "36"
        case .meaning(.good): "32"
        case .meaning(.warning): "33"
        case .meaning(.critical): "31"
        case .rgb: exactCode(of: color.readable(on: depth.ground), depth)
        }
    }

    private static func exactCode(of color: Color, _ depth: ColorDepth) -> String? {
        guard case .rgb(let red, let green, let blue) = color else { return nil }
        return switch depth.level {
        case .none: nil
        case .sixteen: sixteen(red, green, blue)
        case .indexed: "38;5;\(16 + 36 * sixth(red) + 6 * sixth(green) + sixth(blue))"
        case .direct: "38;2;\(red);\(green);\(blue)"
        }
    }

    /// The nearest level of xterm's colour cube: 0, 95, 135, 175, 215, 255.
    private static func sixth(_ level: UInt8) -> Int {
        level < 48 ? 0 : level < 115 ? 1 : (Int(level) - 35) / 40
    }

    /// The nearest of eight colours. Nil for a grey, so that the text keeps the terminal's own colour, which is readable.
    private static func sixteen(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> String? {
        let strongest = max(red, green, blue)
        let weakest = min(red, green, blue)
        guard strongest - weakest > 32 else { return nil }
        let middle = UInt8((Int(strongest) + Int(weakest)) / 2)
        let code = 30 + (red > middle ? 1 : 0) + (green > middle ? 2 : 0) + (blue > middle ? 4 : 0)
        return "\(code)"
    }
}
