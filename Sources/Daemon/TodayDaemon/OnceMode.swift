// SPDX-License-Identifier: MIT
import Files
import Glibc
import Reactor
import Registry
import Runner
import TodayModel

/// `todayd --once`: one run of one widget, by the daemon's own runner, in the daemon's loop. It opens neither the database
/// nor the socket.
@LoopActor
final class OnceMode {
    /// How much of the output is printed.
    private static let keptOutput = 64 << 10
    private nonisolated static let endingSignals = [SIGINT, SIGTERM, SIGHUP]

    private let options: OnceOptions
    private let entry: Registry.Entry
    private let sizes: DisplaySizes
    private let runner: ProcessRunner
    private var layers = Layers()
    private var outcome: RunOutcome?
    private var context: OnceContext?
    private var signals: [SignalSource] = []
    private var isStopping = false
    private let onEnd: (OnceMode) -> Void

    nonisolated static func run(_ options: OnceOptions, environment: [String: String]) throws -> Int32 {
        // Until the loop receives them: a signal must not leave the directory behind.
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in endingSignals { sigaddset(&signals, number) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        var scratch: ScratchDirectory?
        if options.instance.stateDirectory == nil {
            scratch = try ScratchDirectory("todayd-once", in: environment["TMPDIR"] ?? "/tmp")
        }
        defer { scratch?.remove() }
        let instance = try DaemonInstance(
            options.instance.completed(in: environment, stateDirectory: scratch?.path ?? ""), environment: environment)
        let path = DaemonInstance.clean(options.file)
        let checker = FileChecker(instance)
        let finding = checker.check(path, scriptProtocol: options.scriptProtocol)
        var report = FileReport(path, finding)
        guard let entry = finding.entry else {
            try CheckMode.printLine(report.json)
            return CheckMode.failed
        }
        func refuse(_ mistake: String? = nil) throws -> Int32 {
            if let mistake { report.complaints.append(.init(.error, report.file, mistake)) }
            report.trial = FileReport.Trial(unrun: entry, because: mistake, options, checker.settings.sizes)
            try CheckMode.printLine(report.json)
            return CheckMode.failed
        }
        guard case .valid(let manifest) = entry.validity, manifest.update.contentProtocol.hasProgram else {
            return try refuse()
        }
        let values: [String: String]
        do throws(SettingMistake) {
            values = try options.settings(of: manifest, environment: environment)
        } catch {
            return try refuse("--set: \(error.reason)")
        }
        Daemon.prepareProcess()
        let (status, trial) = try performed(manifest, values, entry, options, checker.settings, instance)
        guard let trial else { return status }
        report.trial = trial
        try CheckMode.printLine(report.json)
        return trial.run?.result == .failed ? CheckMode.failed : 0
    }

    /// Runs the loop until the run is over. Without a trial, a signal has ended it, and the status says which.
    private nonisolated static func performed(
        _ manifest: Manifest, _ values: [String: String], _ entry: Registry.Entry, _ options: OnceOptions,
        _ settings: Settings, _ instance: DaemonInstance
    ) throws -> (Int32, FileReport.Trial?) {
        if options.instance.stateDirectory != nil { try instance.prepareState() }
        let status = try EventLoop.run {
            running = try OnceMode(manifest, values, entry, options, settings, instance) { mode in
                trial = mode.trial
                EventLoop.exit(0)
            }
        }
        return LoopActor.assumeIsolated { (status, trial) }
    }

    /// Keep the run and its result while the loop runs.
    private static var running: OnceMode?
    private static var trial: FileReport.Trial?

    private init(
        _ manifest: Manifest, _ values: [String: String], _ entry: Registry.Entry, _ options: OnceOptions,
        _ settings: Settings, _ instance: DaemonInstance, onEnd: @escaping (OnceMode) -> Void
    ) throws {
        self.options = options
        self.entry = entry
        self.onEnd = onEnd
        sizes = settings.sizes
        var runSettings = instance.runSettings
        runSettings.keptOutput.ofFailure = Self.keptOutput
        runSettings.keptOutput.ofSuccess = Self.keptOutput
        runner = ProcessRunner(runSettings)
        runner.onFinished = { [unowned self] in finish($0) }
        runner.onPlaceholder = { [unowned self] in layers.placeholder = $1 }
        let session = OnceContextSession(
            manifest, sizes, mode: min(options.mode, manifest.largestDisplayMode), settings: values,
            isAction: options.action != nil)
        runner.onContext = { [unowned self] in
            context = OnceContext(session, $1)
            return {}
        }
        for number in Self.endingSignals {
            signals.append(try SignalSource(number) { [unowned self] in stop(by: number) })
        }
        var request = request(for: manifest)
        request.settings = values
        runner.start(request)
    }

    private func request(for manifest: Manifest) -> RunRequest {
        let reason: RunReason = options.action == nil ? .request : .action
        var request = RunRequest(
            run: 1, manifest: manifest, reason: reason, mode: min(options.mode, manifest.largestDisplayMode))
        request.interaction = options.action.map { .action($0) }
        request.sizes = sizes
        // Only that there is an answer counts: no answer looks like this one.
        request.previous = options.isKnown ? Content(text: "") : nil
        return request
    }

    /// Ends the processes of the run. Nothing is printed: the status says which signal it was, as a shell has it.
    private func stop(by signal: Int32) {
        guard !isStopping else { return }
        isStopping = true
        runner.stopAll(because: "ended by a signal") { EventLoop.exit(128 + signal) }
    }

    private func finish(_ outcome: RunOutcome) {
        guard !isStopping else { return }
        isStopping = true
        self.outcome = outcome
        if outcome.interaction != nil, case .newData(let content) = outcome.result {
            // The daemon has an answer of the widget when its buttons are pressed.
            layers.own = Layers.Own(content, taken: outcome.started + outcome.duration)
        } else {
            _ = layers.apply(outcome)
        }
        // A resident stays otherwise.
        runner.stopAll(because: "its run is over") { [self] in onEnd(self) }
    }

    private var trial: FileReport.Trial? {
        guard let outcome else { return nil }
        let failure: String? = if case .failed(let reason) = outcome.result { reason } else { nil }
        var trial = FileReport.Trial(
            Item(
                of: entry, showing: layers.shown(at: .now), failure: failure, hasContent: context?.hasContent ?? true,
                largest: context?.largestMode, options, sizes))
        trial.run = outcome.logEntry
        trial.printed = outcome.printed
        trial.notes = outcome.notes
        return trial
    }
}

extension OnceOptions {
    /// The values that the run gets: the defaults, or those of the command line. A name alone takes its value from the
    /// environment, where other users do not see it (proc_pid_environ(5)).
    fileprivate func settings(
        of manifest: Manifest, environment: [String: String]
    ) throws(SettingMistake) -> [String: String] {
        var values: [String: SettingValue] = [:]
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
            values[name] = try manifest.value(of: name, from: text)
        }
        return manifest.settingTexts(choosing: values)
    }
}

extension FileReport.Trial {
    /// Of a widget that cannot run, with the reason.
    fileprivate init(
        unrun entry: Registry.Entry, because mistake: String?, _ options: OnceOptions, _ sizes: DisplaySizes
    ) {
        self.init(Item(of: entry, showing: nil, failure: nil, options, sizes))
        reason =
            entry.reason ?? mistake
            ?? "Protocol=push: the widget has no program, and shows what 'todayctl push \(entry.id)' gives it"
    }
}

extension Item {
    fileprivate init(
        of entry: Registry.Entry, showing shown: Layers.Shown?, failure: String?, hasContent: Bool = true,
        largest: DisplayMode? = nil, _ options: OnceOptions, _ sizes: DisplaySizes
    ) {
        var choices = Choices()
        choices.hasContent = hasContent
        let condition = WidgetCondition(
            validity: entry.validity, choices: choices, enabledByDefault: true,
            isPushed: entry.manifest?.update.isPushed ?? false, shown: shown,
            points: entry.manifest?.extensionPoints ?? [.today], failure: failure)
        let largest = largest ?? entry.manifest?.largestDisplayMode ?? .compact
        self.init(
            of: entry, in: condition, position: 0, mode: min(options.mode, largest), largestMode: largest)
        size = sizes[mode]
        guard let shown else { return }
        show(shown, of: entry)
        // There is no database: a history has the values of now.
        var history = History()
        _ = history.append(shown.content.numbers, at: .now)
        content?.drawHistory(history)
    }
}
