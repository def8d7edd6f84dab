// SPDX-License-Identifier: MIT
import Spelling

/// What the text of a widget may contain. The daemon refuses characters that move a cursor, change colours, reverse a
/// line or hide text, before it stores anything.
///
/// The marks U+200E, U+200F and U+061C are allowed. They only give a neutral character its direction, and Arabic and
/// Hebrew texts with numbers need them.
package enum PlainText {
    /// Why `text` is refused; nil when it is not. Several lines may contain line feeds and tabs.
    package static func complaint(about text: some StringProtocol, allowingLines: Bool) -> String? {
        if Substring(text).consists(of: 0x20...0x7e) { return nil }
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

    /// The letters of a region and the end tag, as in gbeng: Unicode Technical Standard 51.
    private static let longestFlag = 7

    private static func complaint(about scalar: Unicode.Scalar, after previous: Unicode.Scalar) -> String? {
        var name: String { "U+\(scalar.value.digits(4, radix: 16, uppercase: true))" }
        switch scalar.value {
        case 0x1b: return "a terminal escape sequence"
        case 0x00...0x1f, 0x7f...0x9f: return "the control character \(name)"
        case 0x202a...0x202e, 0x2066...0x2069: return "the text direction override \(name)"
        case 0x2028, 0x2029: return "the line separator \(name)"
        case 0xfeff, 0xfff9...0xfffb: return "the invisible character \(name)"
        // The flags of England, Scotland and Wales are a black flag followed by tag letters.
        case 0xe0000...0xe007f where previous.value == 0x1f3f4 || (0xe0000...0xe007f).contains(previous.value):
            return nil
        case 0xe0000...0xe007f: return "the invisible character \(name)"
        default: return nil
        }
    }
}

/// The limits of one kind of text: its length, its number of lines and its characters. Manifests, content and calls use the
/// same rule and the same reasons.
package struct TextRule: Sendable {
    package let mostBytes: Int
    package let allowsLines: Bool
    private let isURL: Bool

    package init(mostBytes: Int, allowsLines: Bool = false, isURL: Bool = false) {
        self.mostBytes = mostBytes
        self.allowsLines = allowsLines
        self.isURL = isURL
    }

    static let text = TextRule(mostBytes: ContentLimits.textBytes, allowsLines: true)
    static let line = TextRule(mostBytes: ContentLimits.textBytes)
    static let summary = TextRule(mostBytes: ContentLimits.summaryBytes)
    static let symbol = TextRule(mostBytes: ContentLimits.symbolBytes)
    static let action = TextRule(mostBytes: 256)
    static let url = TextRule(mostBytes: URLScheme.longestURL, isURL: true)

    /// Why a text breaks the rule, as a phrase to follow its name: "is more than one line". Nil if it does not.
    package func complaint(about text: some StringProtocol) -> String? {
        // The length comes first, because it is cheap and bounds the work that follows.
        if text.utf8.count > mostBytes { return "is longer than \(mostBytes) bytes" }
        if let complaint = PlainText.complaint(about: text, allowingLines: allowsLines) { return complaint }
        return isURL && URLScheme.of(String(text)) == nil ? "is not a URL" : nil
    }
}

/// For texts that cannot be refused because they report an error. Their unsafe characters are removed instead.
extension PlainText {
    /// One line of at most this many bytes and an ellipsis.
    package static func line(_ text: String, upTo bytes: Int = .max) -> String {
        // The text is cut first, which bounds the work that follows.
        let short = text.shortened(to: bytes)
        if complaint(about: short, allowingLines: false) == nil { return short }
        return String(harmless(short).map { $0.isNewline || $0 == "\t" ? " " : $0 })
    }

    /// One line of words about a text that it quotes. Each character that `complaint` refuses becomes U+FFFD: an unfinished
    /// escape sequence in the text must not swallow the words after it.
    package static func quoting(_ text: String, upTo bytes: Int) -> String {
        let short = text.shortened(to: bytes)
        if complaint(about: short, allowingLines: false) == nil { return short }
        var marks = CombiningMarks()
        var line = String.UnicodeScalarView()
        for scalar in short.unicodeScalars where !marks.exceed(with: scalar) {
            let isLineEnd = scalar == "\n" || scalar == "\t"
            line.append(isLineEnd ? " " : complaint(about: scalar, after: " ") == nil ? scalar : "\u{fffd}")
        }
        // U+FFFD takes three bytes in place of one.
        return String(line).shortened(to: bytes)
    }

    /// Removes escape sequences, and every other character that `complaint` refuses.
    package static func harmless(_ text: String) -> String {
        if complaint(about: text, allowingLines: true) == nil { return text }
        var kept = String.UnicodeScalarView()
        var marks = CombiningMarks()
        var sequences = EscapeSequences()
        for scalar in text.unicodeScalars {
            guard case .text = sequences.read(scalar) else { continue }
            let isLineEnd = scalar == "\n" || scalar == "\t"
            let isHarmless = isLineEnd || complaint(about: scalar, after: " ") == nil
            if isHarmless, !marks.exceed(with: scalar) { kept.append(scalar) }
        }
        return String(kept)
    }
}

/// Separates the escape sequences of a text from what a terminal would show, scalar by scalar (ECMA-48): CSI up to its final
/// byte; OSC, DCS, SOS, PM and APC up to BEL or ST; and the short ones. A control character of eight bits is the same as the
/// escape character and a letter: U+009B is CSI, also within another sequence, which ends there.
package struct EscapeSequences {
    package enum Part {
        case text
        /// CSI: a control sequence begins.
        case start
        /// A parameter or an intermediate byte of a control sequence.
        case parameter
        /// The byte that ends a control sequence, and says what it does.
        case final
        /// Any other part of a sequence.
        case other
    }

    private enum Place { case text, escape, intermediate, control, string }

    private var place = Place.text

    package init() {}

    package mutating func read(_ scalar: Unicode.Scalar) -> Part {
        switch (place, scalar.value) {
        case (_, 0x1b): return go(to: .escape)
        case (_, 0x80...0x9f): return open(scalar.value - 0x40)
        case (.escape, 0x40...0x5f): return open(scalar.value)
        case (.escape, 0x20...0x2f): return go(to: .intermediate)
        case (.intermediate, 0x20...0x2f): return .other
        case (.escape, 0x30...0x7e), (.intermediate, 0x30...0x7e): return go(to: .text)
        case (.control, 0x20...0x3f): return .parameter
        case (.control, 0x40...0x7e): return go(to: .text, .final)
        case (.string, 0x07): return go(to: .text)
        // A string without an end must not swallow the following lines.
        case (.string, let value) where value != 0x0a: return .other
        // Text without a final byte is not a sequence.
        default: return go(to: .text, .text)
        }
    }

    /// The letter after an escape character.
    private mutating func open(_ letter: UInt32) -> Part {
        switch letter {
        case 0x5b: go(to: .control, .start)
        case 0x50, 0x58, 0x5d, 0x5e, 0x5f: go(to: .string)
        default: go(to: .text)
        }
    }

    private mutating func go(to place: Place, _ part: Part = .other) -> Part {
        self.place = place
        return part
    }
}
