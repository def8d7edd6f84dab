// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// `Protocol=text`: the first line is the summary, further lines are what the views show below it (docs/content.md).
enum TextFormat {
    /// More lines than any display mode shows. The rest is left out and said to be.
    static let mostLines = 100

    static func content(from output: [UInt8]) throws(OutputError) -> Content {
        let text = try OutputText.decode(output)
        if isContentAsJSON(text) { throw .isJSON }
        let (lines, count) = try lines(of: text)
        guard let first = lines.first else { throw .empty }
        var content = Content(text: try summary(first))
        guard count > 1 else { return content }
        let details = lines.dropFirst()
        content.tooltip = tooltip(details)
        // For both modes: a host cuts what it has no room for, and says so.
        content.compact = .stack(View.Stack(.vertical, rows(content.text, details, leftOut: count - lines.count)))
        return content
    }

    /// Whether the output is what `Protocol=json` wants: an object with a field of content. A widget may show any other JSON
    /// as text, and so one that states a failure, which has other ways to do so here.
    private static func isContentAsJSON(_ text: String) -> Bool {
        guard text.utf8.first(where: { !OutputText.isSpace($0) }) == UInt8(ascii: "{"),
            let object = (try? JSON.parse(text, maxValues: ContentLimits.values))?.objectValue
        else { return false }
        return !object.contains(StatedFailure.key) && object.keys.contains(where: Content.fields.contains)
    }

    /// The first lines without their ends, and how many there are; all of them are checked. Empty ones at the end are
    /// no lines.
    private static func lines(of text: String) throws(OutputError) -> (shown: [String], count: Int) {
        var shown: [String] = []
        var count = 0
        var number = 0
        // By bytes: to Swift a carriage return and a line feed are one character.
        var rest = text.utf8[...]
        while !rest.isEmpty {
            number += 1
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            let bytes = rest[..<(end ?? rest.endIndex)]
            rest = end.map { rest[rest.index(after: $0)...] } ?? rest[rest.endIndex...]
            let line = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
            if let complaint = PlainText.complaint(about: Substring(line), allowingLines: true) {
                throw OutputError("line \(number) \(complaint)")
            }
            let isShown = shown.count < mostLines
            let text = isShown && line.count <= ContentLimits.textBytes ? expandingTabs(Substring(line)) : ""
            guard line.count <= ContentLimits.textBytes, text.utf8.count <= ContentLimits.textBytes else {
                throw OutputError("line \(number) is longer than \(ContentLimits.textBytes) bytes")
            }
            if isShown { shown.append(text) }
            if !line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) { count = number }
        }
        return (Array(shown.prefix(count)), count)
    }

    private static func summary(_ line: String) throws(OutputError) -> String {
        let text = line.drop { $0 == " " }
        guard !text.isEmpty else { throw OutputError("line 1 is empty, but it is the summary") }
        guard text.utf8.count <= ContentLimits.summaryBytes else {
            throw OutputError("line 1 is longer than \(ContentLimits.summaryBytes) bytes, but it is the summary")
        }
        return String(text)
    }

    /// What programs align with spaces stays aligned: the details are set in a fixed width.
    private static func rows(_ summary: String, _ details: ArraySlice<String>, leftOut: Int) -> [View] {
        let shown = details.map { line in
            var text = View.Text(line)
            text.style = .monospace
            return View.text(text)
        }
        guard leftOut > 0 else { return [.text(View.Text(summary))] + shown }
        var remark = View.Text("… \(leftOut) more \(leftOut == 1 ? "line" : "lines")")
        remark.style = .caption
        return [.text(View.Text(summary))] + shown + [.text(remark)]
    }

    /// As many of the lines as fit into one text.
    private static func tooltip(_ lines: ArraySlice<String>) -> String {
        var tooltip = ""
        for line in lines {
            guard tooltip.utf8.count + line.utf8.count < ContentLimits.textBytes else { break }
            tooltip += tooltip.isEmpty ? line : "\n" + line
        }
        return tooltip
    }

    /// Tab stops every eight characters, as in a terminal, and no spaces at the end: hosts then need not know about
    /// either.
    private static func expandingTabs(_ line: Substring) -> String {
        var text = ""
        var column = 0
        for character in line {
            if character == "\t" {
                let spaces = 8 - column % 8
                text += String(repeating: " ", count: spaces)
                column += spaces
            } else {
                text.append(character)
                column += 1
            }
        }
        while text.last == " " { text.removeLast() }
        return text
    }
}
