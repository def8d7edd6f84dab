// SPDX-License-Identifier: MIT
import Spelling

extension JSON {
    /// Appends the value without any white space.
    package func write(to bytes: inout [UInt8]) { JSONWriter.write(self, to: &bytes) }

    /// The value on one line.
    package var text: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The value for people: one member per line, indented by two spaces.
    package var pretty: String {
        var bytes: [UInt8] = []
        JSONWriter.writePretty(self, indent: 0, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension JSONObject {
    /// Appends the object without any white space.
    package func write(to bytes: inout [UInt8]) { JSONWriter.write(self, to: &bytes) }
}

/// Turns values into bytes that `JSON.parse` reads back as the same values.
///
/// It escapes only what RFC 8259 requires. A double has the shortest text that reads back as the same double, with a
/// point or an exponent. JSON has no infinity and no NaN, so they become null: a program may compute them, and
/// writing them must not trap.
enum JSONWriter {
    static func write(_ value: JSON, to bytes: inout [UInt8]) {
        switch value {
        case .object(let object): write(object, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            var isFirst = true
            for element in elements {
                if !isFirst { bytes.append(UInt8(ascii: ",")) }
                isFirst = false
                write(element, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        default: writeScalar(value, to: &bytes)
        }
    }

    static func write(_ object: JSONObject, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        for (key, value) in object {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            write(key, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            write(value, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    static func writePretty(_ value: JSON, indent: Int, to bytes: inout [UInt8]) {
        switch value {
        case .object(let object) where !object.isEmpty:
            writeLines(object, in: ("{", "}"), indent: indent, to: &bytes) { member, bytes in
                write(member.key, to: &bytes)
                bytes.append(contentsOf: ": ".utf8)
                writePretty(member.value, indent: indent + 2, to: &bytes)
            }
        case .array(let elements) where !elements.isEmpty:
            writeLines(elements, in: ("[", "]"), indent: indent, to: &bytes) { element, bytes in
                writePretty(element, indent: indent + 2, to: &bytes)
            }
        default: write(value, to: &bytes)
        }
    }

    private static func writeLines<Items: Sequence>(
        _ items: Items, in brackets: (String, String), indent: Int, to bytes: inout [UInt8],
        writeItem: (Items.Element, inout [UInt8]) -> Void
    ) {
        var separator = brackets.0
        for item in items {
            bytes.append(contentsOf: separator.utf8)
            startLine(indent + 2, in: &bytes)
            writeItem(item, &bytes)
            separator = ","
        }
        startLine(indent, in: &bytes)
        bytes.append(contentsOf: brackets.1.utf8)
    }

    private static func startLine(_ indent: Int, in bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indent))
    }

    private static func writeScalar(_ value: JSON, to bytes: inout [UInt8]) {
        switch value {
        case .bool(true): bytes.append(contentsOf: "true".utf8)
        case .bool(false): bytes.append(contentsOf: "false".utf8)
        case .int(let number): write(number, to: &bytes)
        case .double(let number) where number.isFinite: bytes.append(contentsOf: number.description.utf8)
        case .string(let string): write(string, to: &bytes)
        case .null, .double, .array, .object: bytes.append(contentsOf: "null".utf8)
        }
    }

    /// `description` takes ten times as long, and a chart has thousands of numbers.
    private static func write(_ number: Int64, to bytes: inout [UInt8]) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        let magnitude = number.magnitude
        var unit: UInt64 = 1
        while magnitude / unit >= 10 { unit *= 10 }
        while unit > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude / unit % 10))
            unit /= 10
        }
    }

    private static func write(_ string: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var string = string
        string.withUTF8 { utf8 in
            var plainStart = 0
            for position in utf8.indices {
                let byte = utf8[position]
                if byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") { continue }
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[plainStart..<position]))
                writeEscape(byte, to: &bytes)
                plainStart = position + 1
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[plainStart...]))
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func writeEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default: bytes.append(contentsOf: "u\(byte.digits(4, radix: 16))".utf8)
        }
    }
}
