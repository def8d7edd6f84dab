// SPDX-License-Identifier: MIT
import Files
import Spelling
import TodayModel

/// The daemon's settings, from `[Daemon]` of todayd.conf.
package struct Settings: Hashable, Sendable {
    /// How many runs may be in progress at once; nil means as the machine suggests.
    package var concurrencyMax: Int?
    package var defaultTimeout = UpdatePlan.defaultTimeout
    package var defaultMemoryMax: ByteSize?
    package var defaultOutputMax = RunLimits.defaultOutput
    /// For manifests without a level, and for plugins.
    package var defaultSandbox = Sandbox.Level.none
    /// The members of this group may change everything in the system instance.
    package var administratorsGroup = "sudo"
    package var enableNewWidgets = true
    /// The sizes of the display modes.
    package var sizes = DisplaySizes.standard

    package init() {}

    /// One run for each processor, so that runs do not slow each other down. At least four, because most runs wait for the
    /// network, and a few that hang until their time-out must not delay the others.
    package func concurrency(processors: Int) -> Int {
        concurrencyMax ?? max(4, processors)
    }

    package static let sections: Set<String> = ["Daemon"]

    /// Reads todayd.conf and then its drop-ins. A wrong value causes a complaint and changes nothing, so that the daemon always
    /// starts.
    package static func read(
        _ files: [UnitFile], defaults: Settings = Settings()
    ) -> (settings: Settings, complaints: [Complaint]) {
        var settings = defaults
        var complaints: [Complaint] = []
        var expanded: (file: String, line: Int)?
        for file in files {
            complaints += file.complaints
            for assignment in file.assignments where !assignment.key.hasPrefix("X-") {
                do throws(WrongValue) {
                    if let key = all.first(where: { $0.name == assignment.key }) {
                        if assignment.locale != nil { throw WrongValue("it has no translations") }
                        if key.name == "ExpandedRows" { expanded = (file.path, assignment.line) }
                        try key.read(assignment.value, &settings, defaults)
                        continue
                    }
                    let hint = hint(for: assignment.key, among: keys) { $0 + "=" }
                    complaints.append(
                        .warning(
                            file.path, assignment.line, "unknown key \(assignment.key)=\(hint)",
                            column: assignment.column))
                } catch {
                    let reason = "\(assignment.key)=: \(error.reason)"
                    complaints.append(.error(file.path, assignment.line, reason, column: assignment.valueColumn))
                }
            }
        }
        let sizes = settings.sizes
        if let expanded, sizes.expandedRows < sizes.compactRows {
            let reason = "\(sizes.expandedRows) is less than CompactRows=\(sizes.compactRows), which counts for both"
            complaints.append(.warning(expanded.file, expanded.line, "ExpandedRows=: \(reason)"))
        }
        settings.sizes.expandedRows = sizes[.expanded].rows
        return (settings, complaints)
    }
}

extension Settings {
    /// A key of todayd.conf, and how its value changes the settings.
    private struct Key: Sendable {
        typealias Read = @Sendable (String, inout Settings, _ defaults: Settings) throws(WrongValue) -> Void

        let name: String
        let read: Read

        init(_ name: String, _ read: @escaping Read) { (self.name, self.read) = (name, read) }

        /// A key that sets one member, which an empty value resets.
        init<T>(
            _ name: String, _ member: any WritableKeyPath<Settings, T> & Sendable,
            _ read: @escaping @Sendable (String) throws(WrongValue) -> T
        ) {
            self.init(name) { text, settings, defaults throws(WrongValue) in
                settings[keyPath: member] = text.isEmpty ? defaults[keyPath: member] : try read(text)
            }
        }
    }

    private static let all: [Key] = [
        Key("ConcurrencyMax", \.concurrencyMax) { text throws(WrongValue) in try Values.count(text, in: 1...1_000) },
        Key("DefaultTimeout", \.defaultTimeout) { text throws(WrongValue) in
            try Values.time(text, atLeast: .milliseconds(1))
        },
        Key("DefaultMemoryMax", \.defaultMemoryMax, Values.size),
        Key("DefaultOutputMax", \.defaultOutputMax, Values.outputSize),
        Key("DefaultSandbox", \.defaultSandbox, Values.word),
        // An empty value leaves only root.
        Key("AdministratorsGroup") { text, settings, _ throws(WrongValue) in
            settings.administratorsGroup = try Values.line(text)
        },
        Key("EnableNewWidgets", \.enableNewWidgets, Values.boolean),
        Key("Columns", \.sizes.columns) { text throws(WrongValue) in
            try Values.count(text, in: DisplaySizes.columnRange)
        },
        Key("CompactRows", \.sizes.compactRows) { text throws(WrongValue) in
            try Values.count(text, in: DisplaySizes.rowRange)
        },
        Key("ExpandedRows", \.sizes.expandedRows) { text throws(WrongValue) in
            try Values.count(text, in: DisplaySizes.rowRange)
        },
    ]
    static let keys = all.map(\.name)
}

/// Which todayd.conf and which drop-ins are read.
package enum ConfigurationFiles {
    package static let name = "todayd.conf"
    package static let dropInName = "todayd.conf.d"

    /// Reads the strongest todayd.conf, and then todayd.conf.d/*.conf of all places.
    package static func read(_ path: SearchPath) -> (settings: Settings, complaints: [Complaint]) {
        let paths = main(path) + DropIns.files(in: dropInDirectories(path))
        let (files, complaints) = EntryLoader.open(paths, sections: Settings.sections)
        let reading = Settings.read(files, defaults: path.defaults)
        return (reading.settings, complaints + reading.complaints)
    }

    private static func main(_ path: SearchPath) -> [String] {
        if let file = path.configurationFile { return [file] }
        return path.bases.map { "\($0)/\(name)" }.first(where: Paths.exists).map { [$0] } ?? []
    }

    /// None if a file was named explicitly.
    static func dropInDirectories(_ path: SearchPath) -> [String] {
        path.configurationFile == nil ? path.bases.map { "\($0)/\(dropInName)" } : []
    }

    /// The directories to watch for changes of the settings.
    static func directories(_ path: SearchPath) -> [String] {
        let linked = linkedFiles(path).map(Paths.parent)
        guard let file = path.configurationFile else { return path.bases + dropInDirectories(path) + linked }
        return [Paths.parent(of: file)] + linked
    }

    /// Where todayd.conf is if it is a link.
    static func linkedFiles(_ path: SearchPath) -> [String] { main(path).flatMap(Paths.linkTargets) }
}
