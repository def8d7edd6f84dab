// SPDX-License-Identifier: MIT

/// JSON as it is written, which a terminal can show.
package enum JSONForm {
    /// Escapes the characters that a terminal obeys. In JSON, `\u` and four digits mean the same character (RFC 8259).
    package static func printable(_ json: String) -> String {
        guard json.utf8.contains(where: { $0 >= 0x7f }) else { return json }
        var result = String.UnicodeScalarView()
        for scalar in json.unicodeScalars {
            // White space between values may be a line feed.
            guard scalar.isDisplayControl || scalar.isSeparator, scalar.value >= 0x7f else {
                result.append(scalar)
                continue
            }
            let digits = String(scalar.value, radix: 16)
            result.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars)
        }
        return String(result)
    }
}
