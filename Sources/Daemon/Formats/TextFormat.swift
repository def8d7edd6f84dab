// SPDX-License-Identifier: MIT
import JSON
import Spelling
import TodayModel

/// `Protocol=text`: the first line that is not blank is the summary, and the views show the other lines below it
/// (docs/content.md).
enum TextFormat {
    /// More lines than any display mode shows. A remark says how many other lines are left out.
    static let mostLines = 100

    static func content(from output: [UInt8]) throws(OutputError) -> ReadContent {
        let text = try OutputText.decode(output)
        if isContentAsJSON(text) { throw .isJSON }
        let lines = try Lines(text)
        guard let first = lines.shown.first else { throw .empty }
        var read = ReadContent(Content(text: try summary(first, line: lines.first)))
        if let colored = lines.colored { read.note("line \(colored) has colours of a terminal, which are left out") }
        guard lines.count > 1 else { return read }
        let details = lines.shown.dropFirst()
        read.content.tooltip = tooltip(details)
        // The compact view serves both modes: hosts cut it to their room, and show that they do.
        let rows = rows(first, details, leftOut: lines.count - lines.shown.count)
        read.content.compact = .stack(View.Stack(.vertical, rows))
        return read
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

    /// The lines from the first one that is not blank to the last one.
    private struct Lines {
        /// As many as a host may show.
        private(set) var shown: [String] = []
        private(set) var count = 0
        /// The number of the first one in the output.
        private(set) var first = 1
        /// The number of the first line with colours.
        private(set) var colored: Int?

        /// Splits the text into lines and checks each.
        init(_ text: String) throws(OutputError) {
            var lines = ByteLines(Array(text.utf8)[...])
            while let bytes = lines.next() {
                var line = bytes.text
                if PlainText.complaint(about: line, allowingLines: true) != nil {
                    line = ANSIText.withoutColors(line)
                    if let reason = PlainText.complaint(about: line, allowingLines: true) {
                        throw OutputError("line \(lines.number) \(reason)")
                    }
                    colored = colored ?? lines.number
                }
                let isBlank = line.utf8.allSatisfy(\.isBlank)
                if isBlank, count == 0 { continue }
                if shown.isEmpty { first = lines.number }
                let isShown = shown.count < mostLines
                let text = isShown && line.utf8.count <= ContentLimits.textBytes ? expandingTabs(line) : ""
                guard line.utf8.count <= ContentLimits.textBytes, text.utf8.count <= ContentLimits.textBytes else {
                    throw OutputError("line \(lines.number) is longer than \(ContentLimits.textBytes) bytes")
                }
                if isShown { shown.append(text) }
                if !isBlank { count = lines.number - first + 1 }
            }
            shown = Array(shown.prefix(count))
        }
    }

    private static func summary(_ text: String, line: Int) throws(OutputError) -> String {
        let text = text.drop { $0 == " " }
        guard text.utf8.count <= ContentLimits.summaryBytes else {
            throw OutputError("line \(line) is longer than \(ContentLimits.summaryBytes) bytes, but it is the summary")
        }
        return String(text)
    }

    /// The rows of the view. If a line has two spaces in a row, the details are columns, which a monospaced font keeps aligned, and
    /// so is a first line with such spaces, their heads.
    private static func rows(_ first: String, _ details: ArraySlice<String>, leftOut: Int) -> [View] {
        let isHead = RowList.hasColumns(first)
        let haveColumns = isHead || details.contains(where: RowList.hasColumns)
        let head = RowList.row(isHead ? first : String(first.drop { $0 == " " }), isMonospaced: isHead)
        let shown = [head] + details.map { RowList.row($0, isMonospaced: haveColumns) }
        return leftOut > 0 ? shown + [RowList.remark(leftOut)] : shown
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
    private static func expandingTabs(_ line: String) -> String {
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
