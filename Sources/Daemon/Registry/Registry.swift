// SPDX-License-Identifier: MIT
import Accounts
import Files
import Reactor
import TodayModel

/// Which widgets exist: finds their manifests, reads them, and notices changes as they happen.
///
/// Nothing is read before the first `reload`. From then on directories are watched, never single files: ten thousand
/// widgets in one directory are one watch.
@LoopActor
package final class Registry {
    /// What has changed, all that belongs together at once.
    package var onChange: ([Change]) -> Void = { _ in }
    /// todayd.conf has changed.
    package var onSettings: (Settings) -> Void = { _ in }

    /// `complaints` are others than before.
    package var onComplaints: () -> Void = {}

    package private(set) var widgets: [WidgetID: Entry] = [:]
    package private(set) var settings = Settings()
    package let searchPath: SearchPath

    /// What is wrong beyond single widgets: in todayd.conf, with names of files, with watching.
    package var complaints: [Complaint] {
        (settingsComplaints + surveyComplaints + watchComplaints).sorted {
            ($0.file, $0.line ?? 0) < ($1.file, $1.line ?? 0)
        }
    }
    private var toldComplaints: [Complaint] = []

    private var settingsComplaints: [Complaint] = []
    private var surveyComplaints: [Complaint] = []
    private var loader: EntryLoader
    private let watcher = DirectoryWatcher()
    private var pause: TimerSource?
    private var isPaused = false
    private var suspicion = Suspicion()

    /// Widgets by the program they need, to look at them again when it changes.
    private var users: [String: Set<WidgetID>] = [:]
    /// Directories of drop-ins and of programs that are missing, each with the widgets to which it matters.
    private var extraDirectories: [String: Set<WidgetID>] = [:]

    /// A burst of changes (an unpacked package, an editor's dance of renames) is looked at once, this long after its
    /// first: too short for people, long enough for a manifest and its program to arrive together.
    static let pauseLength: Int64 = 50_000

    /// - Parameter programDirectories: where programs are looked for that are named without a directory.
    package init(
        searchPath: SearchPath, locale: MessageLocale = MessageLocale("C"), specifiers: Specifiers = Specifiers(),
        programDirectories: [String] = [], uid: @escaping @Sendable (_ name: String) -> UInt32? = Users.uid
    ) throws(ReactorError) {
        self.searchPath = searchPath
        loader = EntryLoader(
            reader: ManifestReader(locale: locale, specifiers: specifiers, uid: uid),
            search: ProgramSearch(directories: programDirectories))
        pause = try TimerSource(.monotonic) { [unowned self] in
            isPaused = false
            settle()
        }
        watcher.onEvent = { [unowned self] directory, event in notice(event, in: directory) }
        watcher.onUpheaval = { [unowned self] in suspect { $0.everything = true } }
    }

    /// Reads everything again, now: at start, and for what cannot be watched.
    package func reload() {
        suspicion.everything = true
        settle()
    }

    /// Looks now at what is known to have changed, and would be looked at shortly: a client that has just saved a manifest and
    /// asks means the new one. Reading everything stays rare, whichever client asks.
    package func catchUp() {
        guard isPaused, !suspicion.everything, !suspicion.settings else { return }
        isPaused = false
        pause?.disarm()
        settle()
    }

    // MARK: Noticing

    private func notice(_ event: DirectoryEvent, in directory: String) {
        let path = "\(directory)/\(event.name)"
        // A file that has just been created is empty or half written; its closing is reported, too. Only links are
        // complete at once. inotify(7)
        if event.kinds.contains(.created), !event.kinds.contains(.isDirectory), !Paths.isLinkOrHasSeveralNames(path) {
            return
        }
        suspect { suspicion in
            if searchPath.widgetDirectories.contains(directory) {
                let id =
                    Survey.id(of: event.name, suffix: Survey.suffix)
                    ?? Survey.id(of: event.name, suffix: Survey.dropInSuffix)
                if let id, !id.text.hasPrefix(PluginName.prefix) {
                    suspicion.widgets.insert(id)
                } else if id != nil || event.name.hasSuffix(Survey.suffix) {
                    // A manifest before or behind a plugin, or a name to complain about.
                    suspicion.everything = true
                }
            }
            suspicion.widgets.formUnion(users[path] ?? [])
            suspicion.widgets.formUnion(extraDirectories[directory] ?? [])
            if searchPath.pluginDirectories.contains(directory) { suspicion.everything = true }
            if isConfiguration(directory, event.name) { suspicion.settings = true }
        }
    }

    private func isConfiguration(_ directory: String, _ name: String) -> Bool {
        if let file = searchPath.configurationFile { return "\(directory)/\(name)" == file }
        return searchPath.bases.contains(directory) && name.hasPrefix(ConfigurationFiles.name)
            || ConfigurationFiles.dropInDirectories(searchPath).contains(directory)
    }

    private func suspect(_ change: (inout Suspicion) -> Void) {
        change(&suspicion)
        guard !suspicion.isEmpty, !isPaused else { return }
        isPaused = true
        pause?.arm(after: Self.pauseLength, slack: Self.pauseLength / 2)
    }

    // MARK: Settling

    /// Looks at all that may have changed until what is watched covers what was read.
    private func settle() {
        var changes: [WidgetID: Change] = [:]
        var oldSettings: Settings?
        // A directory that keeps coming and going must not keep the loop here; its next event will tell.
        for _ in 0..<4 where !suspicion.isEmpty {
            let suspicion = suspicion
            self.suspicion = Suspicion()
            // What is watched before it is read needs no second look.
            if suspicion.everything { _ = watcher.watch(wantedDirectories) }
            if suspicion.everything || suspicion.settings, let previous = readSettings() {
                oldSettings = oldSettings ?? previous
                readEverything(into: &changes)
            } else if suspicion.everything {
                readEverything(into: &changes)
            } else {
                for id in suspicion.widgets { refresh(id, Survey.place(of: id, in: searchPath), into: &changes) }
            }
            lookAgain(at: watcher.watch(wantedDirectories))
        }
        if let oldSettings, oldSettings != settings { onSettings(settings) }
        // The identifiers are sorted, not the changes, which are large.
        let real = changes.keys.sorted().compactMap { changes[$0] }.filter(\.isReal)
        if !real.isEmpty { onChange(real) }
        let complaints = complaints
        if complaints != toldComplaints {
            toldComplaints = complaints
            onComplaints()
        }
    }

    /// Directories that are newly watched may have changed between being read and being watched.
    private func lookAgain(at fresh: Set<String>) {
        for directory in fresh {
            if let ids = extraDirectories[directory] {
                suspicion.widgets.formUnion(ids)
            } else {
                suspicion.everything = true
            }
        }
    }

    /// Returns the previous settings if these are others.
    private func readSettings() -> Settings? {
        let (new, complaints) = ConfigurationFiles.read(searchPath)
        settingsComplaints = complaints
        guard new != settings else { return nil }
        defer { settings = new }
        loader.reader.settings = new
        return settings
    }

    private func readEverything(into changes: inout [WidgetID: Change]) {
        let survey = Survey(of: searchPath)
        surveyComplaints = survey.complaints
        for id in widgets.keys where survey.places[id] == nil && survey.plugins[id] == nil {
            replace(id, with: nil, into: &changes)
        }
        for (id, place) in survey.places { refresh(id, place, into: &changes) }
        for (id, plugin) in survey.plugins { replace(id, with: plugin.name.entry(at: plugin.path), into: &changes) }
    }

    private func refresh(_ id: WidgetID, _ place: Survey.Place?, into changes: inout [WidgetID: Change]) {
        let entry = place.map { loader.load(id, source: $0.source, dropInDirectories: $0.dropInDirectories) }
        replace(id, with: entry, into: &changes)
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
        if let program = entry.program { note(program, in: &users) }
        for directory in entry.awaitedDirectories + entry.dropInDirectories { note(directory, in: &extraDirectories) }
    }

    private var wantedDirectories: Set<String> {
        var wanted = Set(searchPath.widgetDirectories)
        wanted.formUnion(searchPath.pluginDirectories)
        wanted.formUnion(ConfigurationFiles.directories(searchPath))
        wanted.formUnion(extraDirectories.keys)
        return wanted
    }

    private var watchComplaints: [Complaint] {
        watcher.failures.sorted { $0.key < $1.key }.map { path, error in
            .warning(path, nil, "changes are not noticed: \(error)")
        }
    }
}
