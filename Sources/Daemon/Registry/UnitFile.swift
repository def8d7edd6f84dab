// SPDX-License-Identifier: MIT
import Platform
import Spelling
import TodayModel

/// The assignments of a file in the syntax of systemd.syntax(7). ManifestReader and Settings interpret the keys.
package struct UnitFile: Hashable, Sendable {
    /// `Key[locale]=value`, in the order of the file.
    struct Assignment: Hashable, Sendable {
        var section: String
        var key: String
        var locale: String?
        var value: String
        var line: Int
        /// The column of the key, in characters from 1.
        var column = 1
        /// The column of the value; nil if it is empty, or on a continued line.
        var valueColumn: Int?
        /// The column of the end of its first line, after which the value may continue.
        var endColumn = Int.max
    }

    /// The beginning of a line, which may be continued.
    private struct Place {
        let line: Int
        /// The blanks before it.
        let indent: Int
        /// The bytes before its continuation.
        let length: Int

        /// The column of a byte; nil if it is on a continued line.
        func column(of index: Int, in line: ArraySlice<UInt8>) -> Int? {
            guard index - line.startIndex < length else { return nil }
            return indent + UnitFile.characters(line[..<index]) + 1
        }
    }

    /// A longer file is refused: no manifest that is written by hand is as long.
    static let maximumSize = 64 << 10

    let path: String
    private(set) var assignments: [Assignment] = []
    private(set) var complaints: [Complaint] = []

    private var section: String?
    private var sectionIsKnown = false
    private let sections: Set<String>

    /// - Parameter sections: the known sections. `[X-…]` is for other programs and ignored.
    init(path: String, bytes: [UInt8], sections: Set<String>) {
        self.path = path
        self.sections = sections
        if let (offset, reason) = Self.invalidText(in: bytes) {
            let (line, column) = Self.place(of: offset, in: bytes)
            complaints = [.error(path, line, reason, column: column)]
            return
        }
        var rest = bytes[...].withoutByteOrderMark
        var number = 0
        var logical: [UInt8] = []
        var first: Place?
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            var line = rest[..<end]
            rest = end == rest.endIndex ? rest[end...] : rest[(end + 1)...]
            number += 1
            if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
            let begin = line.startIndex
            line = line.drop(while: Self.isBlank)
            let place = Place(line: number, indent: line.startIndex - begin, length: line.count)
            let isComment = line.first == UInt8(ascii: "#") || line.first == UInt8(ascii: ";")
            // A comment within a continued line does not end it (systemd.syntax(7)).
            if isComment || (line.isEmpty && first == nil) { continue }
            if Self.isContinued(line) {
                first = first ?? place
                logical += line.dropLast()
                logical.append(UInt8(ascii: " "))
                continue
            }
            if let start = first {
                parse((logical + line)[...], start)
                logical = []
                first = nil
            } else {
                parse(line, place)
            }
        }
        if let first { parse(logical[...], first) }
    }

    private mutating func parse(_ line: ArraySlice<UInt8>, _ place: Place) {
        let (line, number) = (line.trimming(Self.isBlank), place.line)
        guard let opening = line.first else { return }
        let column = place.indent + 1
        if opening == UInt8(ascii: "[") {
            beginSection(line, number, column)
            return
        }
        guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else {
            complaints.append(.error(path, number, "neither a [Section] nor Key=Value", column: column))
            return
        }
        guard let section else {
            complaints.append(.error(path, number, "an assignment before the first [Section]", column: column))
            return
        }
        guard sectionIsKnown else { return }
        var key = line[..<equals].trimming(Self.isBlank)
        var locale: String?
        if key.last == UInt8(ascii: "]"), let bracket = key.firstIndex(of: UInt8(ascii: "[")) {
            locale = String(decoding: key[(bracket + 1)...].dropLast(), as: UTF8.self)
            key = key[..<bracket].trimming(Self.isBlank)
        }
        let value = line[(equals + 1)...].trimming(Self.isBlank)
        assignments.append(
            Assignment(
                section: section, key: String(decoding: key, as: UTF8.self), locale: locale,
                value: String(decoding: value, as: UTF8.self), line: number, column: column,
                valueColumn: place.column(of: value.startIndex, in: line),
                endColumn: place.indent + Self.characters(line.prefix(place.length)) + 1))
    }

    private mutating func beginSection(_ line: ArraySlice<UInt8>, _ number: Int, _ column: Int) {
        guard line.last == UInt8(ascii: "]") else {
            complaints.append(.error(path, number, "the section's name has no closing ]", column: column))
            return
        }
        let name = String(decoding: line.dropFirst().dropLast(), as: UTF8.self)
        section = name
        sectionIsKnown = sections.contains(name)
        if !sectionIsKnown, !name.hasPrefix("X-") {
            let known = sections.sorted().map { "[\($0)]" }.joined(separator: " ")
            let reason = "unknown section [\(name)]; known are \(known)"
            complaints.append(.warning(path, number, reason, column: column))
        }
    }

    /// Why the bytes are not text: a NUL byte, invalid UTF-8, or too many combining marks.
    private static func invalidText(in bytes: [UInt8]) -> (offset: Int, reason: String)? {
        if let offset = bytes.firstIndex(of: 0) {
            return (offset, "contains a NUL byte, at offset \(offset)")
        }
        // Finding the place takes ten times as long, and most files are valid.
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let offset = InvalidUTF8.firstOffset(in: bytes[...]) ?? 0
            return (offset, "is not UTF-8, at offset \(offset)")
        }
        var marks = CombiningMarks()
        guard let index = text.unicodeScalars.firstIndex(where: { marks.exceed(with: $0) }) else { return nil }
        let offset = text.utf8.distance(from: text.startIndex, to: index)
        return (offset, "more than \(CombiningMarks.most) combining marks on one letter")
    }

    private static func place(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
        let before = bytes[..<offset]
        let begin = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return (before.count { $0 == UInt8(ascii: "\n") } + 1, characters(bytes[begin..<offset]) + 1)
    }

    /// How many Unicode characters begin in these bytes of UTF-8.
    private static func characters(_ bytes: ArraySlice<UInt8>) -> Int { bytes.count { $0 & 0xc0 != 0x80 } }

    private static func isContinued(_ line: ArraySlice<UInt8>) -> Bool {
        // An even number of backslashes is escaped backslashes.
        line.reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte.isBlank || byte == UInt8(ascii: "\r")
    }
}
