// SPDX-License-Identifier: MIT
import Spelling

/// Commands for a shell.
enum ShellCommand {
    /// A script that runs the command if the condition exits with 0, and otherwise prints nothing and succeeds. Hosts do not
    /// show what the condition prints; the subshell keeps an `exit` in it from ending the script.
    static func conditional(_ command: String, if condition: String) -> String {
        if isSimple(command), isSimple(condition) { return "if ( \(condition) ) >/dev/null; then \(command); fi" }
        // The line ends keep a comment or a separator at the end of either from changing the rest.
        return "if (\n\(condition)\n) >/dev/null\nthen\n\(command)\nfi"
    }

    /// A script that runs one command after the other.
    static func sequence(_ first: String, _ second: String) -> String {
        "\(first)\(isSimple(first) ? "; " : "\n")\(second)"
    }

    /// Whether `;` may follow a command in the same line.
    private static func isSimple(_ command: String) -> Bool {
        let bytes = Array(command.utf8)
        let end = bytes.last { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        if end == UInt8(ascii: ";") || end == UInt8(ascii: "&") || end == UInt8(ascii: "\\") { return false }
        let special: [UInt8] = Array("#\n\r<".utf8)
        return !bytes.contains { special.contains($0) }
    }

    /// The name of the program that a command starts, for a program without a name: `curl` of `LANG=C curl -s wttr.in`,
    /// `weather` of `python3 ~/bin/weather.py`.
    static func programName(of command: String) -> String? {
        let start = String(decoding: command.utf8.prefix(1_024), as: UTF8.self)
        let names = start.split { $0.isWhitespace || ";&|(){}".contains($0) }.lazy
            .filter { $0.first != "-" && $0.first != "$" && !isAssignment($0) }
            .map { stem(of: $0.filter { $0 != "\"" && $0 != "'" }) }
        return names.first { !$0.isEmpty && !starters.contains($0) }
    }

    private static let starters: Set<String> = [
        "sh", "bash", "dash", "zsh", "fish", "ksh", "env", "exec", "sudo", "nice", "nohup", "timeout", "stdbuf",
        "python", "python2", "python3", "perl", "ruby", "node", "while", "if", "do", "then", "for", "true", ":", "!",
    ]

    private static func isAssignment(_ word: Substring) -> Bool {
        guard let equals = word.firstIndex(of: "=") else { return false }
        return word[..<equals].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }

    private static func stem(of path: String) -> String {
        let name = ImportFiles.name(of: path)
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }
}

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
