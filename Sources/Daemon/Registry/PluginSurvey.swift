// SPDX-License-Identifier: MIT
import Files
import TodayModel

/// Which files of the directories `plugins` are which widgets. Lists each directory once, and opens only files that may not be
/// scripts.
struct PluginSurvey {
    private(set) var files: [WidgetID: PluginFile] = [:]
    private(set) var complaints: [Complaint] = []
    private var paths: Set<String> = []
    /// Those that are complained about.
    private var refused: Set<String> = []

    init() {}

    /// - Parameter hasManifest: a manifest of the same identifier replaces a plugin.
    init(of path: SearchPath, hasManifest: (WidgetID) -> Bool) {
        for directory in path.pluginDirectories { add(directory, hasManifest) }
        paths = Set(files.values.map(\.path))
    }

    private mutating func add(_ directory: String, _ hasManifest: (WidgetID) -> Bool) {
        let (entries, illegible) = Survey.list(directory, &complaints)
        for name in illegible where !PluginName.isIgnored(name) {
            complain("\(directory)/\(name)", "the name is not UTF-8, so that nothing can name it; rename the file")
        }
        if entries.count > Self.mostEntries {
            let reason =
                "has \(entries.count) files, of which the first \(Self.mostEntries) are looked at; keep the others elsewhere"
            complaints.append(.warning(directory, nil, reason))
        }
        for entry in entries.prefix(Self.mostEntries) where entry.kind == .file || entry.kind == .link {
            let path = "\(directory)/\(entry.name)"
            guard Self.isPlugin(entry.name, path) else { continue }
            if Self.isNoScript(path) {
                complain(path, Self.noScript)
                continue
            }
            guard let read = PluginName(fileName: entry.name) else {
                complain(path, Self.nameless)
                continue
            }
            if let reason = Self.reasonAgainstLink(path) {
                complain(path, reason)
                continue
            }
            // xbar runs both of two plugins with the same name, so the second one gets another identifier.
            let isTaken = files[read.id].map { Paths.parent(of: $0.path) == directory } ?? false
            guard let name = isTaken ? read.spelledOut(fileName: entry.name) : read,
                !isTaken || files[name.id] == nil
            else {
                complain(path, "another plugin here is \(read.id), too; rename the file")
                continue
            }
            guard files[name.id] == nil, !hasManifest(name.id) else { continue }
            files[name.id] = PluginFile(path: path, name: name)
            if isTaken, let first = files[read.id]?.path { complaints.append(Self.second(path, first, read, name)) }
        }
    }

    /// A new plugin can take over the identifier of an older one, and with it the user's choices for that.
    private static func second(_ path: String, _ first: String, _ read: PluginName, _ name: PluginName) -> Complaint {
        .warning(
            path, nil,
            "is \(name.id): \(Paths.name(of: first)), which sorts before it, is \(read.id) and has the settings of that "
                + "identifier; rename one of them")
    }

    /// Each entry costs some system calls, and clients wait for all of them.
    static let mostEntries = 4_096

    private static let nameless =
        "the name has no letter and no digit for an identifier; rename the file, for instance to name.5m.sh"

    private static let noScript =
        "is not a plugin: it is not executable, and does not begin with #!; write #!/bin/sh or the like into its first line, and "
        + "chmod +x"

    private mutating func complain(_ path: String, _ reason: String) {
        complaints.append(.warning(path, nil, reason))
        refused.insert(path)
    }

    /// xbar runs every file. A file that looks like no plugin, such as a README, a backup or a cache, is ignored without a
    /// complaint.
    private static func isPlugin(_ name: String, _ path: String) -> Bool {
        guard !PluginName.isIgnored(name) else { return false }
        if Paths.isExecutable(path) { return !PluginName.isDocument(name) || begins(path, with: "#!") != false }
        return PluginName.hasInterval(name) && !PluginName.isLeftover(name) && !isDirectory(path)
    }

    /// Whether no host would run the file: it is not executable, and names no interpreter.
    private static func isNoScript(_ path: String) -> Bool {
        !Paths.isExecutable(path) && begins(path, with: "#!") == false
    }

    /// Nil for a file that cannot be read.
    private static func begins(_ path: String, with text: String) -> Bool? {
        guard case .bytes(let bytes) = FileContents.beginning(of: path, upTo: text.utf8.count) else { return nil }
        return bytes.elementsEqual(text.utf8)
    }

    private static func isDirectory(_ path: String) -> Bool {
        Paths.linkTarget(of: path) == nil && Paths.isDirectory(path)
    }

    /// Why a link cannot be a plugin: it leads to a directory or a device. A missing target may still appear.
    private static func reasonAgainstLink(_ path: String) -> String? {
        guard let target = Paths.linkTarget(of: path), Paths.resolved(path) != nil else { return nil }
        if Paths.isDirectory(path) { return "is a link to \(target), which is a directory" }
        return Paths.isRegularFile(path) ? nil : Paths.whyNotExecutable(path)
    }

    /// The path of the plugin that a change of this file concerns; nil for a file that is not part of one.
    func plugin(concernedBy name: String, in directory: String) -> String? {
        let path = "\(directory)/\(name)"
        if paths.contains(path) || refused.contains(path) || name.contains("\u{fffd}") { return path }
        if name.hasSuffix(PluginName.variablesSuffix) {
            let plugin = String(path.dropLast(PluginName.variablesSuffix.count))
            return paths.contains(plugin) ? plugin : nil
        }
        return Self.isPlugin(name, path) ? path : nil
    }

    /// The widgets to read again: those whose plugin has changed, or is another one than in an earlier survey.
    func changes(since earlier: PluginSurvey, of changed: Set<String>) -> Set<WidgetID> {
        let gone = earlier.files.keys.filter { files[$0] == nil }
        let others = files.filter { id, file in earlier.files[id] != file || changed.contains(file.path) }
        return Set(gone).union(others.keys)
    }
}

/// A file in a directory of plugins.
package struct PluginFile: Hashable {
    var path: String
    var name: PluginName

    package init(path: String, name: PluginName) { (self.path, self.name) = (path, name) }
}
