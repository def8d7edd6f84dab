// SPDX-License-Identifier: MIT
import Spelling

/// The places of a user as other languages spell them, in the words of a shell: `Path.home() / ".cache" / "x"` and
/// `os.path.join(os.environ["HOME"], ".cache", "x")` are `"$HOME/.cache/x"`, and `f"{Path.home()}/x"` is `f"$HOME/x"`.
struct SpelledPaths {
    private let line: [Character]

    private static let homes = ["Path.home()", "homedir()", "Dir.home", "expanduser(\"~\")", "env.HOME"].map {
        Array($0)
    }
    /// How a variable of the environment is read.
    private static let accesses = ["environ[", "environ.get(", "getenv(", "ENV[", "ENV.fetch("].map { Array($0) }
    private static let variables = SandboxWishes.places.keys.map { Array("\"\($0)\"") }

    static func inShell(_ line: Substring) -> String {
        guard ["ome", "HOME", "XDG", "~"].contains(where: line.includes) else { return String(line) }
        return SpelledPaths(line: Array(line)).translated
    }

    private var translated: String {
        var text = ""
        var position = 0
        while position < line.count {
            guard let place = place(at: position) else {
                text.append(line[position])
                position += 1
                continue
            }
            // What qualifies the name was copied before: os.environ[
            if let last = text.last, "([".contains(last), place.isInBrackets { text.removeLast() }
            while let last = text.last, last.isLetter || last == "." || last == "_" { text.removeLast() }
            let (before, end) = (text.last, place.end)
            if before == "{", end < line.count, line[end] == "}" {
                text.removeLast()
                if let last = text.last, "$#".contains(last) { text.removeLast() }
                text += "$\(place.name)"
                position = end + 1
            } else {
                let (parts, next) = parts(after: end, isList: text.trimmed.hasSuffix("join("))
                text += "\"$\(place.name)\(parts)\""
                position = next
            }
        }
        return text
    }

    /// The name of the variable that is spelled here, and where that ends.
    private func place(at position: Int) -> (name: String, isInBrackets: Bool, end: Int)? {
        for home in Self.homes where spells(home, at: position) { return ("HOME", false, position + home.count) }
        guard Self.accesses.contains(where: { line[..<position].suffix($0.count).elementsEqual($0) }),
            let variable = Self.variables.first(where: { spells($0, at: position) })
        else { return nil }
        // A default may follow: os.environ.get("XDG_CACHE_HOME", "/tmp")
        var (depth, end) = (1, position + variable.count)
        while end < line.count, depth > 0 {
            if "([".contains(line[end]) { depth += 1 } else if ")]".contains(line[end]) { depth -= 1 }
            end += 1
        }
        return (String(variable.dropFirst().dropLast()), true, end)
    }

    private func spells(_ text: [Character], at position: Int) -> Bool {
        line[position...].prefix(text.count).elementsEqual(text) { $0 == $1 || $0 == "'" && $1 == "\"" }
    }

    /// The quoted texts that are added to a path, each after a `/` or a `+`, or in a list after a comma.
    private func parts(after start: Int, isList: Bool) -> (String, end: Int) {
        var (parts, end) = ("", start)
        while true {
            var position = end
            func skip(_ characters: String) {
                while position < line.count, characters.contains(line[position]) { position += 1 }
            }
            skip(isList ? " " : " )")
            guard position < line.count, "/+".contains(line[position]) || isList && line[position] == "," else { break }
            position += 1
            skip(" fr")
            guard position < line.count, "\"'".contains(line[position]),
                let close = line[(position + 1)...].firstIndex(of: line[position])
            else { break }
            let part = String(line[(position + 1)..<close])
            parts += part.hasPrefix("/") ? part : "/\(part)"
            end = close + 1
        }
        return (parts, end)
    }
}
