// SPDX-License-Identifier: MIT
import Glibc
import QueryService
import Reactor
import Runner
import SQLite
import TestSupport
import TodayModel

@testable import SnapshotStore
@testable import TodayDaemon

/// A machine with a daemon, whose clocks and programs the test controls. The rest is real: manifests, scheduler,
/// layers, the database and its writer.
@LoopActor
final class SimulatedMachine {
    @LoopActor
    private final class Clocks {
        /// Later than any real machine has run, so the loop's timers, which use these times, never fire.
        var now = Moment(
            boot: BootTime(microseconds: 1_000_000_000_000_000), awake: AwakeTime(microseconds: 1_000_000_000_000_000),
            wall: WallTime(microseconds: 1_700_000_000_000_000))
    }

    private let clocks = Clocks()
    var now: Moment {
        get { clocks.now }
        set { clocks.now = newValue }
    }
    private(set) var runner: SimulatedRunner
    private(set) var daemon: Daemon
    private(set) var directory = TemporaryDirectory()
    /// The manifests that the next daemon finds.
    var manifests: [(name: String, text: String)]
    var configuration: String
    /// The lines that the daemons have logged: `warning: …`.
    let lines = Arrivals<String>("line")
    var onStart: @LoopActor (RunRequest) -> Void = { _ in } {
        didSet { runner.onStart = onStart }
    }

    init(_ manifests: [(name: String, text: String)], configuration: String = "[Daemon]\n") throws {
        self.manifests = manifests
        self.configuration = configuration
        let clocks = clocks
        let clock: @LoopActor @Sendable () -> Moment = { clocks.now }
        self.clock = clock
        (runner, daemon) = try Self.boot(directory, manifests + [("todayd.conf", configuration)], lines, clock)
        turns = try EndOfRound { [weak self] in
            self?.waiting?.resume()
            self?.waiting = nil
        }
        daemon.adoptStoredState()
    }

    private let clock: @LoopActor @Sendable () -> Moment

    private func reboot() throws {
        (runner, daemon) = try Self.boot(directory, manifests + [("todayd.conf", configuration)], lines, clock)
        runner.onStart = onStart
        daemon.adoptStoredState()
    }

    private static func boot(
        _ directory: TemporaryDirectory, _ manifests: [(name: String, text: String)], _ lines: Arrivals<String>,
        _ clock: @escaping @LoopActor @Sendable () -> Moment
    ) throws -> (SimulatedRunner, Daemon) {
        for (name, text) in manifests { try directory.write(text, to: "widgets/\(name)") }
        var options = DaemonOptions()
        options.instance = .user
        options.socket = directory("run/todayd.sock")
        options.stateDirectory = directory("state")
        options.widgetDirectories = [directory("widgets")]
        options.configuration = directory("widgets/todayd.conf")
        let runner = SimulatedRunner(clock: clock)
        let daemon = try Daemon(
            DaemonInstance(options, environment: [:]), log: Log { lines.send("\($0): \($1)") }, runner: runner,
            clock: clock)
        return (runner, daemon)
    }

    /// Turns the loop until nothing more follows from earlier events, except what waits for a run.
    func settle() async {
        repeat {
            for _ in 0..<3 { await turn() }
        } while daemon.store.commits.groupCommit.isUnderWay
            || daemon.store.commits.groupCommit.hasNews && !daemon.store.commits.groupCommit.isPatient
    }

    /// Returns after everything that is scheduled for the end of this turn of the loop.
    private func turn() async {
        await withCheckedContinuation { continuation in
            waiting = continuation
            turns?.schedule()
        }
    }

    private var waiting: CheckedContinuation<Void, Never>?
    private var turns: EndOfRound?

    /// Lets time pass in one step; timers fire at its end.
    func pass(_ span: TimeSpan, asleep: Bool = false) async {
        now = Moment(boot: now.boot + span, awake: asleep ? now.awake : now.awake + span, wall: now.wall + span)
        await ring()
    }

    /// Sets the wall clock.
    func setClock(by span: TimeSpan) async {
        now.wall = now.wall + span
        await ring()
    }

    private func ring() async {
        daemon.clockChanged()
        daemon.editing.endOldDrafts()
        await settle()
    }

    /// Makes a change and waits until it is acknowledged; returns the reason of a refusal.
    @discardableResult
    func change(_ change: Change) async -> Refusal? {
        let result: Result<Void, Refusal> = await withCheckedContinuation { continuation in
            daemon.change(change) { continuation.resume(returning: $0) }
        }
        await settle()
        if case .failure(let refusal) = result { return refusal }
        return nil
    }

    func move(_ id: WidgetID, to placement: Placement) async {
        await change(.move(id, placement, among: daemon.catalog.neighbours(of: id, for: placement)))
    }

    @discardableResult
    func push(_ content: Content, to id: WidgetID, for timeToLive: TimeSpan? = nil) async -> Refusal? {
        let expires = timeToLive.map { now.wall + $0 }
        return await change(.push(id, Layers.Pushed(content, taken: now.wall, expires: expires, by: "user 0")))
    }

    @discardableResult
    func perform(_ interaction: Interaction, of id: WidgetID) async -> Result<UpdateAnswer, Refusal> {
        let result = Result { () throws(Refusal) in try daemon.perform(interaction, of: id, listener: nil) }
        await settle()
        return result
    }

    func finish(_ run: UInt64, _ result: RunOutcome.Result, nextAsk: NextAsk? = nil) async {
        runner.finish(run, result, nextAsk: nextAsk)
        await settle()
    }

    func item(_ id: WidgetID) -> Item? { daemon.catalog.item(id)?.item }

    /// Writes a manifest or todayd.conf, which the daemon notices at once.
    func write(_ text: String, to name: String) async throws {
        try directory.write(text, to: "widgets/\(name)")
        daemon.registry.reload()
        await settle()
    }

    func delete(_ name: String) async throws {
        try directory.delete("widgets/\(name)")
        daemon.registry.reload()
        await settle()
    }

    /// Ends all runs in progress, and those that follow them.
    func finishAll(_ result: RunOutcome.Result = .newData(Content(text: "own"))) async {
        while let run = runner.running.keys.min() { await finish(run, result) }
    }

    /// Stops the daemon normally and starts another.
    ///
    /// - Parameter meanwhile: called between the two.
    func restart(meanwhile: () throws -> Void = {}) async throws {
        await settle()
        daemon.store.close()
        try meanwhile()
        try reboot()
        await settle()
    }

    /// Changes the database as a newer todayd would: it has another table and a higher version.
    func becomeNewer() throws {
        let database = try Database(path: directory("state/todayd.sqlite"), mode: .readWriteCreate)
        try database.execute("CREATE TABLE themes (name TEXT); PRAGMA user_version = 65535")
    }

    /// Kills the daemon and its runs, and starts another with what is on disk.
    func kill() async throws {
        while daemon.store.commits.groupCommit.isUnderWay { await settle() }
        let copy = TemporaryDirectory()
        for name in ["todayd.sqlite", "todayd.sqlite-wal"] where access(directory("state/\(name)"), F_OK) == 0 {
            try copy.write(directory.bytes(of: "state/\(name)"), to: "state/\(name)", mode: 0o600)
        }
        directory = copy
        try reboot()
        await settle()
    }
}

extension SnapshotStore {
    /// The drafts of the widgets that are being edited.
    var drafts: [WidgetID: Layers.Draft] { everything.widgets.table.dictionary.compactMapValues(\.layers.draft) }
}
