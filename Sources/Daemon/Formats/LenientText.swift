// SPDX-License-Identifier: MIT
import TodayModel

/// Reads output as the hosts of other dialects do: what is not text is left out, and is never a failure.
enum LenientText {
    /// The lines of the output, without line ends; a byte-order mark and carriage returns before line feeds are left out.
    ///
    /// - Parameters:
    ///   - most: how many lines are returned; `count` has how many there are.
    ///   - first: the number of the first line in notes.
    static func lines(
        of output: [UInt8], most: Int, from first: Int = 1, noting note: (String) -> Void
    ) -> (lines: [String], count: Int) {
        var bytes = output[...]
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { bytes = bytes.dropFirst(3) }
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

    /// The text as a widget may give it: one line without escape sequences and control characters, at most this long.
    static func line(_ text: String, upTo bytes: Int = ContentLimits.textBytes) -> String {
        text.utf8.count <= bytes ? PlainText.line(text) : PlainText.line(text, upTo: bytes - 3)
    }
}
