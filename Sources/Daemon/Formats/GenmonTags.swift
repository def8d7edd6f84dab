// SPDX-License-Identifier: MIT
import Spelling

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

    /// Whether the output has no tags, and so is plain text.
    var isEmpty: Bool { contents.isEmpty }

    /// The text between the first tag of a name and its closing tag. Without a closing tag, the text extends to the next tag or
    /// to the end of the output.
    subscript(name: Name) -> String? { contents[name]?.trimmed.text }

    init(_ output: [UInt8]) {
        var open: Tag?
        var unknown: [(name: String, place: Int)] = []
        func close(at end: Int) {
            guard let tag = open else { return }
            open = nil
            if contents[tag.name] == nil { contents[tag.name] = output[tag.end..<end] }
        }
        var place = output.startIndex
        while let start = output[place...].firstIndex(of: UInt8(ascii: "<")) {
            guard let tag = Self.tag(in: output, at: start) else {
                if open == nil, unknown.count < ReadContent.mostNotes, let name = Self.word(in: output, at: start) {
                    unknown.append((name, start))
                }
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
        for (name, place) in unknown { noteUnknown(name, at: place, in: output) }
    }

    /// If there are tags, text outside of them is not shown; without tags, the whole output is text with markup.
    private mutating func noteUnknown(_ name: String, at place: Int, in output: [UInt8]) {
        if PangoText.isTag(name) { return }
        let nearest = nearestName(to: name, among: Name.allCases.map(\.rawValue))
        if isEmpty, nearest == nil { return }
        let hint = nearest.map { ", did you mean <\($0)>?" } ?? ""
        notes.append("line \(LenientJSON.line(of: place, in: output)): unknown tag <\(name)>\(hint)")
    }

    /// The name of any tag that opens here.
    private static func word(in output: [UInt8], at start: Int) -> String? {
        let word = output[(start + 1)...].prefix(20).prefix { $0.isLetter || $0 == UInt8(ascii: "_") }
        guard !word.isEmpty, output[word.endIndex...].first == UInt8(ascii: ">") else { return nil }
        return word.text
    }

    private mutating func note(_ tag: Tag, in output: [UInt8]) {
        let note = "<\(tag.name.rawValue)> has no </\(tag.name.rawValue)>"
        if !notes.contains(note) { notes.append(note) }
    }

    /// The tag that begins here, in upper or lower case.
    private static func tag(in output: [UInt8], at start: Int) -> Tag? {
        let isClosing = output[(start + 1)...].first == UInt8(ascii: "/")
        let rest = output[(start + (isClosing ? 2 : 1))...]
        let word = rest.prefix(10).prefix(while: \.isLetter)
        guard output[word.endIndex...].first == UInt8(ascii: ">"),
            let name = Name(rawValue: String(decoding: word.map { $0 | 0x20 }, as: UTF8.self))
        else { return nil }
        return Tag(name: name, isClosing: isClosing, start: start, end: word.endIndex + 1)
    }
}
