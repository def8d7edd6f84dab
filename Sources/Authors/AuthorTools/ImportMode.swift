// SPDX-License-Identifier: MIT
import Accounts
import Files
import Glibc
import Import
import Platform
import Registry
import TodayDaemon
import TodayModel

/// `today-author --import`: widgets from the configuration or the plugins of another host. It opens neither the database nor the
/// socket; a daemon that watches the directories finds the files by itself.
enum ImportMode {
    static func run(_ options: ImportOptions, environment: [String: String]) throws -> Int32 {
        Daemon.prepareProcess()
        let instance = try DaemonInstance(
            options.instance.completed(in: environment), environment: environment)
        let trouble = instance.paths.kind == .system ? nil : SandboxTrial.trouble(instance.environment)
        let report = report(options, instance, sandboxTrouble: trouble)
        try CheckMode.printLine(report.json)
        return report.isComplete ? 0 : CheckMode.failed
    }

    /// - Parameter sandboxTrouble: why the programs cannot be sandboxed.
    static func report(
        _ options: ImportOptions, _ instance: DaemonInstance, sandboxTrouble: String? = nil
    ) -> ImportReport {
        let host = options.host
        let files = ImportFiles(readingAs: geteuid(), environment: instance.environment)
        let directory = options.directory.map(DaemonInstance.clean) ?? instance.importDirectory(of: host)
        var report = ImportReport(host: host.title, directory: directory ?? "", isDryRun: options.isDryRun)
        guard let directory else {
            report.failure = .init("HOME is not set: name a directory for the widgets", isNotPermitted: false)
            return report
        }
        guard let path = source(options, files) else {
            report.places =
                options.path.map { path in host.fileNames.map { "\(DaemonInstance.clean(path))/\($0)" } }
                ?? host.places(files.variable)
            return report
        }
        report.source = path
        let earlier = EarlierManifests(of: host, in: directory)
        // A user's todayctl asks the user's own todayd.
        let client = instance.paths.kind == .system ? "todayctl --system" : "todayctl"
        let plan = ImportPlan.plan(for: host, path: path, files: files, earlier: earlier, client: client)
        (report.remarks, report.replacements) = (plan.remarks, plan.replacements)
        if instance.paths.kind == .system, !plan.manifests.isEmpty {
            report.remarks.append(.init(.note, path, line: nil, homeOfTheSystem))
        }
        let isForSystem = instance.paths.kind == .system && geteuid() == 0
        let dropIns = instance.dropIns(for: host, in: directory)
        if dropIns == nil, !plan.plugins.isEmpty {
            let text =
                "todayd reads no plugins from here: those that you put into its directory have no sandbox of this import"
            report.remarks.append(.init(.note, directory, line: nil, text))
        }
        var writer = ImportWriter(
            options, directory: directory, dropIns: dropIns, instance: instance.paths.kind,
            group: isForSystem ? Users.gid(named: Version.vendor) : nil)
        if let sandboxTrouble, options.consent != .everything {
            report.sandboxTrouble = sandboxTrouble
            if !options.isDryRun, dropIns != nil {
                writer.refuse("\(sandboxTrouble); --allow all imports without a sandbox")
            }
        }
        report.files = writer.place(plan)
        report.sandboxes = writer.sandboxes
        report.failure = writer.failure
        report.remarks += gone(earlier.gone(from: plan), plan, host, directory)
        report.complaints = complaints(about: report, FileChecker(instance))
        return report
    }

    private static let homeOfTheSystem =
        "the system's todayd runs these commands as its own user: ~ and $HOME are another directory"

    /// The manifests of an earlier import whose programs are gone. The user may have changed them, so they stay.
    private static func gone(
        _ ids: [WidgetID], _ plan: ImportPlan, _ host: ImportSource, _ directory: String
    ) -> [ImportReport.Remark] {
        // A part that could not be understood may still contain their programs.
        guard !plan.hasErrors else {
            let text = "whether manifests of earlier imports are still needed can be said when the errors are mended"
            return ids.isEmpty ? [] : [.init(.note, directory, line: nil, text)]
        }
        return ids.map { id in
            let text =
                "is of an earlier import, and \(host.title) does not have its program any more: you may remove it"
            return .init(.note, "\(directory)/\(id).widget", line: nil, text)
        }
    }

    /// The file or the directory of plugins to read.
    private static func source(_ options: ImportOptions, _ files: ImportFiles) -> String? {
        guard let path = options.path.map(DaemonInstance.clean) else { return options.host.find(files) }
        return Paths.isDirectory(path) ? options.host.configuration(in: path, files) : path
    }

    /// What todayd says about the manifests and plugins that were written. In a dry run it reads the plugins where they are.
    private static func complaints(about report: ImportReport, _ checker: FileChecker) -> [Complaint] {
        report.files.filter { $0.outcome == .new }.flatMap { file -> [Complaint] in
            switch file.kind {
            case .values, .sandbox,
                .manifest where report.isDryRun:
                return []
            case .manifest, .plugin:
                let path = report.isDryRun ? file.source : file.path
                return FileReport(path, checker.check(path)).complaints
            }
        }
    }
}

extension DaemonInstance {
    /// The first directory of manifests or of plugins. A user's own is in the home directory and nowhere else.
    func importDirectory(of host: ImportSource) -> String? {
        let hasOwn = ["XDG_CONFIG_HOME", "HOME"].contains { environment[$0]?.hasPrefix("/") == true }
        guard paths.kind == .system || hasOwn || !options.widgetDirectories.isEmpty else { return nil }
        return host.isPlugins ? searchPath.pluginDirectories.first : searchPath.widgetDirectories.first
    }
}

extension DaemonInstance {
    /// Where todayd reads drop-ins for the imported widgets. Those of plugins are beside the manifests.
    fileprivate func dropIns(for host: ImportSource, in directory: String) -> String? {
        // Without Landlock in the kernel, the system instance cannot sandbox its widgets.
        guard paths.kind == .user || searchPath.defaults.defaultSandbox != .none else { return nil }
        guard host.isPlugins else { return directory }
        return searchPath.pluginDirectories.contains(directory) ? searchPath.widgetDirectories.first : nil
    }
}

extension EarlierManifests {
    init(of host: ImportSource, in directory: String) {
        let entries = host.isPlugins ? nil : try? DirectoryListing(of: directory).entries
        var files: [WidgetID: [UInt8]] = [:]
        for entry in entries ?? [] where entry.name.hasPrefix(host.prefix) && entry.name.hasSuffix(".widget") {
            guard let id = WidgetID(String(entry.name.dropLast(".widget".count))),
                case .bytes(let bytes) = FileContents(
                    at: "\(directory)/\(entry.name)", limit: ImportLimits.manifestBytes)
            else { continue }
            files[id] = bytes
        }
        self.init(files)
    }
}

/// Whether bubblewrap can sandbox a program here: some systems have no bwrap(1), and others refuse its namespaces.
enum SandboxTrial {
    /// Why it cannot.
    static func trouble(_ environment: [String: String]) -> String? {
        guard let program = SpawnedProgram.find("bwrap", in: ProgramPath.value(in: environment)) else {
            return "a sandbox needs bubblewrap, and there is no bwrap in PATH (Debian: apt install bubblewrap)"
        }
        let words = ["--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "/bin/true"]
        // The pipe keeps bwrap's complaint off this program's standard error.
        var plan = SpawnedProgram.Plan(program, words, output: .pipe)
        plan.joinsErrors = true
        var said: [UInt8] = []
        if let trial = try? SpawnedProgram(plan) {
            while said.count < 4_096, let bytes = trial.read() { said += bytes }
            if trial.wait() == .exited(0) { return nil }
        }
        let last = String(decoding: said, as: UTF8.self).split(whereSeparator: \.isNewline).last
        var reason = PlainText.line(last.map(String.init) ?? "it does not say why")
        if reason.last == "." { reason.removeLast() }
        let cure = Sandbox.cure(ofRefusal: reason).map { "; \($0)" } ?? ""
        return "bubblewrap cannot make a sandbox here: \(reason)\(cure)"
    }
}
