// SPDX-License-Identifier: MIT
import JSON
import Spelling
import TodayModel

/// The blocks of the i3bar protocol: `{"full_text": "62 %", "color": "#ff0000"}`, or a line of status, which is an array of them.
enum I3BarObject {
    struct Found {
        let blocks: [JSONObject]
        let line: Int
        var notes: [String] = []
    }

    /// A program that prints objects one after another has printed its last one within these lines.
    private static let mostTries = 1_000

    /// The last whole object of the output; nil if the output is lines of text.
    static func last(in output: [UInt8]) throws(OutputError) -> Found? {
        guard let first = output.first(where: { !$0.isSpace }) else { return nil }
        let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        if let found = lastLine(in: output, isJSON: isJSON) { return found }
        guard isJSON, let start = output.firstIndex(where: { !$0.isSpace }) else { return nil }
        // One object in several lines.
        let whole = LenientJSON.balanced(output[start...]) ?? output[start...]
        let failure: OutputError
        do throws(JSONSyntaxError) {
            if let blocks = blocks(in: try LenientJSON.parse(whole)) {
                let line = LenientJSON.line(of: start, in: output)
                var found = Found(blocks: blocks, line: line)
                if !output[whole.endIndex...].trimmed.isEmpty {
                    found.notes.append("what follows the object of line \(line) is not a whole object")
                }
                return found
            }
            failure = OutputError("output is JSON, but no object such as {\"full_text\": \"62 %\"}")
        } catch {
            failure = LenientJSON.error(error, in: whole, of: output)
        }
        throw failure
    }

    /// The last line that is an object by itself. Among lines of text it has to have a text.
    private static func lastLine(in output: [UInt8], isJSON: Bool) -> Found? {
        var end = output.endIndex
        var tries = 0
        var isCut = false
        while end > output.startIndex, tries < mostTries {
            let start = output[..<end].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? output.startIndex
            let line = output[start..<end].trimmed
            end = start > output.startIndex ? start - 1 : output.startIndex
            guard !line.isEmpty else { continue }
            tries += 1
            let value = withoutCommas(line)
            if value.first == UInt8(ascii: "{") || value.first == UInt8(ascii: "["),
                let json = try? LenientJSON.parse(value),
                // A line of status that is empty has nothing to show.
                let blocks = json.arrayValue?.isEmpty == true ? [] : blocks(in: json),
                isJSON || blocks.contains(where: { $0.contains("full_text") })
            {
                let number = LenientJSON.line(of: start, in: output)
                var found = Found(blocks: blocks, line: number)
                if isCut { found.notes.append("what follows line \(number) is not a whole object") }
                if let text = firstText(in: output[..<start]) {
                    found.notes.append("line \(text) is not an object, and the one in line \(number) counts")
                }
                return found
            }
            isCut = isCut || !isFrame(value)
        }
        return nil
    }

    /// The number of the first line that is not pure JSON.
    private static func firstText(in lines: ArraySlice<UInt8>) -> Int? {
        var lines = ByteLines(lines)
        while let line = lines.next() {
            let value = withoutCommas(line.trimmed)
            if let first = value.first, first != UInt8(ascii: "{"), first != UInt8(ascii: "[") { return lines.number }
        }
        return nil
    }

    /// Whether a line only opens or closes the endless array of the protocol, or is the header before it.
    static func isFrame(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.count > 1 else { return line.first.map("[]".utf8.contains) ?? false }
        return line.first == UInt8(ascii: "{") && line.position(of: "\"version\"") != nil
            && line.position(of: "\"full_text\"") == nil
    }

    /// In an endless array, a comma comes before or after each element.
    private static func withoutCommas(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var line = line
        if line.first == UInt8(ascii: ",") { line = line.dropFirst().trimmed }
        if line.last == UInt8(ascii: ",") { line = line.dropLast().trimmed }
        return line
    }

    /// The object, or those of an array; nil if there is none. The header of the protocol does not count.
    private static func blocks(in json: JSON) -> [JSONObject]? {
        let objects = json.arrayValue?.compactMap(\.objectValue) ?? [json.objectValue].compactMap(\.self)
        let isHeader = objects.count == 1 && objects[0].contains("version") && !objects[0].contains("full_text")
        return objects.isEmpty || isHeader ? nil : objects
    }
}

// MARK: - Its keys

extension I3BarObject {
    /// The keys of a block, which the protocol documents.
    static let keys = strings + flags + numbers + ["min_width"]
    private static let strings = [
        "full_text", "short_text", "color", "background", "border", "align", "name", "instance", "markup",
    ]
    private static let flags = ["urgent", "separator"]
    private static let numbers = [
        "border_top", "border_right", "border_bottom", "border_left", "separator_block_width",
    ]

    /// What a value should be, in words; nil if it is right. The protocol ignores unknown keys.
    private static func expectation(of key: String, _ value: JSON) -> String? {
        if strings.contains(key) { return value.stringValue == nil ? "a string" : nil }
        if flags.contains(key) { return value.boolValue == nil ? "true or false" : nil }
        if numbers.contains(key) { return value.doubleValue == nil ? "a number" : nil }
        guard key == "min_width" else { return nil }
        return value.doubleValue == nil && value.stringValue == nil ? "a number or a string" : nil
    }

    /// Shows several blocks side by side, and in the expanded view one below the other. Blocks without a separator between them
    /// are one, of which a program colours the parts.
    static func read(_ found: Found, into read: inout ReadContent) {
        var blocks: [Content] = []
        var joint: String?
        for object in found.blocks {
            read.content = Content(text: "")
            self.read(object, line: found.line, into: &read)
            let text = LenientJSON.text(object["full_text"])
            // i3bar leaves out a block without a text, and its separator.
            if text.isEmpty { continue }
            let block = read.content
            if let joint, let last = blocks.indices.last {
                blocks[last].append(block, after: text.first == " " ? " " : joint)
            } else if block.text.isEmpty {
                continue
            } else {
                blocks.append(block)
            }
            joint = self.joint(after: object, text)
        }
        guard blocks.count > 1 else {
            if let block = blocks.first { read.content = block }
            return
        }
        var content = Content(text: LenientText.summary(blocks.map(\.text).joined(separator: " · ")))
        if blocks.contains(where: { $0.short != nil }) {
            content.short = LenientText.short(blocks.map { $0.short ?? $0.text }.joined(separator: " · "))
        }
        if blocks.contains(where: { $0.severity == .critical }) { content.severity = .critical }
        var rows = RowList()
        for block in blocks {
            var row = View.Text(block.text)
            row.color = block.color
            rows.add(.text(row), bytes: block.text.utf8.count)
        }
        content.expanded = .stack(View.Stack(.vertical, rows.views("block")))
        read.content = content
    }

    /// What stands between a block and the next one; nil if i3bar draws a separator there.
    private static func joint(after block: JSONObject, _ text: String) -> String? {
        guard block["separator"]?.boolValue == false else { return nil }
        let hasGap = block["separator_block_width"]?.doubleValue != 0
        return hasGap || text.last == " " ? " " : ""
    }

    private static func read(_ object: JSONObject, line: Int, into read: inout ReadContent) {
        for (key, value) in object where value != .null {
            // Programs may add keys of their own.
            if !keys.contains(key), let nearest = nearestName(to: key, among: keys) {
                read.note("line \(line): \(key): unknown field, did you mean \(JSONField.quoted(nearest))?")
            }
            guard let expected = expectation(of: key, value) else { continue }
            read.note("line \(line): \(key): expected \(expected), found \(value.kind)")
        }
        if let text = object["color"]?.stringValue, !text.isEmpty {
            read.content.color = CSSColor.color(text)
            if read.content.color == nil {
                read.note("line \(line): color: \(JSONField.quoted(text)) is not a colour such as #ff0000")
            }
        }
        let isMarkup = object["markup"]?.stringValue == "pango"
        if object["full_text"] == nil { read.note("line \(line): full_text is missing") }
        I3BlocksFormat.setText(
            LenientJSON.text(object["full_text"]), isMarkup: isMarkup, at: "line \(line): full_text", in: &read)
        read.content.short = I3BlocksFormat.short(
            LenientJSON.text(object["short_text"]), isMarkup: isMarkup, at: "line \(line): short_text", noting: &read)
        if object["urgent"]?.boolValue == true { read.content.severity = .critical }
    }
}

extension Content {
    /// Adds the text of another block.
    fileprivate mutating func append(_ block: Content, after joint: String) {
        if short != nil || block.short != nil {
            short = LenientText.short((short ?? text) + joint + (block.short ?? block.text))
        }
        text = LenientText.summary(text + joint + block.text)
        color = color ?? block.color
        if block.severity == .critical { severity = .critical }
    }
}
