// SPDX-License-Identifier: MIT
import Spelling

/// The sections of a Polybar configuration with everything that it includes, and the values that its keys refer to.
struct PolybarConfiguration {
    struct Section {
        let name: String
        let origin: Origin
        fileprivate(set) var entries: [INIFile.Entry] = []
        fileprivate var positions: [SpelledText: Int] = [:]

        subscript(key: String) -> INIFile.Entry? { positions[SpelledText(key)].map { entries[$0] } }

        /// Of two entries for one key, the first counts.
        fileprivate mutating func add(_ entry: INIFile.Entry) -> Bool {
            guard positions[SpelledText(entry.key)] == nil else { return false }
            positions[SpelledText(entry.key)] = entries.count
            entries.append(entry)
            return true
        }
    }

    private(set) var sections: [Section] = []
    private var positions: [SpelledText: Int] = [:]
    private let files: ImportFiles

    subscript(section: String) -> Section? { positions[SpelledText(section)].map { sections[$0] } }

    init(at path: String, _ notes: inout ImportNotes) {
        files = notes.files
        var lines: [INIFile.Line] = []
        if let bytes = notes.text(of: path) { Self.read(bytes, path, chain: [path], into: &lines, &notes) }
        collect(lines, &notes)
        inherit(&notes)
    }

    // MARK: - Files

    /// The lines of a file, with those of the files that it includes in their place.
    private static func read(
        _ bytes: [UInt8], _ path: String, chain: [String], into lines: inout [INIFile.Line], _ notes: inout ImportNotes
    ) {
        let text = notes.lines(of: bytes, file: path)
        for line in INIFile(text, file: path, dialect: .polybar, &notes).lines {
            guard case .entry(let entry) = line, entry.key == "include-file" || entry.key == "include-directory" else {
                lines.append(line)
                continue
            }
            guard let target = notes.path(of: entry.value, entry.key, at: entry.origin) else { continue }
            for file in files(of: entry, target, &notes) {
                guard let bytes = notes.included(file, entry.key, by: chain, at: entry.origin) else { continue }
                read(bytes, file, chain: chain + [file], into: &lines, &notes)
            }
        }
    }

    private static func files(
        of entry: INIFile.Entry, _ target: String, _ notes: inout ImportNotes
    ) -> [String] {
        guard entry.key == "include-directory" else { return [target] }
        switch notes.list(target) {
        case .entries(let entries):
            return entries.filter { !$0.isDirectory }.map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
                .map { "\(target)/\($0)" }
        case .missing:
            notes.remark(.error, at: entry.origin, "include-directory: there is no directory \(entry.value)")
        case .unreadable(let reason):
            notes.remark(.error, at: entry.origin, "include-directory: \(entry.value) cannot be listed: \(reason)")
        }
        return []
    }

    // MARK: - Sections

    private mutating func collect(_ lines: [INIFile.Line], _ notes: inout ImportNotes) {
        var current: Int?
        for line in lines {
            switch line {
            case .section(let name, let origin):
                if let position = positions[SpelledText(name)] {
                    current = position
                } else {
                    current = sections.count
                    positions[SpelledText(name)] = sections.count
                    sections.append(Section(name: name, origin: origin))
                }
            case .entry(let entry):
                guard let current else {
                    notes.remark(.error, at: entry.origin, "\(entry.key) comes before the first [section]")
                    continue
                }
                if !sections[current].add(entry) {
                    notes.remark(.loss, at: entry.origin, "\(entry.key) is there a second time; the first one counts")
                }
            }
        }
    }

    /// Adds the keys of the sections that `inherit` names; there may be several.
    private mutating func inherit(_ notes: inout ImportNotes) {
        var budget = Self.mostInherited
        for position in sections.indices where sections[position].name.hasPrefix("module/") {
            var waiting = parents(of: sections[position], &notes)
            var seen: Set<SpelledText> = [SpelledText(sections[position].name)]
            while let name = waiting.popLast(), seen.count <= ImportLimits.depth {
                guard seen.insert(SpelledText(name)).inserted, let parent = self[name] else { continue }
                guard budget >= parent.entries.count else {
                    return notes.remark(
                        .error, at: parent.origin, "\(name) is inherited too often; the rest has not its keys")
                }
                budget -= parent.entries.count
                for entry in parent.entries { _ = sections[position].add(entry) }
                waiting += parents(of: parent, &notes)
            }
        }
    }

    /// The most keys that all modules together may inherit.
    private static let mostInherited = 100_000

    private func parents(of section: Section, _ notes: inout ImportNotes) -> [String] {
        var names: [String] = []
        for entry in section.entries where entry.key.hasPrefix("inherit") {
            guard case .text(let value, _) = value(of: entry, in: section.name) else { continue }
            for name in value.split(separator: " ").map(String.init).reversed() {
                if self[name] != nil {
                    names.append(name)
                } else {
                    notes.remark(.error, at: entry.origin, "\(entry.key): there is no section \(name)")
                }
            }
        }
        return names
    }
}

/// References: a value that consists of one `${…}` is the value of something else.
extension PolybarConfiguration {
    enum Value: Equatable {
        /// The value, and a remark about where it comes from.
        case text(String, remark: String?)
        /// With the reason.
        case unknown(String)
    }

    func value(of entry: INIFile.Entry, in section: String) -> Value { resolved(entry.value, in: section, depth: 0) }

    private func resolved(_ text: String, in section: String, depth: Int) -> Value {
        guard text.utf8.count <= 4_096, text.hasPrefix("${"), text.hasSuffix("}") else {
            return .text(text, remark: nil)
        }
        guard depth < ImportLimits.depth else { return .unknown("\(text) refers to itself") }
        let reference = text.dropFirst(2).dropLast()
        let kind = reference.prefix { $0 != ":" && $0 != "." }
        switch kind {
        case "env" where reference.hasPrefix("env:"): return environment(reference.dropFirst(4))
        case "file" where reference.hasPrefix("file:"), "xrdb" where reference.hasPrefix("xrdb:"):
            let (name, fallback) = Self.parts(reference.dropFirst(5))
            let source = kind == "file" ? "the file \(name)" : "\(name) of the X server"
            guard let fallback else { return .unknown("\(text) is a value from elsewhere, which is not asked") }
            return .text(fallback, remark: "\(source) is not asked; it is \(fallback)")
        default: break
        }
        guard let dot = reference.firstIndex(of: ".") else { return .unknown("\(text) is not a reference") }
        let target = reference[..<dot] == "self" ? section : String(reference[..<dot])
        let (key, fallback) = Self.parts(reference[reference.index(after: dot)...])
        if let entry = self[target]?[key] { return resolved(entry.value, in: target, depth: depth + 1) }
        if let fallback { return .text(fallback, remark: nil) }
        if target == "root" || target == "BAR" { return .unknown("\(text) depends on the bar that shows the module") }
        return .unknown("\(text) refers to nothing")
    }

    private func environment(_ reference: Substring) -> Value {
        let (name, fallback) = Self.parts(reference)
        if let value = files.variable(name) { return .text(value, remark: "\(name) is taken as it is now") }
        if let fallback { return .text(fallback, remark: nil) }
        return .unknown("the variable \(name) is not set")
    }

    /// A name and the text after its colon.
    private static func parts(_ reference: Substring) -> (name: String, fallback: String?) {
        guard let colon = reference.firstIndex(of: ":") else { return (String(reference), nil) }
        return (String(reference[..<colon]), String(reference[reference.index(after: colon)...]))
    }
}
