// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// `Protocol=keyvalue`: a field of content in each line, `text=62 %` (docs/content.md). The lines become the JSON of
/// `Protocol=json`, whose reader checks them.
enum KeyValueFormat {
    static func content(from output: [UInt8]) throws(OutputError) -> ReadContent {
        let text = try OutputText.decode(output)
        var fields = KeyValueFields()
        var lines = ByteLines(Array(text.utf8)[...])
        var isFirst = true
        while let bytes = lines.next() {
            let line = bytes.trimmed
            guard let first = line.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";") else { continue }
            if let (key, value) = assignment(line) {
                try fields.set(key, value, line: lines.number)
            } else if isFirst {
                throw OutputError(
                    "line \(lines.number): \(JSONField.quoted(line.prefix(64).text)) is no key=value; "
                        + "Protocol=keyvalue wants lines such as text=62 %")
            } else {
                fields.note("line \(lines.number): \(JSONField.quoted(line.prefix(64).text)) is no key=value")
            }
            isFirst = false
        }
        guard !isFirst else { throw .empty }
        var read = ReadContent(try content(of: fields))
        for note in fields.notes { read.note(note) }
        return read
    }

    private static func content(of fields: KeyValueFields) throws(OutputError) -> Content {
        let object = fields.object
        guard object.contains("text") || object["empty"] == true else {
            throw OutputError("there is no text=, the summary in one line; write text=… or empty=yes")
        }
        do throws(JSONMismatch) {
            return try Content(JSONField(root: .object(object)))
        } catch {
            throw fields.error(error)
        }
    }

    /// A key of letters and what belongs to it behind a dot, and the value without quotes.
    private static func assignment(_ line: ArraySlice<UInt8>) -> (key: KeyValueFields.Key, value: String)? {
        guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let key = line[..<equals].trimmed
        let name = key.prefix { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7a }
        let rest = key.dropFirst(name.count)
        guard !name.isEmpty, name.count <= 64, rest.isEmpty || rest.first == UInt8(ascii: ".") else { return nil }
        let detail = rest.isEmpty ? nil : rest.dropFirst().trimmed.text
        return (KeyValueFields.Key(name: name.text, detail: detail), unquoted(line[(equals + 1)...].trimmed).text)
    }

    /// Quotes keep spaces at the ends of a value. There are no escapes in them.
    private static func unquoted(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard value.count >= 2, let quote = value.first, quote == value.last,
            quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        else { return value }
        return value.dropFirst().dropLast()
    }
}
