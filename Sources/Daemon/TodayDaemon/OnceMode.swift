// SPDX-License-Identifier: MIT
import Files
import Glibc
import Reactor
import Registry
import Runner
import Scheduler
import SnapshotStore
import Systemd
import TodayModel

/// `todayd --once`: one run of one widget, by a daemon that knows no other one, listens at no socket, and keeps its database
/// in a directory that is removed afterwards.
@LoopActor
final class OnceMode {
    /// How much of the output is printed.
    private static let keptOutput = 64 << 10
    private nonisolated static let endingSignals = [SIGINT, SIGTERM, SIGHUP]

    private let options: OnceOptions
    private let entry: Registry.Entry
    private let daemon: Daemon
    private var signals: [SignalSource] = []
    private var outcome: RunOutcome?
    private var refusal: Refusal?

    nonisolated static func run(_ options: OnceOptions, environment: [String: String]) throws -> Int32 {
        // Until the loop receives them: a signal must not leave the directory behind.
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in endingSignals { sigaddset(&signals, number) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let scratch = try ScratchDirectory("todayd-once", in: environment["TMPDIR"] ?? "/tmp")
        defer { scratch.remove() }
        // The daemon's own state goes, and that of the widget stays where the author wants it.
        let kept = options.instance.stateDirectory.map(DaemonInstance.absolute)
        var place = options.instance
        place.stateDirectory = scratch.path
        let instance = try DaemonInstance(place.completed(in: environment), environment: environment)
        if let kept { try Paths.makeDirectory(kept, mode: 0o700) }
        let path = DaemonInstance.clean(options.file)
        let checker = FileChecker(instance)
        let finding = checker.check(path, scriptProtocol: options.scriptProtocol)
        var report = FileReport(path, finding)
        guard let entry = finding.entry else {
            try CheckMode.printLine(report.json)
            return CheckMode.failed
        }
        var settings: [(name: String, text: String)] = []
        var isRun = entry.hasProgram
        do throws(SettingMistake) {
            settings = try options.settings(of: entry, environment: environment)
        } catch {
            report.complaints.append(.init(.error, report.file, "--set: \(error.reason)"))
            isRun = false
        }
        Daemon.prepareProcess()
        let status = try EventLoop.run {
            let mode = try OnceMode(options, entry, checker.settings, instance, keeping: kept)
            running = mode
            mode.prepare(settings, thenRun: isRun)
        }
        let (trial, refusal) = LoopActor.assumeIsolated { (running?.trial, running?.refusal) }
        if let refusal { throw refusal }
        guard status == 0, let trial else { return status }
        report.trial = trial
        try CheckMode.printLine(report.json)
        return trial.run.map { $0.result != .failed } == true ? 0 : CheckMode.failed
    }

    /// Keeps the daemon and the outcome of the run while the loop runs, and afterwards.
    private static var running: OnceMode?

    private init(
        _ options: OnceOptions, _ entry: Registry.Entry, _ settings: Settings, _ instance: DaemonInstance,
        keeping directory: String?
    ) throws {
        self.options = options
        self.entry = entry
        var runSettings = instance.runSettings
        if let directory { runSettings.stateDirectory = directory }
        runSettings.keptOutput.ofFailure = Self.keptOutput
        runSettings.keptOutput.ofSuccess = Self.keptOutput
        let registry = try Registry(searchPath: instance.searchPath)
        registry.adopt(entry, settings)
        daemon = try Daemon(
            instance, log: Log { _, _ in }, registry: registry, runner: ProcessRunner(runSettings))
        let finish = daemon.runner.onFinished
        daemon.runner.onFinished = { [unowned self] in
            finish($0)
            end($0)
        }
        for number in Self.endingSignals {
            // Nothing is printed: the status says which signal it was, as a shell has it.
            signals.append(
                try SignalSource(number) { [unowned self] in daemon.stop("ended by a signal", status: 128 + number) })
        }
    }

    /// Makes the choices of the author, and has the widget run.
    private func prepare(_ settings: [(name: String, text: String)], thenRun isRun: Bool) {
        let id = entry.id
        var changes: [Change] = [.choice(id, .enabled(true))]
        if case .valid(let manifest) = entry.validity {
            changes.append(.choice(id, .displayMode(min(options.mode, manifest.largestDisplayMode))))
            if !settings.isEmpty, let change = try? daemon.catalog.settingsChange(settings, unset: [], of: id) {
                changes.append(change)
            }
        }
        if isRun, options.isKnown || options.action != nil { daemon.store.record(known) }
        var left = changes.count
        for change in changes {
            daemon.change(change) { [self] result in
                left -= 1
                if case .failure(let refusal) = result { self.refusal = refusal }
                guard left == 0 else { return }
                if isRun, refusal == nil { start() } else { daemon.stop("nothing runs") }
            }
        }
    }

    /// An answer that the widget may have given: only that there is one counts, and no answer looks like this one.
    private var known: RunOutcome {
        RunOutcome(
            widget: entry.id, run: 0, reason: .boot, started: .now, duration: .zero,
            result: .newData(Content(text: "")))
    }

    private func start() {
        guard case .valid(let manifest) = entry.validity else { return }
        daemon.scheduler.add(
            entry.id, manifest.update, isStart: true, stored: StoredAnswer(age: .zero, nextAsk: nil))
        _ = daemon.scheduler.request(entry.id, interaction: options.action.map { .action($0) })
    }

    private func end(_ outcome: RunOutcome) {
        guard !daemon.isStopping else { return }
        self.outcome = outcome
        // A resident stays otherwise.
        daemon.stop("its run is over")
    }

    private var trial: FileReport.Trial? {
        guard var item = daemon.catalog.item(entry.id)?.item else { return nil }
        if let shown = daemon.catalog.shown(of: entry.id) {
            if shown.content == Content(text: "") {
                (item.content, item.source, item.taken, item.confirmed) = (nil, nil, nil, nil)
            } else {
                // With its pictures: no service gives them.
                item.show(shown, of: entry)
                item.content?.drawHistory(daemon.store.numbers(of: entry.id))
            }
        }
        var trial = FileReport.Trial(item)
        guard let outcome else {
            trial.reason = entry.reason ?? entry.reasonNotToRun
            return trial
        }
        trial.run = outcome.logEntry
        trial.printed = outcome.printed
        trial.notes = outcome.notes
        return trial
    }
}

extension Registry.Entry {
    fileprivate var hasProgram: Bool {
        if case .valid(let manifest) = validity { manifest.update.contentProtocol.hasProgram } else { false }
    }

    fileprivate var reasonNotToRun: String {
        "Protocol=push: the widget has no program, and shows what 'todayctl push \(id)' gives it"
    }
}

extension OnceOptions {
    /// The values of the command line. A name alone takes its value from the environment, where other users do not see it
    /// (proc_pid_environ(5)).
    fileprivate func settings(
        of entry: Registry.Entry, environment: [String: String]
    ) throws(SettingMistake) -> [(name: String, text: String)] {
        var values: [(name: String, text: String)] = []
        for word in settings {
            let name = String(word.prefix { $0 != "=" })
            let text: String
            if word.utf8.count > name.utf8.count {
                text = String(word.dropFirst(name.count + 1))
            } else if let inherited = environment[name] {
                text = inherited
            } else {
                throw SettingMistake("\(name) has no value: write \(name)=VALUE, or set it in the environment")
            }
            _ = try entry.manifest?.value(of: name, from: text)
            values.append((name, text))
        }
        return values
    }
}
