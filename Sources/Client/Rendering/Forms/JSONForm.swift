// SPDX-License-Identifier: MIT

/// JSON as it is written, which a terminal can show.
package enum JSONForm {
    /// Escapes the characters that a terminal obeys. In JSON, `\u` and four digits mean the same character (RFC 8259).
    package static func printable(_ json: String) -> String {
        guard json.utf8.contains(where: { $0 >= 0x7f }) else { return json }
        var result = String.UnicodeScalarView()
        for scalar in json.unicodeScalars {
            switch scalar.value {
            case 0x7f...0x9f, 0x202a...0x202e, 0x2066...0x2069, 0x2028...0x2029:
                let digits = String(scalar.value, radix: 16)
                result.append(
                    contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
