// SPDX-License-Identifier: MIT
import TodayModel

/// `Protocol=polybar`: a line with the formatting tags of Polybar, `%{F#ff8000}62 used%{F-}` (docs/content.md).
enum PolybarFormat {
    static func content(from output: [UInt8]) -> ReadContent {
        var read = ReadContent(Content(text: ""))
        let bytes = LenientText.bytes(of: output) { read.note($0) }
        var lines = ByteLines(bytes[...])
        if let line = lines.next() {
            let parts = PolybarText(line)
            for note in parts.notes { read.note("line 1: \(note)") }
            read.content.text = LenientText.summary(parts.text)
            read.content.color = parts.color
        }
        while let line = lines.next() {
            guard line.trimmed.isEmpty else {
                read.note("line \(lines.number) and what follows are not shown: a module has one line")
                break
            }
        }
        read.content.isEmpty = read.content.text.isEmpty
        return read
    }
}

/// A line without its formatting tags, and the first colour in them.
struct PolybarText {
    private(set) var text = ""
    private(set) var color: Color?
    private(set) var notes: [String] = []

    init(_ line: ArraySlice<UInt8>) {
        let opening = Array("%{".utf8)
        var rest = line
        var plain: [UInt8] = []
        while let byte = rest.first {
            guard rest.starts(with: opening) else {
                plain.append(byte)
                rest.removeFirst()
                continue
            }
            guard let end = read(tagsIn: rest.dropFirst(opening.count)) else {
                note("a %{ has no end, and what follows is text")
                plain += rest
                break
            }
            rest = rest[end...]
        }
        text = String(decoding: plain, as: UTF8.self)
    }

    /// Reads what is between `%{` and `}`, and returns the index after the brace; nil if there is none.
    private mutating func read(tagsIn bytes: ArraySlice<UInt8>) -> Int? {
        var (found, hasAction): (Color?, Bool) = (nil, false)
        var rest = bytes
        while let byte = rest.first, byte != UInt8(ascii: "}") {
            let value = rest.dropFirst().prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "}") }
            switch byte {
            case UInt8(ascii: "A") where value.contains(UInt8(ascii: ":")):
                // The command may have spaces and braces; its own colons have a backslash.
                guard let end = Self.endOfCommand(rest) else { return nil }
                hasAction = true
                rest = rest[end...]
                continue
            case UInt8(ascii: "F"): found = found ?? Self.color(value)
            default: break
            }
            rest = byte == UInt8(ascii: " ") ? rest.dropFirst() : rest[value.endIndex...]
        }
        guard let end = rest.indices.first else { return nil }
        color = color ?? found
        if hasAction { note("the command of %{A: is not taken: a manifest has no commands for clicks") }
        return end + 1
    }

    private mutating func note(_ text: String) {
        if !notes.contains(text) { notes.append(text) }
    }

    /// The index after the second colon of `A1:command:`.
    private static func endOfCommand(_ tag: ArraySlice<UInt8>) -> Int? {
        guard let start = tag.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        var previous = UInt8(ascii: ":")
        for index in tag.indices.dropFirst(start + 1 - tag.startIndex) {
            if tag[index] == UInt8(ascii: ":"), previous != UInt8(ascii: "\\") { return index + 1 }
            previous = tag[index]
        }
        return nil
    }

    /// Polybar writes the opacity first: `#aarrggbb`, `#argb`.
    private static func color(_ value: ArraySlice<UInt8>) -> Color? {
        let opacity = value.count == 9 ? 2 : value.count == 5 ? 1 : 0
        return value.first == UInt8(ascii: "#") ? CSSColor.color("#\(value.dropFirst(1 + opacity).text)") : nil
    }
}
