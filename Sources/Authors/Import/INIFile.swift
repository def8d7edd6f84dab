// SPDX-License-Identifier: MIT
import Spelling

/// The lines of a file with `[section]` and `key=value`, as i3blocks and Polybar read it. A line that is neither costs a
/// remark and nothing else.
struct INIFile {
    enum Dialect {
        /// Values are taken as they are; `#` begins a comment.
        case i3blocks
        /// Blanks around keys and values are dropped, and so are quotes around values; `\\` is a backslash; `#` and `;` begin
        /// comments.
        case polybar
    }

    struct Entry: Equatable {
        var key: String
        var value: String
        var origin: Origin
    }

    enum Line: Equatable {
        case section(String, Origin)
        case entry(Entry)
    }

    private(set) var lines: [Line] = []

    init(_ text: [String], file: String, dialect: Dialect, _ notes: inout ImportNotes) {
        // Keys below a section whose name cannot be read belong to no other section.
        var isLost = false
        for (index, line) in text.enumerated() {
            let origin = Origin(file: file, line: index + 1)
            let trimmed = INIText.trimmed(line[...])
            guard let first = trimmed.utf8.first, first != UInt8(ascii: "#") else { continue }
            if dialect == .polybar, first == UInt8(ascii: ";") { continue }
            if first == UInt8(ascii: "[") {
                guard trimmed.utf8.last == UInt8(ascii: "]"), trimmed.utf8.count > 2 else {
                    isLost = true
                    notes.remark(.error, at: origin, "this is not a [section]; it is skipped with its keys")
                    continue
                }
                isLost = false
                lines.append(.section(String(trimmed.dropFirst().dropLast()), origin))
            } else if isLost {
                continue
            } else if let entry = Self.entry(trimmed, whole: line, dialect, origin) {
                lines.append(.entry(entry))
            } else {
                notes.remark(.error, at: origin, "this is neither a [section] nor key=value")
            }
        }
    }

    private static func entry(_ line: Substring, whole: String, _ dialect: Dialect, _ origin: Origin) -> Entry? {
        guard let equals = line.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let key = INIText.trimmed(line[..<equals])
        guard !key.isEmpty, !key.utf8.contains(where: \.isBlank) else { return nil }
        switch dialect {
        case .i3blocks:
            // The value with all its blanks: a label may end with one.
            guard let equals = whole.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let value = whole[whole.utf8.index(after: equals)...]
            return Entry(key: String(key), value: String(value), origin: origin)
        case .polybar:
            let value = INIText.trimmed(line[line.utf8.index(after: equals)...])
            return Entry(key: String(key), value: INIText.unescaped(value), origin: origin)
        }
    }
}

/// The texts of such a file.
enum INIText {
    static func trimmed(_ text: Substring) -> Substring { Substring(text.utf8.trimming(\.isBlank)) }

    /// A value of Polybar: two backslashes mean one, and quotes around the whole value are not part of it.
    static func unescaped(_ value: Substring) -> String {
        var bytes: [UInt8] = []
        var isEscape = false
        for byte in value.utf8 {
            if byte == UInt8(ascii: "\\"), isEscape {
                isEscape = false
                continue
            }
            isEscape = byte == UInt8(ascii: "\\")
            bytes.append(byte)
        }
        if bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") {
            bytes = Array(bytes.dropFirst().dropLast())
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
