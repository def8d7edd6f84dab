// SPDX-License-Identifier: MIT
import TodayModel

/// Output as text: valid UTF-8, not too long, without the byte-order mark that some editors put in front.
enum OutputText {
    private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

    static func decode(_ output: [UInt8]) throws(OutputError) -> String {
        let bytes = output.starts(with: byteOrderMark) ? output[byteOrderMark.count...] : output[...]
        guard bytes.count <= ContentLimits.contentBytes else {
            throw OutputError("output is longer than \(ContentLimits.contentBytes) bytes")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw notUTF8(bytes) }
        return text
    }

    /// Blanks and line ends: what JSON takes for white space.
    static func isSpace(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
        default: false
        }
    }

    /// Finds the first place that is not UTF-8. Called only when there is one.
    private static func notUTF8(_ bytes: ArraySlice<UInt8>) -> OutputError {
        var parser = UTF8.ForwardParser()
        var input = bytes.makeIterator()
        var offset = bytes.startIndex
        var line = 1
        while case .valid(let scalar) = parser.parseScalar(from: &input) {
            offset += scalar.count
            if scalar.first == UInt8(ascii: "\n") { line += 1 }
        }
        guard offset < bytes.endIndex else { return OutputError("output is not UTF-8") }
        let digits = String(bytes[offset], radix: 16)
        return OutputError("output is not UTF-8: byte 0x\(digits.count < 2 ? "0" : "")\(digits) at line \(line)")
    }
}
