// SPDX-License-Identifier: MIT
import Spelling

/// Writes words so that the rules of systemd.syntax(7), "Quoting", and the specifiers of systemd.unit(5) read back as the same
/// words.
enum UnitQuoting {
    /// The word unquoted if no character in it has a meaning, otherwise in single quotes.
    static func word(_ text: String) -> String {
        isPlain(text) ? text : "'\(escaped(text))'"
    }

    /// A path, in which a leading `~` means the home directory.
    static func path(_ path: String) -> String {
        guard path != "~" else { return path }
        return path.hasPrefix("~/") && isPlain(String(path.dropFirst())) ? path : word(path)
    }

    /// Within quotes of either kind, backslashes escape as in C, and `%` begins a specifier.
    private static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count + 16)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "'": result += "\\'"
            case "%": result += "%%"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            case _ where scalar.value < 0x20 || scalar.value == 0x7f:
                result += "\\x\(scalar.value.digits(2, radix: 16))"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func isPlain(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0.isAlphanumeric || "_-./:=+,@".utf8.contains($0) }
    }
}
