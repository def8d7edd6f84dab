// SPDX-License-Identifier: MIT
import Files
import Glibc
import Reactor
import Registry
import TodayDaemon
import TodayModel

/// `today-author --once`: one run of one widget. The daemon that runs it has its database in a directory that is removed
/// afterwards.
enum OnceMode {
    static func run(_ options: OnceOptions, environment: [String: String]) throws -> Int32 {
        // Blocked until the loop receives them: a signal must not leave the directory behind.
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in WidgetPreview.endingSignals { sigaddset(&signals, number) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let scratch = try ScratchDirectory("todayd-once", in: environment["TMPDIR"] ?? "/tmp")
        defer { scratch.remove() }
        let kept = options.instance.stateDirectory.map(DaemonInstance.absolute)
        var place = options.instance
        place.stateDirectory = scratch.path
        var instance = try DaemonInstance(place.completed(in: environment), environment: environment)
        instance.takeGroup()
        if let kept { try Paths.makeDirectory(kept, mode: 0o700) }
        let path = DaemonInstance.clean(options.file)
        let checker = FileChecker(instance)
        let finding = checker.check(path, scriptProtocol: options.scriptProtocol)
        var report = FileReport(path, finding)
        guard let entry = finding.entry else {
            try CheckMode.printLine(report.json)
            return CheckMode.failed
        }
        var choices = WidgetPreview.Choices()
        (choices.mode, choices.action, choices.isKnown) = (options.mode, options.action, options.isKnown)
        var mistake: String?
        do throws(SettingMistake) {
            choices.settings = try options.settings(of: entry, environment: environment)
        } catch {
            let reason = "--set: \(error.reason)"
            report.complaints.append(.error(report.file, nil, reason))
            mistake = reason
        }
        let isRun = entry.hasProgram && mistake == nil
        Daemon.prepareProcess()
        let status = try EventLoop.run { [choices] in
            let preview = try WidgetPreview(of: entry, checker.settings, instance, keeping: kept)
            running = preview
            preview.start(choices, isRun: isRun)
        }
        let (trial, refusal) = LoopActor.assumeIsolated { [mistake] in
            (running.flatMap { FileReport.Trial(entry, $0, unrunBecause: mistake) }, running?.refusal)
        }
        if let refusal { throw refusal }
        // After a signal it prints nothing, because the exit status says which signal it was.
        guard status == 0, let trial else { return status }
        report.trial = trial
        try CheckMode.printLine(report.json)
        return trial.run.map { $0.result != .failed } == true ? 0 : CheckMode.failed
    }

    /// Keeps the preview alive while the loop runs, and afterwards.
    @LoopActor private static var running: WidgetPreview?
}

extension FileReport.Trial {
    @LoopActor fileprivate init?(_ entry: Registry.Entry, _ preview: WidgetPreview, unrunBecause mistake: String?) {
        guard let item = preview.item else { return nil }
        self.init(item)
        guard let outcome = preview.outcome else {
            reason =
                entry.reason ?? mistake
                ?? "Protocol=push: the widget has no program, and shows what 'todayctl push \(entry.id)' gives it"
            return
        }
        run = outcome.logEntry
        printed = outcome.printed
        notes = outcome.notes
    }
}

extension Registry.Entry {
    fileprivate var hasProgram: Bool {
        if case .valid(let manifest) = validity { manifest.update.contentProtocol.hasProgram } else { false }
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
