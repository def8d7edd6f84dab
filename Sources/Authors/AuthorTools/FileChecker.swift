// SPDX-License-Identifier: MIT
import Accounts
import Files
import Registry
import TodayModel

/// Reads files that an author names, once and wherever they are, as the registry would read them. It watches nothing and
/// reports every complaint.
struct FileChecker {
    struct Finding {
        var kind: FileReport.Kind
        /// Nil for settings and for what todayd does not read.
        var entry: Registry.Entry?
        /// Those of the entry, too.
        var complaints: [Complaint]
    }

    /// A drop-in or a program may be wrong in many places, and the author wants to see all of them.
    private static let mostComplaints = 1_000

    let settings: Settings
    private let searchPath: SearchPath
    private let loader: EntryLoader

    /// - Parameter programDirectories: where to find a program that ExecStart= names without a directory.
    init(
        searchPath: SearchPath, locale: MessageLocale = MessageLocale("C"), specifiers: Specifiers = Specifiers(),
        programDirectories: [String] = [],
        uid: @escaping @Sendable (_ name: String) -> UInt32? = { Users.localUID(named: $0) }
    ) {
        self.searchPath = searchPath
        settings = ConfigurationFiles.read(searchPath).settings
        loader = EntryLoader(
            reader: ManifestReader(locale: locale, settings: settings, specifiers: specifiers, uid: uid),
            search: ProgramSearch(directories: programDirectories), mostComplaints: Self.mostComplaints)
    }

    /// - Parameters:
    ///   - path: an absolute path.
    ///   - chosen: the protocol of a script; nil is `text`.
    func check(_ path: String, scriptProtocol chosen: ContentProtocol? = nil) -> Finding {
        let name = Paths.name(of: path)
        if name.hasSuffix(Survey.suffix) {
            var finding = manifest(path, named: name)
            if chosen != nil {
                finding.complaints.append(.warning(path, nil, "is a manifest, whose Protocol= counts, not --protocol"))
            }
            return finding
        }
        if name == ConfigurationFiles.name || Paths.name(of: Paths.parent(of: path)) == ConfigurationFiles.dropInName {
            return configuration(path)
        }
        return script(path, named: name, chosen)
    }

    // MARK: Manifests

    private func manifest(_ path: String, named name: String) -> Finding {
        var complaints: [Complaint] = []
        // A template is read as one of its instances.
        var id =
            Survey.id(of: name, suffix: Offers.templateSuffix)?.instance("example")
            ?? Survey.id(of: name, suffix: Survey.suffix)
        if id == nil {
            var complaint = ManifestFileName.complaint(about: path, named: name)
            complaint.severity = .error
            if Paths.exists(path) { complaints.append(complaint) }
            // Read it under the suggested name, so that its author sees all complaints at once.
            id = Survey.id(of: ManifestFileName.suggestion(for: name), suffix: Survey.suffix)
        }
        guard let id else { return Finding(kind: .manifest, entry: nil, complaints: complaints) }
        let entry = loader.load(id, files(of: id, at: path))
        complaints += entry.complaints
        complaints += stronger(id, than: path) + masking(entry) + program(of: entry)
        return Finding(kind: .manifest, entry: entry, complaints: complaints)
    }

    /// The drop-ins are those of all directories if the manifest is in one of them, and else those beside it.
    private func files(of id: WidgetID, at path: String) -> WidgetFiles {
        let own = Paths.parent(of: path)
        let directories = searchPath.widgetDirectories.contains(own) ? searchPath.widgetDirectories : [own]
        return WidgetFiles(
            manifest: path, dropInDirectories: Survey.dropInDirectories(of: id, in: directories))
    }

    private func stronger(_ id: WidgetID, than path: String) -> [Complaint] {
        guard searchPath.widgetDirectories.contains(Paths.parent(of: path)),
            let read = Survey.files(of: id, in: searchPath)?.manifest, read != path
        else { return [] }
        return [.warning(path, nil, "todayd reads \(read) in its place, because that directory comes first")]
    }

    private func masking(_ entry: Registry.Entry) -> [Complaint] {
        guard entry.validity == .masked else { return [] }
        return [.warning(entry.path, nil, "is empty or a link to /dev/null: it masks the widget \(entry.id)")]
    }

    /// What is wrong with the program, even if another mistake keeps the loader from looking for it.
    private func program(of entry: Registry.Entry) -> [Complaint] {
        guard let update = entry.described?.update, let program = update.command.first else { return [] }
        switch loader.search.find(program) {
        case .found(let path): return head(of: path) + script(of: entry, update) + foreign(in: path)
        case .missing(let reason, _):
            // If the manifest is readable, the loader has complained already.
            if entry.manifest != nil { return [] }
            let place = CommandPlace(of: entry, loader.reader.specifiers, word: 0)
            return [.error(place?.file ?? entry.path, place?.line, "ExecStart=: \(reason)", column: place?.column)]
        }
    }

    /// What keeps an interpreter from reading its script.
    private func script(of entry: Registry.Entry, _ update: UpdatePlan) -> [Complaint] {
        let directory = EntryLoader.directory(of: entry.path)
        guard let script = InterpreterScript(command: update.command),
            let (reason, isCertain) = script.trouble(in: update.workingDirectory, beside: directory)
        else { return [] }
        let place = CommandPlace(of: entry, loader.reader.specifiers, word: script.index)
        let (file, line, column) = (place?.file ?? entry.path, place?.line, place?.column)
        return [
            isCertain
                ? .error(file, line, "ExecStart=: \(reason)", column: column)
                : .warning(file, line, "ExecStart=: \(reason)", column: column)
        ]
    }

    // MARK: Settings

    private func configuration(_ path: String) -> Finding {
        let complaints: [Complaint]
        switch EntryLoader.open(path, sections: Settings.sections) {
        case .file(let file): complaints = Settings.read([file]).complaints
        case .masked: complaints = [.warning(path, nil, "is empty or a link to /dev/null: it masks others of its name")]
        case .unusable(let complaint): complaints = [complaint]
        }
        return Finding(kind: .settings, entry: nil, complaints: complaints)
    }

    // MARK: Scripts

    private func script(_ path: String, named name: String, _ chosen: ContentProtocol?) -> Finding {
        func other(_ reason: String) -> Finding {
            Finding(kind: .other, entry: nil, complaints: [.error(path, nil, reason)])
        }
        let bytes: [UInt8]
        switch FileContents.beginning(of: path, upTo: PluginMetadata.mostBytes) {
        case .bytes(let beginning): bytes = beginning
        case .directory: return other("is a directory; name a manifest, ID.widget, or a program")
        case .nullDevice, .notRegular, .tooLarge: return other("is not a regular file")
        case .missing:
            // The user may have named a widget: disk or org.todayd.disk. One dot is that of a file, disk.sh.
            let isFile = name.split(separator: ".").count == 2
            let hint = isFile ? "" : "; 'todayctl status \(name)' names the manifest of a widget"
            return other("does not exist\(hint)")
        case .danglingLink(let target): return other("is a link to \(target), which does not exist")
        case .refused(let reason): return other("cannot be read: \(reason)")
        }
        if let id = Survey.id(of: Paths.name(of: Paths.parent(of: path)), suffix: WidgetID.dropInSuffix) {
            return other("is a drop-in, which is read with the manifest or the script of \(id): name that")
        }
        guard Paths.isExecutable(path) || ProgramHead(bytes).hasInterpreter else {
            return other("is neither a manifest, ID.widget, nor a program: it is not executable and begins without #!")
        }
        let plugin = PluginName(fileName: name)
        if chosen == nil, let plugin, isPlugin(plugin, path, bytes) {
            let entry = loader.load(PluginFile(path: path, name: plugin), dropIns(of: plugin.id, at: path))
            return Finding(kind: .script, entry: entry, complaints: entry.complaints + foreign(in: path))
        }
        let contentProtocol = chosen ?? .text
        guard let id = plugin?.id ?? WidgetID("\(PluginName.prefix)script") else { return other("has no usable name") }
        let plan = UpdatePlan(
            command: contentProtocol.hasProgram ? [path] : [], contentProtocol: contentProtocol,
            interval: plugin?.interval ?? PluginName.defaultInterval, timeout: settings.defaultTimeout)
        let title = PlainText.line(plugin?.displayName ?? name, upTo: ContentLimits.summaryBytes)
        var manifest = Manifest(id: id, displayName: title.isEmpty ? id.text : title, update: plan)
        manifest.largestDisplayMode = .expanded
        manifest.limits.memory = settings.defaultMemoryMax
        manifest.limits.output = settings.defaultOutputMax
        manifest.sandbox.level = settings.defaultSandbox
        var entry = Registry.Entry(id: id, validity: .valid(manifest), path: path)
        if let reason = Paths.whyNotExecutable(path) {
            entry.complaints = [.error(path, nil, reason)]
            entry.validity = .invalid(reason: "\(name): \(reason)", manifest)
        }
        return Finding(kind: .script, entry: entry, complaints: entry.complaints + head(of: path) + foreign(in: path))
    }

    /// The directories of drop-ins of a plugin that todayd finds.
    private func dropIns(of id: WidgetID, at path: String) -> [String] {
        guard searchPath.pluginDirectories.contains(Paths.parent(of: path)) else { return [] }
        return Survey.dropInDirectories(of: id, in: searchPath.widgetDirectories)
    }

    /// Whether a script is one for xbar, BitBar, SwiftBar or Argos: by where it is, its name, or its tags.
    private func isPlugin(_ name: PluginName, _ path: String, _ bytes: [UInt8]) -> Bool {
        name.hasInterval || searchPath.pluginDirectories.contains(Paths.parent(of: path))
            || PluginMetadata(bytes).dialect != nil
    }

    /// The commands that only macOS has. A compiled program has no text to search.
    private func foreign(in path: String) -> [Complaint] {
        guard case .bytes(let bytes) = FileContents.beginning(of: path, upTo: 256 << 10),
            ProgramHead(bytes).hasInterpreter
        else { return [] }
        return MacCommands.find(in: String(decoding: bytes, as: UTF8.self)).map { .warning(path, $0.line, $0.reason) }
    }

    private func head(of program: String) -> [Complaint] {
        // A program that its user may run but not read can contain secrets.
        guard case .bytes(let bytes) = FileContents.beginning(of: program, upTo: 4_096) else { return [] }
        return loader.trouble(inHead: bytes).map { [$0.complaint(about: program)] } ?? []
    }
}
