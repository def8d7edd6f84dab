// SPDX-License-Identifier: MIT
import JSON
import Spelling
import TodayModel

/// `Protocol=keyvalue`: a field of content in each line, `text=62 %` (docs/content.md). The lines become the JSON of
/// `Protocol=json`, whose reader checks them.
enum KeyValueFormat {
    static func content(from output: [UInt8]) throws(OutputError) -> ReadContent {
        let text = try OutputText.decode(output)
        var fields = KeyValueFields()
        var lines = ByteLines(Array(text.utf8)[...])
        var isFirst = true
        /// A line that was probably meant as text=.
        var wrongLine: String?
        while let bytes = lines.next() {
            let line = bytes.trimmed
            guard let first = line.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";") else { continue }
            let number = lines.number
            let place = { "line \(number): \(JSONField.quoted(line.prefix(64).text))" }
            if let equals = line.firstIndex(of: UInt8(ascii: "=")) {
                if let key = key(line[..<equals].trimmed) {
                    try fields.set(key, unquoted(line[(equals + 1)...].trimmed).text, line: number)
                } else {
                    wrongLine = wrongLine ?? place()
                    fields.note("\(place()) does not begin with a key, up to \(mostKeyBytes) of A-Z a-z 0-9 _ - .")
                }
            } else if isFirst {
                throw isNoAssignment(place())
            } else {
                fields.note("\(place()) is not key=value")
            }
            isFirst = false
        }
        guard !isFirst else { throw .empty }
        if let wrongLine, !fields.hasText { throw isNoAssignment(wrongLine) }
        var read = ReadContent(try content(of: fields))
        for note in fields.notes { read.note(note) }
        return read
    }

    private static func isNoAssignment(_ place: String) -> OutputError {
        OutputError("\(place) is not key=value; Protocol=keyvalue wants lines such as text=62 %")
    }

    private static func content(of fields: KeyValueFields) throws(OutputError) -> Content {
        let object = fields.object
        guard fields.hasText else {
            throw OutputError("there is no text=, the summary in one line; write text=… or empty=yes")
        }
        do throws(JSONMismatch) {
            return try Content(JSONField(root: .object(object)))
        } catch {
            throw fields.error(error)
        }
    }

    private static let mostKeyBytes = 64

    /// A name, and what follows its dot: `metric.free space`. Nil for text that cannot be a key. An unknown name is a key, and
    /// costs a note.
    private static func key(_ text: ArraySlice<UInt8>) -> KeyValueFields.Key? {
        let name = text.prefix { $0 != UInt8(ascii: ".") }
        let isName = name.allSatisfy { $0.isAlphanumeric || "_-".utf8.contains($0) }
        guard isName, !text.isEmpty, name.count <= mostKeyBytes else { return nil }
        let detail = name.count == text.count ? nil : text.dropFirst(name.count + 1).trimmed.text
        return KeyValueFields.Key(name: name.text, detail: detail)
    }

    /// Quotes keep spaces at the ends of a value. Within them there are no escapes.
    private static func unquoted(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard value.count >= 2, let quote = value.first, quote == value.last,
            quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        else { return value }
        return value.dropFirst().dropLast()
    }
}
