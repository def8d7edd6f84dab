// SPDX-License-Identifier: MIT
import Accounts
import Files
import Reactor
import TodayModel

/// Knows which widgets exist: it finds their manifests, reads them, and notices changes.
///
/// `reload` reads everything for the first time. From then on the registry watches directories, never single files: ten
/// thousand widgets in one directory need one watch.
@LoopActor
package final class Registry {
    package enum Report {
        /// Widgets have changed. Changes that happen within `pauseLength` are reported together.
        case widgets([Change])
        /// todayd.conf has changed.
        case settings(Settings)
        /// `complaints` have changed.
        case complaints
    }

    package var onReport: (Report) -> Void = { _ in }

    package private(set) var widgets: [WidgetID: Entry] = [:]
    package private(set) var settings = Settings()
    package let searchPath: SearchPath

    /// Complaints that concern no widget: about todayd.conf, file names, drop-ins without a widget, and directories that cannot
    /// be watched.
    package var complaints: [Complaint] {
        (settingsComplaints + surveyComplaints + plugins.complaints + strayComplaints + watchComplaints).sorted {
            ($0.file, $0.line ?? 0) < ($1.file, $1.line ?? 0)
        }
    }
    private var reportedComplaints: [Complaint] = []
    private var strayComplaints: [Complaint] = []
    private var dropInDirectories: Set<String> = []

    private var settingsComplaints: [Complaint] = []
    private var linkedConfiguration: [String] = []
    private var surveyComplaints: [Complaint] = []
    private var plugins = PluginSurvey()
    private var offers = Offers()
    private var added: Set<WidgetID> = []
    private var loader: EntryLoader
    private let watcher = DirectoryWatcher()
    private var pause: TimerSource?
    private var isPaused = false
    private var unread = UnreadChanges()

    /// The widgets that need a program, by its path, and those whose plugin is a link, by where it leads. They are read again
    /// when it changes.
    private var widgetsByFile: [String: Set<WidgetID>] = [:]
    /// The widgets whose plugin is a link into a directory, which is watched for its target.
    private var widgetsByLinkedDirectory: [String: Set<WidgetID>] = [:]
    /// The widgets with drop-ins in a directory, or with a missing program that may be installed there. They are read again
    /// when it changes.
    private var widgetsByDirectory: [String: Set<WidgetID>] = [:]

    /// In microseconds. Changes are read this long after the first of them, so that those of one package, or the renames of an
    /// editor that saves, are read once. People do not notice 50 ms.
    static let pauseLength: Int64 = 50_000

    /// - Parameter programDirectories: where to find a program that ExecStart= names without a directory.
    package init(
        searchPath: SearchPath, locale: MessageLocale = MessageLocale("C"), specifiers: Specifiers = Specifiers(),
        programDirectories: [String] = [],
        uid: @escaping @Sendable (_ name: String) -> UInt32? = { Users.localUID(named: $0) }
    ) throws(ReactorError) {
        self.searchPath = searchPath
        loader = EntryLoader(
            reader: ManifestReader(locale: locale, specifiers: specifiers, uid: uid),
            search: ProgramSearch(directories: programDirectories))
        pause = try TimerSource(.monotonic) { [unowned self] in
            isPaused = false
            readChanges()
        }
        watcher.onEvent = { [unowned self] directory, event in noteChange(event, in: directory) }
        watcher.onDirectoriesChanged = { [unowned self] in note { $0.everything = true } }
    }

    /// Reads everything now. The daemon calls it at start, on SIGHUP and for `Reload`: a directory that cannot be watched is
    /// read again only then.
    package func reload() {
        unread.everything = true
        readChanges()
    }

    package func hasAdded(_ id: WidgetID) -> Bool { added.contains(id) }

    /// Takes the widgets that the user has added, and reads them.
    package func setAdded(_ ids: Set<WidgetID>) {
        let changed = added.symmetricDifference(ids)
        added = ids
        if changed.isEmpty { return }
        unread.widgets.formUnion(changed)
        readChanges()
    }

    /// Takes other places for programs that ExecStart= names without a directory, and looks for them there.
    package func setProgramDirectories(_ directories: [String]) {
        let search = ProgramSearch(directories: directories)
        if search == loader.search { return }
        loader.search = search
        note { $0.everything = true }
    }

    /// Makes this the only widget, and watches nothing.
    package func adopt(_ entry: Entry, _ settings: Settings) {
        widgets = [entry.id: entry]
        self.settings = settings
    }

    /// Reads changed widgets now instead of after the pause: a client that has just saved a manifest and asks for the widget
    /// means the new manifest. A change that needs everything to be read waits, so that clients cannot cause that often.
    package func catchUp() {
        guard isPaused, !unread.everything, !unread.settings else { return }
        isPaused = false
        pause?.disarm()
        readChanges()
    }

    /// Reads a widget again if the file of its program is another one. In directories that are watched, that is noticed anyway.
    package func checkProgram(of id: WidgetID) {
        guard let entry = widgets[id], let program = entry.program, let version = FileMark(at: program)?.version,
            version != entry.programVersion
        else { return }
        note { $0.widgets.insert(id) }
    }

    // MARK: Noting changes

    private func noteChange(_ event: DirectoryEvent, in directory: String) {
        let path = "\(directory)/\(event.name)"
        // A created file is not written yet; IN_CLOSE_WRITE reports its end (inotify(7)). Symbolic and hard links are complete
        // at once.
        if event.kinds.contains(.created), !event.kinds.contains(.isDirectory), !Paths.isLinkOrHasSeveralNames(path) {
            return
        }
        note { unread in
            if searchPath.widgetDirectories.contains(directory) {
                let id =
                    Survey.id(of: event.name, suffix: Survey.suffix)
                    ?? Survey.id(of: event.name, suffix: Survey.dropInSuffix)
                if let id {
                    unread.widgets.insert(id)
                } else if event.name.hasSuffix(Survey.suffix) || event.name.hasSuffix(Survey.dropInSuffix) {
                    // A file name to complain about.
                    unread.everything = true
                }
            }
            if event.name.hasSuffix(Survey.suffix), Offers.directories(searchPath).contains(directory) {
                unread.everything = true
            }
            unread.widgets.formUnion(widgetsByFile[path] ?? [])
            unread.widgets.formUnion(widgetsByDirectory[directory] ?? [])
            if searchPath.pluginDirectories.contains(directory),
                let plugin = plugins.plugin(concernedBy: event.name, in: directory)
            {
                unread.plugins.insert(plugin)
            }
            if isConfiguration(directory, event.name) { unread.settings = true }
        }
    }

    private func isConfiguration(_ directory: String, _ name: String) -> Bool {
        let path = "\(directory)/\(name)"
        if linkedConfiguration.contains(path) { return true }
        if let file = searchPath.configurationFile { return path == file }
        return searchPath.bases.contains(directory) && name.hasPrefix(ConfigurationFiles.name)
            || ConfigurationFiles.dropInDirectories(searchPath).contains(directory)
    }

    /// Notes changes, and reads them after the pause.
    private func note(_ change: (inout UnreadChanges) -> Void) {
        change(&unread)
        guard !unread.isEmpty, !isPaused else { return }
        isPaused = true
        pause?.arm(after: Self.pauseLength, slack: Self.pauseLength / 2)
    }

    // MARK: Reading changes

    /// Reads what may have changed, until everything that was read is watched.
    private func readChanges() {
        var changes: [WidgetID: Change] = [:]
        var oldSettings: Settings?
        // At most four times: a directory that is made and removed again and again must not stop the loop. Its next event
        // causes another read.
        for _ in 0..<4 where !unread.isEmpty {
            let unread = unread
            self.unread = UnreadChanges()
            // A directory that is watched before it is read needs no second read.
            if unread.everything { _ = watcher.watch(wantedDirectories) }
            if unread.everything || unread.settings, let previous = readSettings() {
                oldSettings = oldSettings ?? previous
                readEverything(into: &changes)
            } else if unread.everything {
                readEverything(into: &changes)
            } else {
                read(unread, into: &changes)
            }
            noteUnwatched(watcher.watch(wantedDirectories))
        }
        strayComplaints = StrayDropIns.complaints(about: dropInDirectories, widgets: widgets, offers)
        if let oldSettings, oldSettings != settings { onReport(.settings(settings)) }
        // Sort the identifiers, not the changes: those are large values.
        let real = changes.keys.sorted().compactMap { changes[$0] }.filter(\.isReal)
        if !real.isEmpty { onReport(.widgets(real)) }
        let complaints = complaints
        if complaints != reportedComplaints {
            reportedComplaints = complaints
            onReport(.complaints)
        }
    }

    /// Directories that were not watched when they were read may have changed since.
    private func noteUnwatched(_ fresh: Set<String>) {
        for directory in fresh {
            let ids = (widgetsByDirectory[directory] ?? []).union(widgetsByLinkedDirectory[directory] ?? [])
            unread.widgets.formUnion(ids)
            if ids.isEmpty || searchPath.isSearched(directory) { unread.everything = true }
        }
    }

    /// Returns the previous settings if they have changed.
    private func readSettings() -> Settings? {
        let (new, complaints) = ConfigurationFiles.read(searchPath)
        settingsComplaints = complaints
        linkedConfiguration = ConfigurationFiles.linkedFiles(searchPath)
        guard new != settings else { return nil }
        defer { settings = new }
        loader.reader.settings = new
        return settings
    }

    private func readEverything(into changes: inout [WidgetID: Change]) {
        let survey = Survey(of: searchPath, added: added)
        surveyComplaints = survey.complaints
        plugins = survey.plugins
        offers = survey.offers
        dropInDirectories = survey.dropInDirectories
        for id in widgets.keys where survey.files[id] == nil && plugins.files[id] == nil {
            replace(id, with: nil, into: &changes)
        }
        for (id, files) in survey.files { replace(id, with: loader.load(id, files), into: &changes) }
        for (id, plugin) in plugins.files { replace(id, with: load(plugin), into: &changes) }
    }

    private func read(_ unread: UnreadChanges, into changes: inout [WidgetID: Change]) {
        var ids = unread.widgets
        // A plugin that comes or goes may change the identifiers of others, and so may a manifest that replaces one.
        if !unread.plugins.isEmpty || ids.contains(where: { $0.text.hasPrefix(PluginName.prefix) }) {
            let earlier = plugins
            plugins = PluginSurvey(of: searchPath) { files(of: $0) != nil }
            ids.formUnion(plugins.changes(since: earlier, of: unread.plugins))
        }
        for id in ids {
            let present = Survey.dropInDirectories(of: id, in: searchPath.widgetDirectories)
            dropInDirectories.subtract(Survey.possibleDropInDirectories(of: id, in: searchPath.widgetDirectories))
            dropInDirectories.formUnion(present)
            replace(id, with: load(id), into: &changes)
        }
    }

    private func files(of id: WidgetID) -> WidgetFiles? {
        Survey.files(of: id, in: searchPath, added: added.contains(id) ? offers : nil)
    }

    private func load(_ id: WidgetID) -> Entry? {
        if let files = files(of: id) { return loader.load(id, files) }
        return plugins.files[id].map { load($0) }
    }

    /// What can be added, by identifier. Reads the file of each.
    package func readOffers() -> [Offer] {
        let all = offers.templates.map { ($0, true, $1) } + offers.manifests.map { ($0, false, $1) }
        return all.sorted { $0.0 < $1.0 }.prefix(Offers.most).map { id, isTemplate, path in
            Offer(id: id, isTemplate: isTemplate, entry: loader.load(id, WidgetFiles(manifest: path)))
        }
    }

    /// What a widget would be if it were added; nil if it cannot be.
    package func preview(ofAdding id: WidgetID) -> Entry? {
        let isOffered = id.template.map { offers.templates[$0] != nil } ?? (offers.manifests[id] != nil)
        return isOffered ? Survey.files(of: id, in: searchPath, added: offers).map { loader.load(id, $0) } : nil
    }

    private func load(_ plugin: PluginFile) -> Entry {
        loader.load(plugin, Survey.dropInDirectories(of: plugin.name.id, in: searchPath.widgetDirectories))
    }

    private func replace(_ id: WidgetID, with new: Entry?, into changes: inout [WidgetID: Change]) {
        let old = widgets[id]
        guard old != new else { return }
        widgets[id] = new
        if let old { index(old, isPresent: false) }
        if let new { index(new, isPresent: true) }
        changes[id] = Change(from: changes[id].map(\.before) ?? old, to: new)
    }

    private func index(_ entry: Entry, isPresent: Bool) {
        func note(_ key: String, in table: inout [String: Set<WidgetID>]) {
            if isPresent {
                table[key, default: []].insert(entry.id)
            } else {
                table[key]?.remove(entry.id)
                if table[key]?.isEmpty == true { table[key] = nil }
            }
        }
        if let program = entry.program { note(program, in: &widgetsByFile) }
        for file in entry.linkedFiles {
            note(file, in: &widgetsByFile)
            note(Paths.parent(of: file), in: &widgetsByLinkedDirectory)
        }
        for directory in entry.awaitedDirectories + entry.dropInDirectories { note(directory, in: &widgetsByDirectory) }
    }

    private var wantedDirectories: Set<String> {
        var wanted = Set(searchPath.widgetDirectories)
        wanted.formUnion(searchPath.pluginDirectories)
        wanted.formUnion(Offers.directories(searchPath))
        wanted.formUnion(ConfigurationFiles.directories(searchPath))
        wanted.formUnion(widgetsByDirectory.keys)
        wanted.formUnion(widgetsByLinkedDirectory.keys)
        return wanted
    }

    private var watchComplaints: [Complaint] {
        watcher.failures.sorted { $0.key < $1.key }.map { path, error in
            .warning(path, nil, "changes are not noticed: \(error)")
        }
    }
}

/// What may have changed since it was last read.
struct UnreadChanges {
    var widgets: Set<WidgetID> = []
    /// The paths of plugins.
    var plugins: Set<String> = []
    var settings = false
    var everything = false

    var isEmpty: Bool { widgets.isEmpty && plugins.isEmpty && !settings && !everything }
}
