// SPDX-License-Identifier: MIT
import Files
import TodayModel

/// Which files of the search path declare which widgets. Lists each directory once and opens no file.
struct Survey {
    static let suffix = ".widget"
    static let dropInSuffix = ".widget.d"

    var files: [WidgetID: WidgetFiles] = [:]
    var plugins: [WidgetID: (path: String, name: PluginName)] = [:]
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
            guard let name = PluginName(fileName: entry.name), Paths.isRegularFile(path) else { continue }
            // xbar runs every file. Files that look like no plugin, such as a README, are ignored without a complaint.
            guard name.interval != nil || Paths.isExecutable(path) else { continue }
            if let other = plugins[name.id] {
                if Paths.parent(of: other.path) == directory {
                    complaints.append(.warning(path, nil, "is called \(name.id) as \(other.path) is; left out"))
                }
            } else if files[name.id] == nil {
                plugins[name.id] = (path, name)
            }
        }
    }

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

extension PluginName {
    /// The entry of a plugin: listed but unsupported.
    func entry(at path: String) -> Registry.Entry {
        let plan = UpdatePlan(
            command: [path], contentProtocol: .text, interval: interval ?? Self.defaultInterval)
        let manifest = Manifest(id: id, displayName: displayName, update: plan)
        return Registry.Entry(
            id: id, validity: .unsupported(manifest, reason: "xbar plugins come with a later version"), path: path)
    }
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

/// Reads the file name of an xbar-style script: `010-cpu.5m.sh` is `cpu`, every five minutes.
struct PluginName: Hashable, Sendable {
    let id: WidgetID
    let displayName: String
    /// Nil if the name has none.
    let interval: TimeSpan?

    static let prefix = "plugin."
    /// xbar's interval for a name without one.
    static let defaultInterval = TimeSpan.minutes(1)

    /// Nil for a file that is no plugin: a hidden file, a plugin that `.off` disables, the variables of a plugin, a backup.
    init?(fileName: String) {
        guard !fileName.hasPrefix("."), !fileName.hasSuffix(".off"), !fileName.hasSuffix(".vars.json"),
            !fileName.hasSuffix("~")
        else { return nil }
        var parts = fileName.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count > 1 { parts.removeLast() }
        interval = parts.count > 1 ? parts.last.flatMap(Self.interval) : nil
        if interval != nil { parts.removeLast() }
        // The number is for sorting. It is no part of the identifier, so that a widget keeps its choices when it changes.
        let number = parts[0].prefix { $0.isASCII && $0.isNumber }
        if !number.isEmpty, parts[0].dropFirst(number.count).first == "-" {
            parts[0] = parts[0].dropFirst(number.count + 1)
        }
        let labels = parts.map(Self.label).filter { !$0.isEmpty }
        guard !labels.isEmpty, let id = WidgetID(Self.prefix + labels.joined(separator: ".")) else { return nil }
        self.id = id
        displayName = parts.joined(separator: ".")
    }

    /// `<number><unit>` with the units ms, s, m, h, d.
    private static func interval(_ text: Substring) -> TimeSpan? {
        let number = text.prefix { $0.isASCII && $0.isNumber }
        let units: [Substring: Int64] = [
            "ms": 1_000, "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000, "d": 86_400_000_000,
        ]
        guard let unit = units[text.dropFirst(number.count)], let count = Int64(number), count > 0,
            count <= 3_650_000_000_000_000 / unit
        else { return nil }
        return max(TimeSpan(microseconds: count * unit), UpdatePlan.shortestInterval)
    }

    /// A part of the name as a label of an identifier: each letter that is not allowed becomes a hyphen.
    static func label(_ part: Substring) -> String {
        let letters = part.map { letter -> Character in
            letter.isASCII && (letter.isLetter || letter.isNumber || letter == "_" || letter == "-") ? letter : "-"
        }
        return String(letters.drop { $0 == "-" })
    }
}
