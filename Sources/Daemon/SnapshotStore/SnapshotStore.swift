// SPDX-License-Identifier: MIT
import JSON
import Reactor
import Spelling
import TodayModel

/// Keeps what is known of widgets: the user's choices, app groups' defaults, the layers of content and the update log.
///
/// Reads are answered from memory and never wait. A change becomes visible, and its completion is called, when it is on
/// disk. What widgets provide is visible at once; it is written in this turn of the loop or shortly after.
@LoopActor
package final class SnapshotStore {
    package typealias Completion = @LoopActor (Result<Void, Refusal>) -> Void

    /// Called when the choices, layers, memory or log of these widgets have changed.
    package var onChange: @LoopActor (Set<WidgetID>) -> Void = { _ in }
    /// Called when the defaults of these groups have changed. Each group has the writers of its changes in order, one
    /// for each revision; nil for a writer that is not a widget.
    package var onDefaultsChange: @LoopActor ([AppGroup: [WidgetID?]]) -> Void = { _ in }
    /// Called when a client has pushed content to a widget or has taken it back (nil).
    package var onPush: @LoopActor (WidgetID, Layers.Pushed?) -> Void = { _, _ in }
    package var onConditionChange: @LoopActor (StoreCondition) -> Void = { _ in }

    /// What the store could not read when it opened, for the journal.
    package let complaints: [String]

    /// How durable changes are now.
    package var condition: StoreCondition { writeFailure ?? lasting }

    private var layers: [WidgetID: Layers]
    /// The drafts in `layers`, for the widgets that are being edited.
    package private(set) var drafts: [WidgetID: Layers.Draft] = [:]
    private var memories: [WidgetID: WidgetMemory]
    private var logs: [WidgetID: UpdateLog]
    var groupCommit: GroupCommit
    var completions: [GroupCommit.Ticket: Completion] = [:]
    private var lastTicket: GroupCommit.Ticket = 0

    /// Whether the database was set aside, at the start or later. It stays until the daemon ends.
    package internal(set) var lasting: StoreCondition
    /// Why commits fail at present; nil after one that succeeded.
    var writeFailure: StoreCondition?
    /// Why the database is damaged. The next commit writes everything into a new one.
    var damage: String?
    var newBeginnings = NewBeginnings()
    let lock: StateLock
    let isFrozen: Bool
    /// The last daemon did not close the store. Nothing that it acknowledged is lost, but the latest content and runs
    /// of widgets may be.
    package let wasCut: Bool
    var isClosed = false
    private(set) var writer: Writer?
    private var turn: TurnSource?
    private var pause: TimerSource?
    private let rest: TimeSpan
    /// Whether commits since the last checkpoint are only in the log.
    var hasLog = false
    var isCheckpointDue = false
    var isCheckpointArmed = false
    private(set) var checkpointTimer: TimerSource?
    let restBeforeCheckpoint: TimeSpan
    private var isPausing = false
    /// A time of the monotonic clock. Until then, the store does not commit changes for which no client waits.
    private var nextCommit: Int64 = 0

    /// Opens or creates the database in an existing directory. Throws only when another process uses it or when the
    /// writer thread cannot be started; every other problem becomes a `condition`.
    package init(path: String, options: StoreOptions = StoreOptions()) throws(StoreUnavailable) {
        lock = try StateLock(of: path, patience: options.lockTimeout)
        let opening = try Opening(path: path, options: options)
        layers = opening.contents.layers
        memories = opening.contents.memories
        logs = opening.contents.logs
        complaints = opening.contents.complaints
        rest = options.restBetweenCommits
        restBeforeCheckpoint = options.restBeforeCheckpoint
        groupCommit = GroupCommit(committed: opening.contents.state)
        isFrozen = opening.isFrozen
        wasCut = opening.wasCut
        lasting = opening.lasting
        damage = opening.unwritten
        writeFailure = opening.writeFailure
        for _ in 0..<opening.beginnings { newBeginnings.add(at: EventLoop.now(.monotonic)) }
        do throws(ReactorError) {
            turn = try TurnSource { [weak self] in self?.commitSoon() }
            pause = try TimerSource(.monotonic) { [weak self] in self?.commitNow() }
            checkpointTimer = try TimerSource(.monotonic) { [weak self] in
                self?.isCheckpointArmed = false
                self?.checkpoint()
            }
        } catch {
            throw StoreUnavailable("\(error)")
        }
        guard !isFrozen else { return }
        let writer = Writer(path: path, options: options, opening: opening) { [weak self] in self?.takeReports() }
        try writer.start()
        self.writer = writer
    }

    deinit { writer?.post(.stop) }
}

// MARK: - Reading

extension SnapshotStore {
    /// The committed state.
    package var state: StoredState { groupCommit.committed }

    package func choices(of id: WidgetID) -> Choices { state.choices[id] ?? Choices() }

    /// The given widgets in the user's order.
    package func order(of widgets: [WidgetID]) -> [WidgetID] { state.order(of: widgets) }

    package func layers(of id: WidgetID) -> Layers { layers[id] ?? Layers() }

    package func memory(of id: WidgetID) -> WidgetMemory { memories[id] ?? WidgetMemory() }

    /// The number of changes of a group's defaults.
    package func revision(of group: AppGroup) -> Int64 { state.revisions[group] ?? 0 }

    package func history(of id: WidgetID) -> [RunRecord] { logs[id]?.records ?? [] }

    /// The last run that was an update, which shows whether the widget works.
    package func lastUpdate(of id: WidgetID) -> RunRecord? { logs[id]?.lastUpdate }

    package func defaults(of group: AppGroup) -> JSONObject {
        JSONObject(
            (state.defaults[group]?.values ?? [:]).sorted { SpelledText($0.key) < SpelledText($1.key) }.map { ($0, $1) }
        )
    }

    /// All committed changes and all records. Changes under way are missing, because the commit may fail.
    var everything: Contents {
        Contents(state: state, layers: layers, memories: memories, logs: logs)
    }
}

// MARK: - Writing

extension SnapshotStore {
    /// Makes a change. The completion is called once: when the change is on disk and visible, or with the reason of a
    /// refusal. A refusal that needs no commit comes at once.
    package func change(_ change: Change, completion: @escaping Completion = { _ in }) {
        switch change {
        case .push(let id, let pushed): return push(pushed, to: id, completion)
        case .takeBack(let id): return push(nil, to: id, completion)
        case .choice, .move, .defaults: break
        }
        if let refusal { return completion(.failure(refusal)) }
        let ticket = newTicket()
        do throws(Refusal) {
            try groupCommit.enqueue(change, ticket)
        } catch {
            completion(.failure(error))
            return
        }
        completions[ticket] = completion
        turn?.schedule()
    }

    /// Records the outcome of a run in the widget's log and layers.
    ///
    /// - Parameters:
    ///   - seen: the premises that the widget has seen now; nil leaves them as they were.
    ///   - tried: the premises of the run.
    package func record(_ outcome: RunOutcome, seen: Premises? = nil, tried: Premises? = nil) {
        let id = outcome.widget
        note(outcome)
        var layers = layers(of: id)
        let change = layers.apply(outcome)
        keep(layers, of: id)
        if refusal == nil, change != .none {
            groupCommit.record { $0.add(own: layers.own, of: id, contentChanged: change == .content) }
        }
        remember(id) { memory in
            memory.apply(outcome, from: tried)
            if let seen { memory.seen = seen }
        }
        turn?.schedule()
        onChange([id])
    }

    /// Records what happened to a widget's program in the widget's log only.
    package func log(_ outcome: RunOutcome) {
        note(outcome)
        turn?.schedule()
        onChange([outcome.widget])
    }

    private func note(_ outcome: RunOutcome) {
        let entry = logs[outcome.widget, default: UpdateLog()].append(outcome.record)
        if refusal == nil { groupCommit.record { $0.add(entry, of: outcome.widget) } }
    }

    /// Gives a widget pushed content, or removes it (nil). It is visible at once; the completion says whether it is on
    /// disk. Content that could not be written goes into the next commit.
    private func push(_ pushed: Layers.Pushed?, to id: WidgetID, _ completion: @escaping Completion) {
        sketch(id) { $0.pushed = pushed }
        onPush(id, pushed)
        if let refusal { return completion(.failure(refusal)) }
        let ticket = newTicket()
        groupCommit.record(ticket) { $0.add(pushed: pushed, to: id) }
        completions[ticket] = completion
        turn?.schedule()
    }

    /// Changes a widget's layers in memory, such as its draft and its placeholder.
    package func sketch(_ id: WidgetID, _ body: (inout Layers) -> Void) {
        var changed = layers(of: id)
        body(&changed)
        keep(changed, of: id)
        onChange([id])
    }

    private func keep(_ layers: Layers, of id: WidgetID) {
        self.layers[id] = layers.isEmpty ? nil : layers
        if drafts[id] != layers.draft { drafts[id] = layers.draft }
    }

    /// Turns the own layer of a widget into its pushed layer.
    package func adopt(_ pushed: Layers.Pushed, to id: WidgetID) {
        sketch(id) { ($0.own, $0.pushed) = (nil, $0.pushed ?? pushed) }
        let layer = layers(of: id).pushed
        guard refusal == nil else { return }
        groupCommit.record { records in
            records.add(own: nil, of: id, contentChanged: true)
            records.add(pushed: layer, to: id)
        }
        turn?.schedule()
    }

    /// Changes what the store remembers of a widget.
    package func remember(_ id: WidgetID, _ body: (inout WidgetMemory) -> Void) {
        var memory = memory(of: id)
        body(&memory)
        guard memory != self.memory(of: id) else { return }
        let kept = memory == WidgetMemory() ? nil : memory
        memories[id] = kept
        if refusal == nil { groupCommit.record { $0.add(kept, of: id) } }
        turn?.schedule()
    }

    /// Forgets the content and logs of removed widgets, except the newest ones.
    package func forgetDeparted(isPresent: (WidgetID) -> Bool) {
        let departed = Set(layers.keys).union(logs.keys).union(memories.keys).filter { !isPresent($0) }
        guard departed.count > StoreLimits.departedWidgets else { return }
        let newestFirst = departed.map { (id: $0, time: lastSign(of: $0)) }.sorted { $0.time > $1.time }
        for (id, _) in newestFirst.dropFirst(StoreLimits.departedWidgets) {
            layers[id] = nil
            memories[id] = nil
            logs[id] = nil
            if refusal == nil { groupCommit.record { $0.forget(id) } }
        }
        turn?.schedule()
    }

    private func lastSign(of id: WidgetID) -> WallTime {
        let layers = layers(of: id)
        let times = [layers.own?.confirmed, layers.own?.taken, layers.pushed?.taken, logs[id]?.last?.started]
        return times.compactMap { $0 }.max() ?? WallTime(microseconds: 0)
    }

    /// Commits soon. Runs that end in quick succession share a commit, because a commit costs as much as a short run. A
    /// single run is written at once, and no timer runs while no run ends.
    func commitSoon() {
        guard groupCommit.hasNews else { return }
        guard groupCommit.isPatient, EventLoop.now(.monotonic) < nextCommit else { return commitNow() }
        guard !isPausing else { return }
        isPausing = true
        pause?.arm(at: nextCommit, slack: rest.microseconds / 4)
    }

    private func commitNow() {
        isPausing = false
        nextCommit = EventLoop.now(.monotonic) + rest.microseconds
        startCommits()
    }

    /// Checks whether the database is still in its place, and writes everything again if it is not.
    package func checkFile() { checkpoint() }

    private func checkpoint() {
        isCheckpointDue = true
        startCommits()
    }

    private func newTicket() -> GroupCommit.Ticket {
        lastTicket += 1
        return lastTicket
    }

    /// Why the store cannot write anything any more.
    private var refusal: Refusal? {
        if isClosed { return Refusal.notStored("the daemon is ending") }
        return isFrozen ? Refusal.notStored(condition.sentence) : nil
    }
}
