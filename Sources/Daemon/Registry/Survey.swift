// SPDX-License-Identifier: MIT
import Files
import TodayModel

/// Which files of the search path declare which widgets. Lists each directory once and opens no file.
struct Survey {
    static let suffix = ".widget"
    static let dropInSuffix = ".widget.d"

    var files: [WidgetID: WidgetFiles] = [:]
    var plugins: [WidgetID: PluginFile] = [:]
    var complaints: [Complaint] = []

    init(of path: SearchPath) {
        var dropIns: [WidgetID: [String]] = [:]
        for directory in path.widgetDirectories {
            for entry in list(directory) {
                if let id = Self.id(of: entry.name, suffix: Self.dropInSuffix) {
                    dropIns[id, default: []].append("\(directory)/\(entry.name)")
                } else if let id = Self.id(of: entry.name, suffix: Self.suffix) {
                    if files[id] == nil { files[id] = WidgetFiles(manifest: "\(directory)/\(entry.name)") }
                } else if entry.name.hasSuffix(Self.suffix), !entry.name.hasPrefix(".") {
                    let path = "\(directory)/\(entry.name)"
                    complaints.append(ManifestFileName.complaint(about: path, named: entry.name))
                }
            }
        }
        for (id, directories) in dropIns { files[id]?.dropInDirectories = directories }
        for directory in path.pluginDirectories { addPlugins(in: directory) }
    }

    /// The files of one widget, without a listing.
    static func files(of id: WidgetID, in path: SearchPath) -> WidgetFiles? {
        let file = id.text + suffix
        guard let directory = path.widgetDirectories.first(where: { Paths.exists("\($0)/\(file)") }) else { return nil }
        let dropIns = path.widgetDirectories.map { "\($0)/\(file).d" }.filter(Paths.isDirectory)
        return WidgetFiles(manifest: "\(directory)/\(file)", dropInDirectories: dropIns)
    }

    /// The widget whose manifest or drop-in directory has this name.
    static func id(of name: String, suffix: String) -> WidgetID? {
        guard name.hasSuffix(suffix) else { return nil }
        return WidgetID(String(name.dropLast(suffix.count)))
    }

    private mutating func addPlugins(in directory: String) {
        for entry in list(directory) where entry.kind == .file || entry.kind == .link {
            let path = "\(directory)/\(entry.name)"
            guard !PluginName.isIgnored(entry.name) else { continue }
            guard Paths.isRegularFile(path) else {
                if PluginName.hasInterval(entry.name) { complaints += Self.complaints(aboutLink: path) }
                continue
            }
            // xbar runs every file. Files that look like no plugin, such as a README, are ignored without a complaint.
            guard PluginName.hasInterval(entry.name) || Paths.isExecutable(path) else { continue }
            guard let read = PluginName(fileName: entry.name) else {
                complaints.append(.warning(path, nil, Self.nameless))
                continue
            }
            // xbar runs both of two plugins with one name, so the second one gets another identifier.
            let isTaken = plugins[read.id].map { Paths.parent(of: $0.path) == directory } ?? false
            guard let name = isTaken ? read.spelledOut(fileName: entry.name) : read,
                !isTaken || plugins[name.id] == nil
            else {
                complaints.append(.warning(path, nil, "another plugin here is \(read.id), too; rename the file"))
                continue
            }
            if plugins[name.id] == nil, files[name.id] == nil { plugins[name.id] = PluginFile(path: path, name: name) }
        }
    }

    /// Where a link that is named as a plugin leads to no script.
    private static func complaints(aboutLink path: String) -> [Complaint] {
        guard let target = Paths.linkTarget(of: path) else { return [] }
        let isDirectory = Paths.isDirectory(path)
        let reason = isDirectory ? "is a link to \(target), which is a directory" : Paths.whyNotExecutable(path)
        return reason.map { [.warning(path, nil, $0)] } ?? []
    }

    private static let nameless =
        "the name has no letter and no digit for an identifier; rename the file, for instance to name.5m.sh"

    private mutating func list(_ directory: String) -> [DirectoryListing.Entry] {
        do throws(DirectoryListing.Failure) {
            return try DirectoryListing(of: directory).entries
        } catch {
            if !error.isMissing { complaints.append(.error(directory, nil, "cannot be listed: \(error)")) }
            return []
        }
    }
}

/// The files that declare one widget.
struct WidgetFiles: Hashable {
    /// The manifest in the strongest directory.
    var manifest: String
    /// The directories of its drop-ins, `ID.widget.d`, the strongest first.
    var dropInDirectories: [String] = []
}

/// Complains about a file whose name ends as a manifest's but begins with no identifier.
enum ManifestFileName {
    /// The suggestion if no letter of the name can be kept.
    private static let example = "org.example.name"

    /// The suggestion comes before the reason, because hosts cut long lines.
    static func complaint(about path: String, named name: String) -> Complaint {
        .warning(
            path, nil,
            "the name is no identifier; rename the file to \(suggestion(for: name)): a name has two or more labels of "
                + "A-Z a-z 0-9 _ -, joined by dots")
    }

    /// A valid name that is similar to the wrong one.
    static func suggestion(for name: String) -> String {
        let stem = name.hasSuffix(Survey.suffix) ? name.dropLast(Survey.suffix.count) : name[...]
        let labels = stem.split(separator: ".").map(PluginName.label).filter { !$0.isEmpty }
        let whole = labels.count > 1 ? labels : ["org", "example"] + labels
        let id = labels.isEmpty ? nil : WidgetID(whole.joined(separator: "."))
        return (id?.text ?? example) + Survey.suffix
    }
}
