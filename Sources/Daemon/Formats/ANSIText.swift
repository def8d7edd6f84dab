// SPDX-License-Identifier: MIT
import TodayModel

/// Reads the colours in a text that a program prints for a terminal: SGR sequences (ECMA-48, section 8.3.117). It drops all
/// other sequences.
enum ANSIText {
    struct Run: Equatable {
        var text: String
        var color: Color?
        var isBold = false
    }

    /// If there are more changes than people can tell apart, the rest keeps the attributes of the last run.
    static let mostRuns = 32

    /// The parts of the text that look different. No run is empty.
    static func runs(of text: String) -> [Run] {
        var runs: [Run] = []
        var style = ANSIStyle()
        var part = String.UnicodeScalarView()
        var parameters = String.UnicodeScalarView()
        var sequences = EscapeSequences()
        for scalar in text.unicodeScalars {
            switch sequences.read(scalar) {
            case .text: part.append(scalar)
            case .start: parameters = String.UnicodeScalarView()
            case .parameter: parameters.append(scalar)
            case .final:
                guard scalar == "m" else { continue }
                append(part, style, to: &runs)
                part = String.UnicodeScalarView()
                style.apply(String(parameters))
            case .other: continue
            }
        }
        append(part, style, to: &runs)
        return runs
    }

    /// The text without what sets colours and erases the rest of a line, which grep prints with them. Other sequences stay: they move
    /// the cursor or set a title.
    static func withoutColors(_ text: String) -> String {
        var kept: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == 0x1b, rest.first == UInt8(ascii: "[") {
                let after = rest.dropFirst().drop { (0x30...0x3b).contains($0) }
                if let final = after.first, final == UInt8(ascii: "m") || final == UInt8(ascii: "K") {
                    rest = after.dropFirst()
                    continue
                }
            }
            kept.append(byte)
        }
        return String(decoding: kept, as: UTF8.self)
    }

    private static func append(_ part: String.UnicodeScalarView, _ style: ANSIStyle, to runs: inout [Run]) {
        guard !part.isEmpty else { return }
        let text = String(part)
        if let last = runs.indices.last {
            let isSame = runs[last].color == style.color && runs[last].isBold == style.isBold
            // White space has no colour.
            if isSame || runs.count == mostRuns || text.allSatisfy(\.isWhitespace) {
                runs[last].text += text
                return
            }
        }
        runs.append(Run(text: text, color: style.color, isBold: style.isBold))
    }
}

/// The attributes that the sequences before a text have set.
struct ANSIStyle {
    private(set) var color: Color?
    private(set) var isBold = false

    /// `1;31`, `38;5;208`, or `38:2::255:135:0`.
    mutating func apply(_ parameters: String) {
        guard parameters.utf8.allSatisfy({ (0x30...0x3b).contains($0) }) else { return }
        var fields = parameters.split(separator: ";", omittingEmptySubsequences: false)[...]
        while let field = fields.popFirst() {
            let values = field.split(separator: ":", omittingEmptySubsequences: false).map(Self.number)
            guard let code = values.first else { continue }
            if code == 38 || code == 48 {
                let color = values.count > 1 ? Self.color(values[1...]) : Self.takeColor(from: &fields)
                if code == 38, let color { self.color = color }
            } else {
                apply(code)
            }
        }
    }

    private mutating func apply(_ code: Int) {
        switch code {
        case 0: self = ANSIStyle()
        case 1: isBold = true
        case 22: isBold = false
        case 30...37: color = ANSIPalette.color(code - 30)
        case 90...97: color = ANSIPalette.color(code - 90 + 8)
        case 39: color = nil
        // Dim, italic, underlined and inverse text and background colours look like normal text.
        default: break
        }
    }

    /// An empty parameter is 0; a number that is too large has no meaning.
    private static func number(_ text: Substring) -> Int { text.isEmpty ? 0 : Int(text) ?? -1 }

    /// Removes the parameters of a colour from a sequence without colons, and returns the colour.
    private static func takeColor(from fields: inout ArraySlice<Substring>) -> Color? {
        let kind = fields.first.map(number)
        let count = kind == 2 ? 4 : kind == 5 ? 2 : 1
        let values = fields.prefix(count).map(number)
        fields = fields.dropFirst(count)
        return color(values[...])
    }

    /// `5:208`, `2:255:135:0`, and `2::255:135:0` with a colour space.
    private static func color(_ values: ArraySlice<Int>) -> Color? {
        let rest = values.dropFirst()
        switch values.first {
        case 5: return rest.first.flatMap(ANSIPalette.color)
        case 2:
            let parts = (rest.count > 3 ? rest.dropFirst() : rest).prefix(3).compactMap(UInt8.init(exactly:))
            return parts.count == 3 ? .rgb(red: parts[0], green: parts[1], blue: parts[2]) : nil
        default: return nil
        }
    }
}

/// The 256 colours of xterm: 16 basic ones, a cube of 6 × 6 × 6, and 24 grays.
enum ANSIPalette {
    private static let basic: [UInt32] = [
        0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00,
        0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
    ]

    static func color(_ index: Int) -> Color? {
        switch index {
        case basic.indices: return Color(hexadecimal: basic[index])
        case 16...231:
            let level = { (step: Int) in UInt8(step == 0 ? 0 : 55 + 40 * step) }
            let place = index - 16
            return .rgb(red: level(place / 36), green: level(place / 6 % 6), blue: level(place % 6))
        case 232...255:
            let gray = UInt8(8 + 10 * (index - 232))
            return .rgb(red: gray, green: gray, blue: gray)
        default: return nil
        }
    }
}
