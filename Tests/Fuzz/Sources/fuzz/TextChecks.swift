// SPDX-License-Identifier: MIT
import TodayModel

@testable import Formats

enum TextChecks {
    /// The runs are the text without its sequences, and nothing else.
    static func readSequences(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let runs = ANSIText.runs(of: text)
        expect(runs.count <= ANSIText.mostRuns && !runs.contains { $0.text.isEmpty })
        let joined = runs.map(\.text).joined()
        let harmless = PlainText.harmless(text)
        expect(joined.utf8.count <= text.utf8.count)
        expect(PlainText.harmless(joined) == harmless, "\(joined.debugDescription), \(harmless.debugDescription)")
        expect(!joined.unicodeScalars.contains { $0 == "\u{1b}" || (0x80...0x9f).contains($0.value) })
        expectPlain(harmless, lines: true, "harmless text")
        expectPlain(PlainText.line(text, upTo: 64), "a line")
        for color in runs.compactMap(\.color) { expect(Color(color.text) == color) }
    }

    static func readMarkup(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        for dialect in [PangoText.Dialect.pango, .html] {
            let pango = PangoText(text, dialect)
            expect(pango.text.utf8.count <= text.utf8.count, "\(pango.text.debugDescription)")
            if !text.utf8.contains(UInt8(ascii: "<")), !text.utf8.contains(UInt8(ascii: "&")) {
                expect(pango.text == text && pango.color == nil)
            }
            if let color = pango.color { expect(Color(color.text) == color) }
        }
        expect(MenuMarkdown.withoutMarks(text).utf8.count <= text.utf8.count)
        if PangoText.isMarkup(text) { expect(PangoText(text).text.utf8.count < text.utf8.count) }
    }
}
