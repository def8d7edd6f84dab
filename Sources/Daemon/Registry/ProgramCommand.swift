// SPDX-License-Identifier: MIT
import Files

/// Reads `ExecStart=` into argv. `ProgramSearch` finds a program that is named without a directory.
enum ProgramCommand {
    /// - Parameter directory: what `./` means.
    static func read(
        _ value: String, _ specifiers: Specifiers, directory: () -> String
    ) throws(WrongValue) -> [String] {
        let words = try QuotedWords.words(of: value, specifiers)
        guard let first = words.first else { return [] }
        for (index, word) in words.enumerated() {
            guard let construct = ShellConstruct(word, isProgram: index == 0, isLast: index == words.count - 1) else {
                continue
            }
            throw WrongValue(construct.cure(in: value, words: words))
        }
        return [try program(first.text, specifiers, directory)] + words.dropFirst().map(\.text)
    }

    /// - Parameter manifest: what `.` means.
    static func directory(
        _ word: String, _ specifiers: Specifiers, manifest: () -> String
    ) throws(WrongValue) -> String {
        let words = try QuotedWords.words(of: word, specifiers)
        guard let path = words.first?.text, words.count == 1 else {
            throw WrongValue("\"\(word)\" is not one path; quote a path with spaces")
        }
        if path == "." || path == "./" { return manifest() }
        if path == "~" || path == "~/" { return try specifiers.value(of: "h") }
        guard path.contains("/") else {
            throw WrongValue("\"\(path)\" is a relative path; write ./\(path), or the whole path")
        }
        return try program(path, specifiers, manifest)
    }

    private static func program(
        _ word: String, _ specifiers: Specifiers, _ directory: () -> String
    ) throws(WrongValue) -> String {
        if word.hasPrefix("/") { return word }
        if word.hasPrefix("~/") { return try specifiers.value(of: "h") + word.dropFirst() }
        if word.hasPrefix("./"), word.utf8.count > 2 { return directory() + word.dropFirst() }
        if word.hasPrefix("~") {
            throw WrongValue(
                "\"\(word)\": only ~/, the home directory of todayd's user, is known; write the whole path")
        }
        if let prefix = word.first, "-@:+!|".contains(prefix), word.contains("/") {
            throw WrongValue("\"\(word)\" begins with \(prefix), which means something in services only; leave it out")
        }
        if ["", ".", "..", "./"].contains(word) {
            throw WrongValue("\"\(word)\" names no program; write ./program for one beside the manifest")
        }
        guard word.contains("/") else { return word }
        throw WrongValue(
            "\"\(word)\" is a relative path; write ./\(word) for \(directory())/\(word), or the whole path")
    }
}

/// Finds the program of a manifest at its path or, if it has none, in the directories of `PATH`.
package struct ProgramSearch: Equatable, Sendable {
    package enum Finding: Hashable {
        case found(String)
        /// With what is wrong and what to do, and the directories in which the program may be installed.
        case missing(reason: String, awaited: [String])
    }

    /// The directories of `PATH`.
    let directories: [String]

    package init(directories: [String] = []) { self.directories = directories }

    package func find(_ program: String) -> Finding {
        guard !program.contains("/") else { return find(atPath: program) }
        var reason: String?
        var awaited = directories
        for directory in directories {
            let path = "\(directory)/\(program)"
            if Paths.isExecutable(path) { return .found(path) }
            if reason == nil, Paths.isRegularFile(path) {
                reason = Paths.whyNotExecutable(path).map { "\(path) \($0)" }
                awaited += Self.directories(behind: path)
            }
        }
        let places = directories.joined(separator: ", ")
        return .missing(
            reason: reason
                ?? "there is no program \"\(program)\"; install it, or write its path: it is not in \(places)",
            awaited: awaited)
    }

    private func find(atPath path: String) -> Finding {
        guard let reason = Paths.whyNotExecutable(path) else { return .found(path) }
        let cure = reason == Paths.doesNotExist ? "; \(cure(forMissing: path))" : ""
        return .missing(
            reason: "\(path) \(reason)\(cure)", awaited: [Paths.parent(of: path)] + Self.directories(behind: path))
    }

    /// The directories to which a link leads: a program there may become executable.
    private static func directories(behind path: String) -> [String] {
        Paths.linkTargets(of: path).map(Paths.parent)
    }

    private func cure(forMissing path: String) -> String {
        let name = Paths.name(of: path)
        if !name.isEmpty, case .found(let other) = find(name) { return "there is \(other)" }
        return "put the program there, or correct the path"
    }
}

/// The place of a word of ExecStart=, in the manifest or in the last drop-in that has one.
package struct CommandPlace: Equatable {
    package let file: String
    package let line: Int
    /// Nil on a continued line.
    package let column: Int?

    /// Reads the files again, because only an author who asks needs the place.
    package init?(of entry: Registry.Entry, _ specifiers: Specifiers, word index: Int) {
        let paths = [entry.path] + DropIns.files(in: entry.dropInDirectories)
        var found: (file: UnitFile, assignment: UnitFile.Assignment)?
        for path in paths {
            guard case .file(let file) = EntryLoader.open(path, sections: ManifestReader.sections) else { continue }
            let assignment = file.assignments.last { assignment in
                assignment.section == "Update" && assignment.key == "ExecStart" && !assignment.value.isEmpty
            }
            if let assignment { found = (file, assignment) }
        }
        guard let (unit, assignment) = found else { return nil }
        (file, line) = (unit.path, assignment.line)
        let offset = QuotedWords.offset(ofWord: index, in: assignment.value, specifiers)
        let column = assignment.valueColumn.flatMap { start in offset.map { start + $0 } }
        self.column = column.flatMap { $0 < assignment.endColumn ? $0 : nil }
    }
}
