// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// The status commands of the bars of i3 and sway. Each stays, and prints lines of text or the i3bar protocol.
struct StatusCommandImport {
    /// The values of `set $name value`.
    private var variables: [String: String] = [:]
    private var commands: Set<String> = []
    /// Whether a bar shows todayd's widgets, and perhaps those that an earlier import made of its command.
    private var showsToday = false

    private static let mostVariables = 500
    private static let longestName = 64
    /// Programs whose own configuration can be imported, and their names for `import`.
    private static let hosts = ["i3blocks": "i3blocks", "i3status-rs": "i3status-rust"]

    static func read(_ path: String, _ notes: inout ImportNotes) {
        guard let bytes = notes.text(of: path) else { return }
        var reader = StatusCommandImport()
        reader.read(bytes, [path], &notes)
        if reader.showsToday { notes.keepEarlierManifests() }
    }

    /// - Parameter chain: the files that include each other, the last of which is read.
    private mutating func read(_ bytes: [UInt8], _ chain: [String], _ notes: inout ImportNotes) {
        let file = chain[chain.count - 1]
        var blocks: [Substring] = []
        var begun = ""
        for (index, line) in notes.lines(of: bytes, file: file).enumerated() {
            // A backslash at the end of a line continues it.
            guard !line.hasSuffix("\\") else {
                begun += line.dropLast()
                continue
            }
            let statement = (begun + line).trimmed
            begun = ""
            let words = statement.split(maxSplits: 1, whereSeparator: \.isWhitespace)
            guard let key = words.first, !key.hasPrefix("#") else { continue }
            if statement.hasSuffix("{") {
                blocks.append(key)
            } else if key == "}" {
                _ = blocks.popLast()
            } else if words.count > 1 {
                let (value, origin) = (words[1].trimmed, Origin(file: file, line: index + 1))
                switch (blocks, key) {
                case ([], "set"): set(value, at: origin, &notes)
                case ([], "include"): include(value, chain, at: origin, &notes)
                case (["bar"], "status_command"): add(Self.unquoted(replaced(value)), at: origin, &notes)
                default: break
                }
            }
        }
    }

    private mutating func set(_ text: String, at origin: Origin, _ notes: inout ImportNotes) {
        let words = text.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        guard words.count == 2, words[0] != "$" else { return }
        let value = replaced(Self.unquoted(words[1].trimmed))
        guard variables.count < Self.mostVariables, value.utf8.count <= ImportLimits.manifestBytes else {
            return notes.remark(
                .error, at: origin, "\(words[0]): its value is too long, or there are too many variables")
        }
        variables[String(words[0])] = value
    }

    /// The text with the values of variables; of two names that fit, the longer one counts.
    private func replaced(_ text: String) -> String {
        var (result, rest) = ("", text[...])
        while result.utf8.count <= ImportLimits.manifestBytes, let dollar = rest.firstIndex(of: "$") {
            result += rest[..<dollar]
            rest = rest[dollar...]
            var name =
                rest.prefix(1)
                + rest.dropFirst().prefix(Self.longestName).prefix {
                    $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-"
                }
            while name.count > 1, variables[String(name)] == nil { name.removeLast() }
            result += variables[String(name)] ?? "$"
            rest = rest.dropFirst(name.count)
        }
        return result + rest
    }

    private static func unquoted(_ text: String) -> String {
        guard text.count > 1, let quote = text.first, "\"'".contains(quote), text.last == quote,
            !text.dropFirst().dropLast().contains(quote)
        else { return text }
        return String(text.dropFirst().dropLast())
    }

    /// Reads a file, or all of a directory whose names end in the same way: `config.d/*.conf`.
    private mutating func include(
        _ value: String, _ chain: [String], at origin: Origin, _ notes: inout ImportNotes
    ) {
        guard let path = notes.path(of: Self.unquoted(replaced(value)), "include", at: origin) else { return }
        var paths = [path]
        if path.contains("*") {
            let (directory, name) = (ImportFiles.parent(of: path), ImportFiles.name(of: path))
            guard name.first == "*", !name.dropFirst().contains("*"), !directory.contains("*") else {
                return notes.remark(.error, at: origin, "include: \(value) is not read: name each file")
            }
            let names = notes.list(directory).entries?.filter { !$0.isDirectory }.map(\.name) ?? []
            paths = names.filter { $0.hasSuffix(name.dropFirst()) && $0.first != "." }.sorted().map {
                "\(directory)/\($0)"
            }
        }
        for path in paths {
            guard let bytes = notes.included(path, "include", by: chain, at: origin) else { continue }
            read(bytes, chain + [path], &notes)
        }
    }

    private mutating func add(_ command: String, at origin: Origin, _ notes: inout ImportNotes) {
        // Several bars may have the same.
        guard commands.insert(command).inserted else { return }
        let name = ShellCommand.programName(of: command) ?? "status"
        if let host = Self.hosts[name] {
            return notes.remark(
                .note, at: origin, "status_command: 'todayctl import \(host)' imports what \(name) shows")
        }
        var program = ImportedProgram(
            module: "status_command", name: name, origin: origin, command: command, contentProtocol: .i3blocks,
            interval: .once)
        (program.isStream, program.hasBlocks) = (true, true)
        showsToday = showsToday || program.showsToday
        if notes.add(program) != nil {
            notes.remark(.note, at: origin, "\(name): clicks on its blocks do not reach it")
            if name == "i3status" {
                let line = "output_format = \"i3bar\""
                notes.remark(.note, at: origin, "i3status: it has colours if its configuration says \(line)")
            }
        }
    }
}
