// SPDX-License-Identifier: MIT
import JSON
import Spelling
import TodayModel

/// `Protocol=text`: the first line is the summary, and the views show the other lines below it (docs/content.md).
enum TextFormat {
    /// More lines than any display mode shows. A remark says how many other lines are left out.
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
        // The compact view serves both modes: hosts cut it to their room, and show that they do.
        content.compact = .stack(View.Stack(.vertical, rows(content.text, details, leftOut: count - lines.count)))
        return content
    }

    /// Whether the output is an object of `Protocol=json`, with a field of content, or `noData`. A widget may show any other
    /// JSON as text, even an object with `failed`: with this protocol a widget states a failure by its exit status.
    private static func isContentAsJSON(_ text: String) -> Bool {
        guard text.utf8.first(where: { !$0.isSpace }) == UInt8(ascii: "{"),
            let object = (try? JSON.parse(text, maxValues: ContentLimits.values))?.objectValue
        else { return false }
        return !object.contains(StatedFailure.key)
            && object.keys.contains { Content.fields.contains($0) || $0 == StatedNoData.key }
    }

    /// Splits the text into lines and checks each. Returns the first ones, and how many there are without blank lines at the
    /// end.
    private static func lines(of text: String) throws(OutputError) -> (shown: [String], count: Int) {
        var shown: [String] = []
        var count = 0
        var number = 0
        // Split by bytes, because Swift reads a carriage return and a line feed as one character.
        var rest = text.utf8[...]
        while !rest.isEmpty {
            number += 1
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            let bytes = rest[..<(end ?? rest.endIndex)]
            rest = end.map { rest[rest.index(after: $0)...] } ?? rest[rest.endIndex...]
            let line = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
            if let reason = PlainText.complaint(about: Substring(line), allowingLines: true) {
                throw OutputError("line \(number) \(reason)")
            }
            let isShown = shown.count < mostLines
            let text = isShown && line.count <= ContentLimits.textBytes ? expandingTabs(Substring(line)) : ""
            guard line.count <= ContentLimits.textBytes, text.utf8.count <= ContentLimits.textBytes else {
                throw OutputError("line \(number) is longer than \(ContentLimits.textBytes) bytes")
            }
            if isShown { shown.append(text) }
            if !line.allSatisfy(\.isBlank) { count = number }
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

    /// The rows of the view. The details have a monospaced font, so that columns aligned with spaces stay aligned.
    private static func rows(_ summary: String, _ details: ArraySlice<String>, leftOut: Int) -> [View] {
        let shown = details.map { line in
            var text = View.Text(line)
            text.style = .monospace
            return View.text(text)
        }
        guard leftOut > 0 else { return [.text(View.Text(summary))] + shown }
        return [.text(View.Text(summary))] + shown + [RowList.remark(leftOut)]
    }

    /// As many lines as fit into one text.
    private static func tooltip(_ lines: ArraySlice<String>) -> String {
        var tooltip = ""
        for line in lines {
            guard tooltip.utf8.count + line.utf8.count < ContentLimits.textBytes else { break }
            tooltip += tooltip.isEmpty ? line : "\n" + line
        }
        return tooltip
    }

    /// Replaces tabs by spaces, with tab stops every eight characters as in a terminal, and removes spaces at the end, so that
    /// hosts need not do either.
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
