// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import Registry
import Runner
import Scheduler
import SnapshotStore
import TodayModel

/// One run of one widget, by a daemon that knows no other widget and listens at no socket. The author's tool starts it in a
/// loop of its own, which ends with the run.
@LoopActor
package final class WidgetPreview {
    /// What the author chooses for the run.
    package struct Choices {
        package var mode = DisplayMode.compact
        package var settings: [(name: String, text: String)] = []
        package var action: String?
        /// Whether the widget is told that its last answer is known.
        package var isKnown = false

        package init() {}
    }

    /// The signals that end a preview; the loop then ends with the status that shells use for them.
    package nonisolated static let endingSignals = [SIGINT, SIGTERM, SIGHUP]
    /// How much of the output is kept.
    private static let keptOutput = 64 << 10

    private let entry: Registry.Entry
    private let daemon: Daemon
    private var signals: [SignalSource] = []
    /// Nil if nothing has run.
    package private(set) var outcome: RunOutcome?
    /// Why the choices could not be made.
    package private(set) var refusal: Refusal?

    /// - Parameters:
    ///   - instance: its state directory is for the daemon's database.
    ///   - directory: keeps what the widget keeps; nil is in the state directory.
    package init(
        of entry: Registry.Entry, _ settings: Settings, _ instance: DaemonInstance, keeping directory: String?
    ) throws {
        self.entry = entry
        var runSettings = instance.runSettings
        if let directory { runSettings.stateDirectory = directory }
        runSettings.keptOutput.ofFailure = Self.keptOutput
        runSettings.keptOutput.ofSuccess = Self.keptOutput
        let registry = try Registry(searchPath: instance.searchPath)
        registry.adopt(entry, settings)
        daemon = try Daemon(
            instance, log: Log { _, _ in }, registry: registry, runner: ProcessRunner(runSettings))
        daemon.onFinish = { [unowned self] in end($0) }
        for number in Self.endingSignals {
            signals.append(
                try SignalSource(number) { [unowned self] in daemon.stop("ended by a signal", status: 128 + number) })
        }
    }

    /// Makes the author's choices, runs the widget if there is something to run, and ends the loop.
    package func start(_ choices: Choices, isRun: Bool) {
        let id = entry.id
        var changes: [Change] = [.choice(id, .enabled(true))]
        if case .valid(let manifest) = entry.validity {
            changes.append(.choice(id, .displayMode(min(choices.mode, manifest.largestDisplayMode))))
            if let change = try? daemon.catalog.settingsChange(choices.settings, unset: [], of: id), isRun {
                changes.append(change)
            }
        }
        if isRun, choices.isKnown || choices.action != nil { daemon.store.record(known) }
        var left = changes.count
        for change in changes {
            daemon.change(change) { [self] result in
                left -= 1
                if case .failure(let refusal) = result { self.refusal = refusal }
                guard left == 0 else { return }
                if isRun, refusal == nil { run(choices.action) } else { daemon.stop("nothing runs") }
            }
        }
    }

    /// An answer that stands for an earlier one of the widget. Only its existence counts, and no real answer looks like it.
    private var known: RunOutcome {
        RunOutcome(
            widget: entry.id, run: 0, reason: .boot, started: .now, duration: .zero,
            result: .newData(Content(text: "")))
    }

    private func run(_ action: String?) {
        guard case .valid(let manifest) = entry.validity else { return }
        daemon.scheduler.add(
            entry.id, manifest.update, isStart: true, stored: StoredAnswer(age: .zero, nextAsk: nil))
        _ = daemon.scheduler.request(entry.id, interaction: action.map { .action($0) })
    }

    private func end(_ outcome: RunOutcome) {
        guard !daemon.isStopping else { return }
        self.outcome = outcome
        // A resident stays otherwise.
        daemon.stop("its run is over")
    }

    /// The widget as a host would get it, but with its pictures, because no service provides them.
    package var item: Item? {
        guard var item = daemon.catalog.item(entry.id)?.item else { return nil }
        guard let shown = daemon.catalog.shown(of: entry.id) else { return item }
        if shown.content == Content(text: "") {
            (item.content, item.source, item.taken, item.confirmed) = (nil, nil, nil, nil)
        } else {
            item.show(shown, of: entry.manifest)
            item.content?.drawHistory(daemon.store.numbers(of: entry.id))
        }
        return item
    }
}
