// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// The text of a line as its host shows it: without escape sequences and markup, with emoji, and shortened to the limit.
struct MenuText {
    /// The parts that differ in colour or weight, each one line of plain text.
    let runs: [ANSIText.Run]
    /// All of the text, in one line.
    let plain: String
    /// The text as it was before `length=` cut it; nil if it was not cut.
    let full: String?

    /// What is wrong with its markup.
    let markupTrouble: String?
    /// Whether the text consisted only of names of symbols that do not exist on Linux.
    let wasSymbol: Bool

    /// Longer texts are cut before they are read, which bounds the work.
    static let mostBytes = 4 * ContentLimits.textBytes

    init(_ raw: Substring, _ attributes: MenuAttributes, of dialect: MenuFormat.Dialect) {
        var text = String(decoding: raw.utf8.prefix(Self.mostBytes), as: UTF8.self)
        text = MenuEscapes.read(text, of: dialect, attributes)
        if attributes.symbolizes {
            let symbolized = MenuSymbols.replacingNames(in: text)
            wasSymbol = symbolized.allSatisfy(\.isWhitespace) && !text.allSatisfy(\.isWhitespace)
            text = symbolized
        } else {
            wasSymbol = false
        }
        if attributes.emojizes { text = Emoji.replacingNames(in: text) }
        let pango = attributes.readsMarkup ? PangoText(text) : nil
        markupTrouble = pango?.trouble
        if let pango { text = pango.text }
        if attributes.readsMarkdown { text = MenuMarkdown.withoutMarks(text) }
        var runs = attributes.readsANSI ? ANSIText.runs(of: text) : [ANSIText.Run(text: text)]
        if let color = pango?.color { Self.color(&runs, color) }
        for index in runs.indices { runs[index].text = LenientText.line(runs[index].text) }
        if attributes.trims { Self.trim(&runs) }
        runs.removeAll { $0.text.isEmpty }
        let line = LenientText.line(runs.map(\.text).joined())
        if let length = attributes.length, line.count > length {
            self.runs = Self.cut(runs, to: length)
            plain = LenientText.line(self.runs.map(\.text).joined())
            full = line
        } else {
            self.runs = runs
            plain = line
            full = nil
        }
    }

    /// The parts that a host may draw side by side, with space between them. The parts of one word are joined, in its first
    /// colour, so that `[OK]` stays together.
    var parts: [ANSIText.Run] {
        var parts: [ANSIText.Run] = []
        for run in runs {
            if let last = parts.last, last.text.last?.isWhitespace == false, run.text.first?.isWhitespace == false {
                let joined = ANSIText.Run(
                    text: last.text + run.text, color: last.color ?? run.color, isBold: last.isBold && run.isBold)
                parts[parts.count - 1] = joined
            } else {
                parts.append(run)
            }
        }
        return parts.filter { !$0.text.allSatisfy(\.isWhitespace) }
    }

    var isBlank: Bool { plain.allSatisfy(\.isWhitespace) }

    /// The first colour of the text.
    var color: Color? { runs.lazy.compactMap(\.color).first }

    /// Gives the text the colour of its markup, unless escape sequences colour it.
    private static func color(_ runs: inout [ANSIText.Run], _ color: Color) {
        guard runs.allSatisfy({ $0.color == nil }) else { return }
        for index in runs.indices { runs[index].color = color }
    }

    private static func trim(_ runs: inout [ANSIText.Run]) {
        for index in runs.indices {
            runs[index].text = String(runs[index].text.drop(while: \.isWhitespace))
            if !runs[index].text.isEmpty { break }
        }
        for index in runs.indices.reversed() {
            let end = runs[index].text.lastIndex { !$0.isWhitespace }
            runs[index].text = String(end.map { runs[index].text[...$0] } ?? "")
            if !runs[index].text.isEmpty { break }
        }
    }

    /// The first characters and an ellipsis, together at most this many.
    private static func cut(_ runs: [ANSIText.Run], to length: Int) -> [ANSIText.Run] {
        var left = length - 1
        var result: [ANSIText.Run] = []
        for var run in runs {
            let text = run.text.prefix(left)
            left -= text.count
            let isLast = text.endIndex < run.text.endIndex
            run.text = isLast ? text + "…" : String(text)
            result.append(run)
            if isLast { break }
        }
        return result
    }
}
