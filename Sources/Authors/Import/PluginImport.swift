// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// Directories of plugins for xbar, SwiftBar and Argos. todayd reads plugins itself, so they stay as they are.
enum PluginImport {
    private static let most = 1_000

    static func read(_ path: String, _ notes: inout ImportNotes) {
        let entries: [ImportFiles.Entry]
        switch notes.files.list(path) {
        case .entries(let list): entries = list
        case .missing: return readOne(path, &notes)
        case .unreadable(let reason): return notes.remark(.error, path, nil, "cannot be listed: \(reason)")
        }
        let sorted = entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        var plugins: [String] = []
        var sidecars: [String] = []
        for entry in sorted where !entry.name.hasPrefix(".") {
            let file = "\(path)/\(entry.name)"
            if let reason = refusal(of: entry) {
                notes.remark(.note, file, nil, reason)
            } else if entry.name.hasSuffix(PluginName.variablesSuffix) {
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
            if names.contains(String(sidecar.dropLast(PluginName.variablesSuffix.count))) {
                notes.add(ImportedPlugin(sidecar: sidecar, path: file))
            } else {
                notes.remark(.note, file, nil, "has the variables of a plugin that is not imported")
            }
        }
    }

    /// A plugin that the user names, with the values of its variables.
    private static func readOne(_ path: String, _ notes: inout ImportNotes) {
        let name = ImportFiles.name(of: path)
        let directory = ImportFiles.parent(of: path)
        let listing = notes.files.list(directory)
        if case .unreadable(let reason) = listing {
            return notes.remark(.error, path, nil, "is not read: \(directory) cannot be listed: \(reason)")
        }
        let beside = listing.entries ?? []
        guard let entry = beside.first(where: { $0.name.isSpelled(as: name) }) else {
            return notes.remark(.error, path, nil, "does not exist")
        }
        if name.hasPrefix(".") || name.hasSuffix(PluginName.variablesSuffix) {
            notes.remark(.error, path, nil, "is not a plugin")
        } else if let reason = refusal(of: entry, isNamed: notes.source == .plugins) {
            notes.remark(.error, path, nil, reason)
        } else if !entry.isExecutable, PluginName(fileName: name)?.hasInterval == false, isText(path, notes.files) {
            notes.remark(.error, path, nil, "is not a program: it is not executable, and its first line has no #!")
        } else {
            add(path, entry, &notes)
            let sidecar = name + PluginName.variablesSuffix
            if beside.contains(where: { $0.name.isSpelled(as: sidecar) }) {
                notes.add(ImportedPlugin(sidecar: sidecar, path: path + PluginName.variablesSuffix))
            }
        }
    }

    /// - Parameter isNamed: the user says that it is a plugin, even without an interval and the executable bit.
    private static func refusal(of entry: ImportFiles.Entry, isNamed: Bool = false) -> String? {
        let name = entry.name
        if name.utf8.contains(0x0a) || PlainText.complaint(about: name, allowingLines: false) != nil {
            return "its name is not plain text"
        }
        if entry.isDirectory { return "is a directory: to import the plugins in it, name it" }
        if name.hasSuffix(".off") { return "is switched off by its name: without .off it is imported" }
        if name.hasSuffix("~") { return "is a backup" }
        if name.hasSuffix(PluginName.variablesSuffix) { return nil }
        guard let plugin = PluginName(fileName: name) else { return "no name of a widget can be made of its name" }
        if !entry.isExecutable, PluginName.isLeftover(name), !isNamed { return "is a backup or a log" }
        if !entry.isExecutable, !plugin.hasInterval, !isNamed {
            return "is not a plugin: it is not executable, and its name has no interval"
        }
        return nil
    }

    /// Whether the file begins neither with `#!` nor as a program does (elf(5)).
    private static func isText(_ path: String, _ files: ImportFiles) -> Bool {
        guard case .bytes(let bytes) = files.read(path) else { return false }
        return !bytes.starts(with: Array("#!".utf8)) && !bytes.starts(with: [0x7f] + Array("ELF".utf8))
    }

    private static func add(_ file: String, _ entry: ImportFiles.Entry, _ notes: inout ImportNotes) {
        // In the directory of another host, the user may have switched a file off by its mode.
        let isExecutable = entry.isExecutable || notes.source == .plugins
        var plugin = ImportedPlugin(fileName: entry.name, path: file, isSidecar: false, isExecutable: isExecutable)
        guard case .bytes(let bytes) = notes.files.read(file) else { return notes.add(plugin) }
        plugin.wishes = SandboxWishes(ofProgram: bytes, notes.files)
        notes.add(plugin)
        guard needsTag(notes.source, entry.name), !has(tagOf: notes.source.name, bytes) else { return }
        let (name, title) = (notes.source.name, notes.source.title)
        notes.remark(
            .note, file, nil,
            "todayd reads it as a plugin for xbar; for what only \(title) has, write # <\(name).title>…</\(name).title> into it"
        )
    }

    /// Whether todayd can tell only by a tag in the file which host it was written for.
    private static func needsTag(_ source: ImportSource, _ name: String) -> Bool {
        switch source {
        case .swiftbar: true
        case .argos: PluginName(fileName: name)?.isForArgos != true
        case .waybar, .i3blocks, .polybar, .i3statusRust, .i3, .sway, .xbar, .plugins: false
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
