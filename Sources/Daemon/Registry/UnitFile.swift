// SPDX-License-Identifier: MIT
import Platform
import Spelling

/// The assignments of a file in the syntax of systemd.syntax(7). ManifestReader and Settings interpret the keys.
struct UnitFile: Hashable, Sendable {
    /// `Key[locale]=value`, in the order of the file.
    struct Assignment: Hashable, Sendable {
        var section: String
        var key: String
        var locale: String?
        var value: String
        var line: Int
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
        if let (line, reason) = Self.invalidText(in: bytes) {
            complaints = [.error(path, line, reason)]
            return
        }
        var rest = bytes[...]
        if rest.starts(with: [0xef, 0xbb, 0xbf]) { rest = rest.dropFirst(3) }
        var number = 0
        var logical: [UInt8] = []
        var first: Int?
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            var line = rest[..<end]
            rest = end == rest.endIndex ? rest[end...] : rest[(end + 1)...]
            number += 1
            if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
            line = line.drop(while: Self.isBlank)
            let isComment = line.first == UInt8(ascii: "#") || line.first == UInt8(ascii: ";")
            // A comment within a continued line does not end it (systemd.syntax(7)).
            if isComment || (line.isEmpty && first == nil) { continue }
            if Self.isContinued(line) {
                first = first ?? number
                logical += line.dropLast()
                logical.append(UInt8(ascii: " "))
                continue
            }
            if let start = first {
                parse((logical + line)[...], line: start)
                logical = []
                first = nil
            } else {
                parse(line, line: number)
            }
        }
        if let first { parse(logical[...], line: first) }
    }

    private mutating func parse(_ line: ArraySlice<UInt8>, line number: Int) {
        let line = Self.trimmed(line)
        guard let opening = line.first else { return }
        if opening == UInt8(ascii: "[") {
            beginSection(line, number)
            return
        }
        guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else {
            complaints.append(.error(path, number, "neither a [Section] nor Key=Value"))
            return
        }
        guard let section else {
            complaints.append(.error(path, number, "an assignment before the first [Section]"))
            return
        }
        guard sectionIsKnown else { return }
        var key = Self.trimmed(line[..<equals])
        var locale: String?
        if key.last == UInt8(ascii: "]"), let bracket = key.firstIndex(of: UInt8(ascii: "[")) {
            locale = String(decoding: key[(bracket + 1)...].dropLast(), as: UTF8.self)
            key = Self.trimmed(key[..<bracket])
        }
        assignments.append(
            Assignment(
                section: section, key: String(decoding: key, as: UTF8.self), locale: locale,
                value: String(decoding: Self.trimmed(line[(equals + 1)...]), as: UTF8.self), line: number))
    }

    private mutating func beginSection(_ line: ArraySlice<UInt8>, _ number: Int) {
        guard line.last == UInt8(ascii: "]") else {
            complaints.append(.error(path, number, "the section's name has no closing ]"))
            return
        }
        let name = String(decoding: line.dropFirst().dropLast(), as: UTF8.self)
        section = name
        sectionIsKnown = sections.contains(name)
        if !sectionIsKnown, !name.hasPrefix("X-") {
            let known = sections.sorted().map { "[\($0)]" }.joined(separator: " ")
            complaints.append(.warning(path, number, "unknown section [\(name)]; known are \(known)"))
        }
    }

    /// Why the bytes are no text: a NUL byte, invalid UTF-8, or too many combining marks.
    private static func invalidText(in bytes: [UInt8]) -> (line: Int, reason: String)? {
        func line(of offset: Int) -> Int {
            bytes[..<offset].reduce(1) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
        }
        if let offset = bytes.firstIndex(of: 0) {
            return (line(of: offset), "contains a NUL byte, at offset \(offset)")
        }
        if let offset = InvalidUTF8.firstOffset(in: bytes[...]) {
            return (line(of: offset), "is not UTF-8, at offset \(offset)")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        var marks = CombiningMarks()
        guard let index = text.unicodeScalars.firstIndex(where: { marks.exceed(with: $0) }) else { return nil }
        let offset = text.utf8.distance(from: text.startIndex, to: index)
        return (line(of: offset), "more than \(CombiningMarks.most) combining marks on one letter")
    }

    private static func isContinued(_ line: ArraySlice<UInt8>) -> Bool {
        // An even number of backslashes is escaped backslashes.
        line.reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes.drop(while: isBlank)
        while let last = bytes.last, isBlank(last) { bytes = bytes.dropLast() }
        return bytes
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }
}
