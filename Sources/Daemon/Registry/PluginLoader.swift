// SPDX-License-Identifier: MIT
import Files
import TodayModel

extension EntryLoader {
    /// The entry of a plugin: its name and its tags as a manifest, which drop-ins change. The script itself stays unchanged.
    package func load(_ plugin: PluginFile, _ dropInDirectories: [String] = []) -> Registry.Entry {
        let look = FileContents.beginning(of: plugin.path, upTo: PluginMetadata.mostBytes)
        let start: [UInt8]? = if case .bytes(let bytes) = look { bytes } else { nil }
        let metadata = PluginMetadata(start ?? [])
        let variables = PluginVariables(metadata, path: plugin.path)
        var manifest = PluginManifest(name: plugin.name, metadata: metadata, path: plugin.path).manifest
        manifest.settings = variables.settings
        manifest.limits.memory = reader.settings.defaultMemoryMax
        manifest.sandbox.level = reader.settings.defaultSandbox
        manifest.limits.output = max(reader.settings.defaultOutputMax, PluginManifest.outputMax)
        let complaints = complaints(about: plugin, metadata) + variables.complaints
        var entry = withDropIns(in: dropInDirectories) { dropIns in
            var entry = changed(manifest, plugin.path, dropIns, complaints)
            if entry.program == plugin.path { check(&entry, start) }
            return entry
        }
        entry.dropInDirectories = dropInDirectories
        if let (complaint, awaited) = missing(metadata.dependencies, plugin.path) {
            entry.complaints.append(complaint)
            entry.awaitedDirectories += awaited
        }
        return entry
    }

    /// The entry of a plugin after its drop-ins, which may even name another program.
    private func changed(
        _ manifest: Manifest, _ path: String, _ dropIns: [String], _ complaints: [Complaint]
    ) -> Registry.Entry {
        let (files, unusable) = Self.open(dropIns)
        let reading = reader.read(manifest.id, files, changing: manifest) { Paths.parent(of: path) }
        let all = Complaint.bounded(
            unusable + reading.complaints + complaints, in: path, most: mostComplaints)
        guard let manifest = reading.manifest, !all.contains(where: { $0.severity == .error }) else {
            return invalid(manifest.id, path, reading.described, all)
        }
        if manifest.update.command.first != path { return withProgram(manifest, reading.command, path, all) }
        var entry = Registry.Entry(id: manifest.id, validity: .valid(manifest), path: path)
        entry.complaints = all
        return entry
    }

    /// Reports why the kernel would not execute the plugin, and what to do about it.
    private func check(_ entry: inout Registry.Entry, _ start: [UInt8]?) {
        guard case .valid(let manifest) = entry.validity else { return }
        let complaint: Complaint
        if let reason = Paths.whyNotExecutable(entry.path) {
            complaint = .error(entry.path, nil, reason)
        } else if let trouble = start.flatMap({ self.trouble(inHead: $0) }) {
            complaint = trouble.complaint(about: entry.path)
            if let interpreter = trouble.interpreter, case .missing(_, let awaited) = search.find(interpreter) {
                entry.awaitedDirectories = awaited
            }
        } else {
            return
        }
        entry.complaints.insert(complaint, at: 0)
        if complaint.severity == .error {
            entry.validity = .invalid(reason: complaint.shortDescription, manifest)
        }
    }

    private func complaints(about plugin: PluginFile, _ metadata: PluginMetadata) -> [Complaint] {
        var complaints: [Complaint] = []
        if let complaint = plugin.name.complaint { complaints.append(.warning(plugin.path, nil, complaint)) }
        if metadata["schedule"] != nil {
            let cure =
                plugin.name.interval.map { "it runs every \($0.text), as its name says" }
                ?? "write an interval into its name"
            complaints.append(.warning(plugin.path, nil, "<swiftbar.schedule> is not used; \(cure)"))
        }
        return complaints
    }
}

extension EntryLoader {
    /// The complaint about programs that a plugin needs by its own account, and the directories in which they may be installed.
    private func missing(_ names: [String], _ path: String) -> (Complaint, awaited: [String])? {
        var missing: [String] = []
        var awaited: [String] = []
        for name in names {
            guard case .missing(_, let directories) = search.find(name) else { continue }
            missing.append(name)
            awaited += directories
        }
        guard !missing.isEmpty else { return nil }
        // A dependency may also be a library of its language, so that its absence is not an error.
        let reason = "needs \(missing.joined(separator: ", ")): no such program is in PATH; if it fails, install it"
        return (.warning(path, nil, reason), awaited)
    }
}

/// The manifest of a plugin.
struct PluginManifest {
    /// Plugins print images with their text.
    static let outputMax = ByteSize(bytes: 8 << 20)
    /// xbar ends a plugin after two minutes.
    static let timeout = TimeSpan.minutes(2)
    private static let schemes = ["https", "http", "mailto"]

    let name: PluginName
    let metadata: PluginMetadata
    let path: String

    var manifest: Manifest {
        let dialect = metadata.dialect ?? (name.isForArgos ? .argos : .xbar)
        let isStream = metadata["type"]?.lowercased() == "streamable"
        // SwiftBar and Argos run a plugin without an interval once. SwiftBar ignores the interval in the name of a streamable
        // plugin: its silence says nothing.
        let isOnce = dialect == .swiftbar || dialect == .argos
        let interval = isStream ? nil : name.interval ?? (isOnce ? nil : PluginName.defaultInterval)
        var plan = UpdatePlan(command: [path], contentProtocol: dialect, interval: interval, timeout: Self.timeout)
        plan.workingDirectory = Paths.parent(of: path)
        plan.environment = metadata.environment
        plan.isStream = isStream
        plan.hasTrailingSeparator = metadata.isSet("usetrailingstreamseparator")
        if !isStream, name.runsOnAppear || metadata.isSet("refreshonopen") {
            plan.updateOnAppear = UpdatePlan.shortestInterval
        }
        let title = metadata["title"] ?? PlainText.line(name.displayName, upTo: ContentLimits.summaryBytes)
        var manifest = Manifest(id: name.id, displayName: title, update: plan)
        manifest.summary = summary
        // Plugins are written for bars.
        manifest.extensionPoints = [.today, .statusBar]
        manifest.largestDisplayMode = .expanded
        manifest.urlSchemes = Self.schemes
        manifest.allowsCommands = true
        return manifest
    }

    /// Its description, version and author, as far as they are known.
    private var summary: String? {
        let version = metadata["version"].map { "version \($0)" }
        let author = metadata["author"].map { "by \($0)" }
        let maker = [version, author].compactMap { $0 }.joined(separator: " ")
        let parts = [metadata["desc"], maker.isEmpty ? nil : maker].compactMap { $0 }
        return parts.isEmpty ? nil : PlainText.line(parts.joined(separator: "; "), upTo: ContentLimits.summaryBytes)
    }
}
