// SPDX-License-Identifier: MIT

/// The parts of an output with the tags of xfce4-genmon.
struct GenmonTags {
    enum Name: String, CaseIterable {
        case txt, img, tool, bar, click, txtclick, icon, iconclick, css
    }

    private struct Tag {
        let name: Name
        let isClosing: Bool
        let start: Int
        let end: Int
    }

    private var contents: [Name: ArraySlice<UInt8>] = [:]
    /// What is wrong with the tags.
    private(set) var notes: [String] = []

    /// Whether there is any tag. An output without tags is text.
    var isEmpty: Bool { contents.isEmpty }

    /// What is between the first tag of a name and its end. Without an end it goes to the next tag, or to the end of the
    /// output.
    subscript(name: Name) -> String? { contents[name]?.trimmed.text }

    init(_ output: [UInt8]) {
        var open: Tag?
        func close(at end: Int) {
            guard let tag = open else { return }
            open = nil
            if contents[tag.name] == nil { contents[tag.name] = output[tag.end..<end] }
        }
        var place = output.startIndex
        while let start = output[place...].firstIndex(of: UInt8(ascii: "<")) {
            guard let tag = Self.tag(in: output, at: start) else {
                place = start + 1
                continue
            }
            place = tag.end
            if let before = open, !(tag.isClosing && tag.name == before.name) { note(before, in: output) }
            close(at: start)
            if !tag.isClosing { open = tag }
        }
        if let open { note(open, in: output) }
        close(at: output.endIndex)
    }

    private mutating func note(_ tag: Tag, in output: [UInt8]) {
        let note = "<\(tag.name.rawValue)> has no </\(tag.name.rawValue)>"
        if !notes.contains(note) { notes.append(note) }
    }

    /// The tag that begins here, in upper or lower case.
    private static func tag(in output: [UInt8], at start: Int) -> Tag? {
        let isClosing = output[(start + 1)...].first == UInt8(ascii: "/")
        let rest = output[(start + (isClosing ? 2 : 1))...]
        let word = rest.prefix(10).prefix { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7a }
        guard output[word.endIndex...].first == UInt8(ascii: ">"),
            let name = Name(rawValue: String(decoding: word.map { $0 | 0x20 }, as: UTF8.self))
        else { return nil }
        return Tag(name: name, isClosing: isClosing, start: start, end: word.endIndex + 1)
    }
}
