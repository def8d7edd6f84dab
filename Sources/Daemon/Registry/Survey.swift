// SPDX-License-Identifier: MIT
import Files
import TodayModel

/// What the directories of the search path list: which files declare which widgets. One listing per directory, no file
/// is opened.
struct Survey {
    struct Place: Hashable {
        /// The strongest file of that name.
        var source: String
        /// The strongest first.
        var dropInDirectories: [String] = []
    }

    static let suffix = ".widget"
    static let dropInSuffix = ".widget.d"

    var places: [WidgetID: Place] = [:]
    var plugins: [WidgetID: (path: String, name: PluginName)] = [:]
    var complaints: [Complaint] = []

    init(of path: SearchPath) {
        var dropIns: [WidgetID: [String]] = [:]
        for directory in path.widgetDirectories {
            for entry in list(directory) {
                if let id = Self.id(of: entry.name, suffix: Self.dropInSuffix) {
                    dropIns[id, default: []].append("\(directory)/\(entry.name)")
                } else if let id = Self.id(of: entry.name, suffix: Self.suffix) {
                    if places[id] == nil { places[id] = Place(source: "\(directory)/\(entry.name)") }
                } else if entry.name.hasSuffix(Self.suffix), !entry.name.hasPrefix(".") {
                    let path = "\(directory)/\(entry.name)"
                    complaints.append(ManifestFileName.complaint(about: path, named: entry.name))
                }
            }
        }
        for (id, directories) in dropIns { places[id]?.dropInDirectories = directories }
        for directory in path.pluginDirectories { addPlugins(in: directory) }
    }

    /// One widget's place, without listing anything.
    static func place(of id: WidgetID, in path: SearchPath) -> Place? {
        let file = id.text + suffix
        guard let directory = path.widgetDirectories.first(where: { Paths.exists("\($0)/\(file)") }) else { return nil }
        let dropIns = path.widgetDirectories.map { "\($0)/\(file).d" }.filter(Paths.isDirectory)
        return Place(source: "\(directory)/\(file)", dropInDirectories: dropIns)
    }

    /// The widget whose manifest, or drop-in directory, has that name.
    static func id(of name: String, suffix: String) -> WidgetID? {
        guard name.hasSuffix(suffix) else { return nil }
        return WidgetID(String(name.dropLast(suffix.count)))
    }

    private mutating func addPlugins(in directory: String) {
        for entry in list(directory) where entry.kind == .file || entry.kind == .link {
            let path = "\(directory)/\(entry.name)"
            guard let name = PluginName(fileName: entry.name), Paths.isRegularFile(path) else { continue }
            // xbar takes every file. A README is not worth a complaint.
            guard name.interval != nil || Paths.isExecutable(path) else { continue }
            if let other = plugins[name.id] {
                if Paths.parent(of: other.path) == directory {
                    complaints.append(.warning(path, nil, "is called \(name.id) as \(other.path) is; left out"))
                }
            } else if places[name.id] == nil {
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

extension PluginName {
    /// How a plugin is listed until its dialect is understood.
    func entry(at path: String) -> Registry.Entry {
        let plan = UpdatePlan(
            command: [path], contentProtocol: .xbar, interval: interval ?? Self.defaultInterval)
        let manifest = Manifest(id: id, displayName: displayName, update: plan)
        return Registry.Entry(
            id: id, standing: .unsupported(manifest, reason: "xbar plugins come with a later version"), source: path)
    }
}
