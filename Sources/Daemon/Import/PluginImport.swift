// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// Directories of plugins for xbar, SwiftBar and Argos. The plugins stay as they are, as todayd reads them itself.
enum PluginImport {
    private static let most = 1_000

    static func read(_ path: String, _ notes: inout ImportNotes) {
        guard let entries = notes.files.list(path) else { return readOne(path, &notes) }
        let sorted = entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        var plugins: [String] = []
        var sidecars: [String] = []
        for entry in sorted where !entry.name.hasPrefix(".") {
            let file = "\(path)/\(entry.name)"
            if let reason = refusal(of: entry) {
                notes.remark(.note, file, nil, reason)
            } else if entry.name.hasSuffix(".vars.json") {
                sidecars.append(entry.name)
            } else if plugins.count == most {
                notes.remark(.error, file, nil, "is left out: one directory has \(most) plugins at most")
            } else {
                plugins.append(entry.name)
                add(file, entry, &notes)
            }
        }
        let names = Set(plugins)
        for sidecar in sidecars {
            let file = "\(path)/\(sidecar)"
            if names.contains(String(sidecar.dropLast(".vars.json".count))) {
                notes.add(ImportedPlugin(sidecar: sidecar, path: file))
            } else {
                notes.remark(.note, file, nil, "has the variables of a plugin that is not imported")
            }
        }
    }

    /// A plugin that the user names, with the values of its variables.
    private static func readOne(_ path: String, _ notes: inout ImportNotes) {
        let name = ImportFiles.name(of: path)
        let beside = notes.files.list(ImportFiles.parent(of: path)) ?? []
        guard let entry = beside.first(where: { $0.name.isSpelled(as: name) }) else {
            let isClosed = notes.files.read(path) == .directory
            let reason =
                isClosed ? "is a directory that cannot be listed" : "is neither a plugin nor a directory of plugins"
            notes.remark(.error, path, nil, isClosed ? reason : "\(reason) for \(notes.source.title)")
            return
        }
        if name.hasPrefix(".") || name.hasSuffix(".vars.json") {
            notes.remark(.error, path, nil, "is no plugin")
        } else if let reason = refusal(of: entry) {
            notes.remark(.error, path, nil, reason)
        } else {
            add(path, entry, &notes)
            let sidecar = "\(name).vars.json"
            if beside.contains(where: { $0.name.isSpelled(as: sidecar) }) {
                notes.add(ImportedPlugin(sidecar: sidecar, path: "\(path).vars.json"))
            }
        }
    }

    private static func refusal(of entry: ImportFiles.Entry) -> String? {
        let name = entry.name
        if name.utf8.contains(0x0a) || PlainText.complaint(about: name, allowingLines: false) != nil {
            return "its name is no plain text"
        }
        if entry.isDirectory { return "is a directory: to import the plugins in it, name it" }
        if name.hasSuffix(".off") { return "is switched off by its name: without .off it is imported" }
        if name.hasSuffix("~") { return "is a backup" }
        if name.hasSuffix(".vars.json") { return nil }
        if !entry.isExecutable, !hasInterval(name) {
            return "is no plugin: it is not executable, and its name has no interval"
        }
        return nil
    }

    private static func add(_ file: String, _ entry: ImportFiles.Entry, _ notes: inout ImportNotes) {
        notes.add(
            ImportedPlugin(fileName: entry.name, path: file, isSidecar: false, isExecutable: entry.isExecutable))
        if !entry.isExecutable {
            notes.remark(.note, file, nil, "is not executable: todayd runs it after chmod +x")
        }
        guard needsTag(notes.source, entry.name), case .bytes(let bytes) = notes.files.read(file),
            !has(tagOf: notes.source.name, bytes)
        else { return }
        let (name, title) = (notes.source.name, notes.source.title)
        notes.remark(
            .note, file, nil,
            "todayd reads it as a plugin for xbar; for what only \(title) has, write # <\(name).title>…</\(name).title> into it"
        )
    }

    /// Whether only a tag in the file tells todayd for which host it was written.
    private static func needsTag(_ source: ImportSource, _ name: String) -> Bool {
        switch source {
        case .swiftbar: true
        case .argos: !isForArgos(name)
        case .waybar, .i3blocks, .polybar, .i3statusRust, .xbar: false
        }
    }

    /// A part behind the first that is a number with a unit.
    private static func hasInterval(_ name: String) -> Bool {
        name.split(separator: ".").dropFirst().contains { part in
            let digits = part.prefix { $0.isASCII && $0.isNumber }
            let unit = part.dropFirst(digits.count)
            return !digits.isEmpty && ["ms", "s", "m", "h", "d", "s+", "m+", "h+", "d+"].contains(unit)
        }
    }

    /// Whether the name has what only Argos reads: a place in the bar before an interval, or a `+` behind one.
    private static func isForArgos(_ name: String) -> Bool {
        guard hasInterval(name) else { return false }
        return name.split(separator: ".").dropFirst().contains { part in
            part.hasSuffix("+")
                || part.dropLast().allSatisfy { $0.isASCII && $0.isNumber } && "lcr".contains(part.suffix(1))
        }
    }

    /// Whether a file has a tag of the host: `<argos.`.
    private static func has(tagOf host: String, _ bytes: [UInt8]) -> Bool {
        let tag = Array("<\(host).".utf8)
        return bytes.indices.contains { start in
            bytes[start] == UInt8(ascii: "<") && bytes[start...].prefix(tag.count).elementsEqual(tag)
        }
    }
}

extension ImportedPlugin {
    fileprivate init(sidecar: String, path: String) {
        self.init(fileName: sidecar, path: path, isSidecar: true, isExecutable: false)
    }
}
