// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// Reads output as the hosts of other dialects do: it drops bytes that are not text, and never fails.
enum LenientText {
    /// The lines of the output, without line ends; a byte-order mark and carriage returns before line feeds are left out.
    ///
    /// - Parameters:
    ///   - most: how many lines are returned; `count` has how many there are.
    ///   - first: the number of the first line in notes.
    static func lines(
        of output: [UInt8], most: Int, from first: Int = 1, noting note: (String) -> Void
    ) -> (lines: [String], count: Int) {
        var bytes = output[...].withoutByteOrderMark
        var lines: [String] = []
        var count = 0
        while !bytes.isEmpty {
            let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
            if lines.count < most {
                var line = bytes[..<end]
                if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
                if !line.contains(0), let text = String(validating: line, as: UTF8.self) {
                    lines.append(text)
                } else {
                    note("line \(first + count) has bytes that are not text")
                    lines.append(String(decoding: line.filter { $0 != 0 }, as: UTF8.self))
                }
            }
            count += 1
            bytes = end < bytes.endIndex ? bytes[(end + 1)...] : []
        }
        return (lines, count)
    }

    /// The text as widgets may have it: one line without escape sequences and control characters, and at most this long.
    static func line(_ text: String, upTo bytes: Int = ContentLimits.textBytes) -> String {
        text.utf8.count <= bytes ? PlainText.line(text) : PlainText.line(text, upTo: bytes - 3)
    }
}

extension LenientText {
    /// The output as UTF-8, without a byte-order mark and NUL. Invalid bytes become U+FFFD.
    static func bytes(of output: [UInt8], noting note: (String) -> Void) -> [UInt8] {
        let bytes = output[...].withoutByteOrderMark
        guard bytes.contains(0) || String(validating: bytes, as: UTF8.self) == nil else { return Array(bytes) }
        var notes = 0
        var lines = ByteLines(bytes)
        while notes < ReadContent.mostNotes, let line = lines.next() {
            guard line.contains(0) || String(validating: line, as: UTF8.self) == nil else { continue }
            note("line \(lines.number) has bytes that are not text")
            notes += 1
        }
        return Array(String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self).utf8)
    }

    /// A line of the summary, without white space around it.
    static func summary(_ text: String) -> String {
        trimmed(line(trimmed(text), upTo: ContentLimits.summaryBytes))
    }

    /// Nil for a blank text.
    static func short(_ text: String) -> String? {
        let line = summary(text)
        return line.isEmpty ? nil : line
    }

    /// Several lines of text, without blank lines around them, as many as fit; nil if nothing remains.
    static func block(_ lines: [String], upTo bytes: Int = ContentLimits.textBytes) -> String? {
        var block = ""
        var blank = 0
        for text in lines {
            let line = withoutSpaceAtTheEnd(Self.line(text, upTo: bytes))
            if line.isEmpty {
                blank += 1
                continue
            }
            let feeds = block.isEmpty ? 0 : blank + 1
            guard block.utf8.count + feeds + line.utf8.count <= bytes else { break }
            block += String(repeating: "\n", count: feeds) + line
            blank = 0
        }
        return block.isEmpty ? nil : block
    }

    /// The same for a text in which a carriage return also ends a line.
    static func block(_ text: String) -> String? { block(split(text).lines) }

    /// The lines of a text in which a line feed, a carriage return, or both together end a line.
    static func split(_ text: String, most: Int = 1_000) -> (lines: [String], count: Int) {
        var lines: [String] = []
        var count = 0
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let end = rest.firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? rest.endIndex
            if count < most { lines.append(String(decoding: rest[..<end], as: UTF8.self)) }
            count += 1
            let isPair = rest[end...].starts(with: [UInt8(ascii: "\r"), UInt8(ascii: "\n")])
            rest = rest[end...].dropFirst(isPair ? 2 : 1)
        }
        return (lines, count)
    }

    static func trimmed(_ text: String) -> String { String(Substring(text.utf8.trimming(\.isSpace))) }

    static func withoutSpaceAtTheEnd(_ text: String) -> String {
        guard let last = text.utf8.lastIndex(where: { !$0.isSpace }) else { return "" }
        return String(Substring(text.utf8[...last]))
    }
}

/// The lines of an output, one after the other, without line ends and with their numbers.
struct ByteLines: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>
    /// The number of the line that `next` returned last, counted from 1.
    private(set) var number = 0

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func next() -> ArraySlice<UInt8>? {
        guard !rest.isEmpty else { return nil }
        number += 1
        let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
        let line = rest[..<end]
        rest = rest[end...].dropFirst()
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
}

extension ArraySlice<UInt8> {
    var text: String { String(decoding: self, as: UTF8.self) }
}
