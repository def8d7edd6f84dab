// SPDX-License-Identifier: MIT
import Files
import TodayModel

/// Which files of the search path declare which widgets. Lists each directory once and opens no file.
package struct Survey {
    package static let suffix = ".widget"
    static let dropInSuffix = WidgetID.dropInSuffix

    var files: [WidgetID: WidgetFiles] = [:]
    var plugins = PluginSurvey()
    var offers = Offers()
    /// The directories of drop-ins, including those without a widget.
    var dropInDirectories: Set<String> = []
    var complaints: [Complaint] = []

    /// - Parameter added: the offers that the user has added.
    init(of path: SearchPath, added: Set<WidgetID> = []) {
        var dropIns: [WidgetID: [String]] = [:]
        for directory in path.widgetDirectories {
            let (entries, illegible) = Self.list(directory, &complaints)
            for name in illegible where name.hasSuffix(Self.suffix) {
                complaints.append(ManifestFileName.complaint(about: "\(directory)/\(name)", named: name))
            }
            for entry in entries {
                let path = "\(directory)/\(entry.name)"
                if entry.name.hasSuffix(Self.dropInSuffix), !entry.name.hasPrefix("."), Paths.isDirectory(path) {
                    dropInDirectories.insert(path)
                }
                if let id = Self.id(of: entry.name, suffix: Self.dropInSuffix) {
                    dropIns[id, default: []].append("\(directory)/\(entry.name)")
                } else if let id = Self.id(of: entry.name, suffix: Self.suffix) {
                    if files[id] == nil { files[id] = WidgetFiles(manifest: "\(directory)/\(entry.name)") }
                } else if entry.name.hasSuffix(Self.suffix), !entry.name.hasPrefix("."),
                    !offers.note(entry.name, in: directory)
                {
                    complaints.append(ManifestFileName.complaint(about: path, named: entry.name))
                }
            }
        }
        for directory in Offers.directories(path) {
            for entry in Self.list(directory, &complaints).entries { _ = offers.note(entry.name, in: directory) }
        }
        for id in added where files[id] == nil { files[id] = WidgetFiles(manifest: offers.manifest(of: id, in: path)) }
        for (id, directories) in dropIns { files[id]?.dropInDirectories = directories }
        for id in files.keys where id.instance != nil {
            files[id]?.dropInDirectories = Self.dropInDirectories(of: id, in: path.widgetDirectories)
        }
        let files = files
        plugins = PluginSurvey(of: path) { files[$0] != nil }
    }

    /// The files of one widget, without a listing.
    ///
    /// - Parameter offers: where its manifest may be, if the user has added it; otherwise nil.
    package static func files(of id: WidgetID, in path: SearchPath, added offers: Offers? = nil) -> WidgetFiles? {
        let candidates = path.widgetDirectories.lazy.map { "\($0)/\(id)\(suffix)" }
        guard let manifest = candidates.first(where: Paths.exists) ?? offers?.manifest(of: id, in: path) else {
            return nil
        }
        return WidgetFiles(manifest: manifest, dropInDirectories: dropInDirectories(of: id, in: path.widgetDirectories))
    }

    /// The directories of one widget's drop-ins, without a listing.
    package static func dropInDirectories(of id: WidgetID, in directories: [String]) -> [String] {
        possibleDropInDirectories(of: id, in: directories).filter(Paths.isDirectory)
    }

    static func possibleDropInDirectories(of id: WidgetID, in directories: [String]) -> [String] {
        directories.map { "\($0)/\(id)\(dropInSuffix)" } + Offers.dropInDirectories(of: id, in: directories)
    }

    /// The widget whose manifest or drop-in directory has this name.
    package static func id(of name: String, suffix: String) -> WidgetID? {
        guard name.hasSuffix(suffix) else { return nil }
        return WidgetID(String(name.dropLast(suffix.count)))
    }

    /// What a directory has, and the names in it that are not UTF-8.
    static func list(
        _ directory: String, _ complaints: inout [Complaint]
    ) -> (entries: [DirectoryListing.Entry], illegible: [String]) {
        do throws(DirectoryListing.Failure) {
            let listing = try DirectoryListing(of: directory)
            return (listing.entries, listing.illegibleNames)
        } catch {
            if !error.isMissing { complaints.append(.error(directory, nil, "cannot be listed: \(error)")) }
            return ([], [])
        }
    }
}

/// The files that declare one widget.
package struct WidgetFiles: Hashable {
    /// The manifest in the strongest directory.
    package let manifest: String
    /// The directories of its drop-ins, `ID.widget.d`, the strongest first.
    var dropInDirectories: [String]

    package init(manifest: String, dropInDirectories: [String] = []) {
        (self.manifest, self.dropInDirectories) = (manifest, dropInDirectories)
    }
}

/// Complains about a file whose name ends like a manifest's but does not begin with an identifier.
package enum ManifestFileName {
    /// The suggestion if no letter of the name can be kept.
    private static let example = "org.example.name"

    /// The suggestion comes before the reason, because hosts cut long lines.
    package static func complaint(about path: String, named name: String) -> Complaint {
        .warning(
            path, nil,
            "the name is not an identifier; rename the file to \(suggestion(for: name)): a name has two or more labels of "
                + "A-Z a-z 0-9 _ -, joined by dots")
    }

    /// A valid name that is similar to the wrong one.
    package static func suggestion(for name: String) -> String {
        let stem = name.hasSuffix(Survey.suffix) ? name.dropLast(Survey.suffix.count) : name[...]
        let labels = stem.split(separator: ".").map(PluginName.label).filter { !$0.isEmpty }
        let whole = labels.count > 1 ? labels : ["org", "example"] + labels
        let id = labels.isEmpty ? nil : WidgetID(whole.joined(separator: "."))
        return (id?.text ?? example) + Survey.suffix
    }
}

/// Complains about directories of drop-ins whose widget does not exist, usually because its name is misspelt.
enum StrayDropIns {
    /// Each needs a search among all widgets.
    private static let most = 20

    /// - Parameters:
    ///   - directories: all directories of drop-ins.
    ///   - widgets: those that exist.
    ///   - offers: what may be added at any time; its drop-ins may exist already.
    static func complaints(
        about directories: Set<String>, widgets: [WidgetID: Registry.Entry], _ offers: Offers
    ) -> [Complaint] {
        let strays = directories.filter { directory in
            let id = Survey.id(of: Paths.name(of: directory), suffix: Survey.dropInSuffix)
            return id.flatMap { widgets[$0] } == nil && !offers.concerns(dropIns: directory)
        }
        return strays.sorted().prefix(most).map { complaint(about: $0, widgets.keys) }
    }

    private static func complaint(about directory: String, _ widgets: some Collection<WidgetID>) -> Complaint {
        let name = String(Paths.name(of: directory).dropLast(Survey.dropInSuffix.count))
        let hint =
            WidgetID.nearest(to: name, among: widgets).map { "did you mean \($0)\(Survey.dropInSuffix)?" }
            ?? "rename it, or remove it"
        return .warning(directory, nil, "changes no widget: there is no \(name); \(hint)")
    }
}
