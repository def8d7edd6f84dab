// SPDX-License-Identifier: MIT
import JSON
import Reactor
import Spelling
import TodayModel

/// What is known of widgets: the user's choices, app groups' defaults, the layers of content and the update log.
///
/// Reads are answered from memory and never wait. A change is visible, and its completion called, when it is on disk;
/// what widgets give is visible at once, and on disk with the commit of this turn of the loop or one shortly after.
@LoopActor
package final class SnapshotStore {
    package typealias Completion = @LoopActor (Result<Void, Refusal>) -> Void

    /// Something about these widgets is different: choices, layers, memory or log.
    package var onChange: @LoopActor (Set<WidgetID>) -> Void = { _ in }
    /// The defaults of these groups are different. With each group come the writers of the changes in order, one for each
    /// revision; nil stands for a writer that is no widget.
    package var onDefaultsChange: @LoopActor ([AppGroup: [WidgetID?]]) -> Void = { _ in }
    /// A widget has got content from outside, or it was taken back (nil).
    package var onPush: @LoopActor (WidgetID, Layers.Pushed?) -> Void = { _, _ in }
    package var onConditionChange: @LoopActor (StoreCondition) -> Void = { _ in }

    /// What could not be read when the store was opened, in words, for the journal.
    package let complaints: [String]

    /// How durable things are now.
    package var condition: StoreCondition { writeFailure ?? lasting }

    private var layers: [WidgetID: Layers]
    /// Of the widgets that are being edited, as in `layers`.
    package private(set) var drafts: [WidgetID: Layers.Draft] = [:]
    private var memories: [WidgetID: WidgetMemory]
    private var logs: [WidgetID: UpdateLog]
    var groupCommit: GroupCommit
    var completions: [GroupCommit.Ticket: Completion] = [:]
    private var lastTicket: GroupCommit.Ticket = 0

    /// Whether the database was set aside, at the start or since; lasts.
    package internal(set) var lasting: StoreCondition
    /// What is wrong with commits at present; nil after one that succeeded.
    var writeFailure: StoreCondition?
    /// What is wrong with the database: the next commit begins a new one with everything in it.
    var damage: String?
    var newBeginnings = NewBeginnings()
    let lock: StateLock
    let isFrozen: Bool
    /// The store before this one was not closed: of what it acknowledged nothing is lost, of what widgets gave the last.
    package let wasCut: Bool
    var isClosed = false
    private(set) var writer: Writer?
    private var turn: TurnSource?
    private var pause: TimerSource?
    private let rest: TimeSpan
    /// What was committed since the last checkpoint is in the log only.
    var hasLog = false
    var isCheckpointDue = false
    var isCheckpointArmed = false
    private(set) var checkpointTimer: TimerSource?
    let restBeforeCheckpoint: TimeSpan
    private var isPausing = false
    /// Before this, on the monotonic clock, changes for which no client waits are not committed.
    private var nextCommit: Int64 = 0

    /// Opens or creates the database in an existing directory. Fails only when another process uses it or when there is
    /// no thread to be had; everything else is a `condition` to go on with.
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
    /// What is decided and on disk.
    package var state: StoredState { groupCommit.committed }

    package func choices(of id: WidgetID) -> Choices { state.choices[id] ?? Choices() }

    /// The given widgets in the user's order.
    package func order(of widgets: [WidgetID]) -> [WidgetID] { state.order(of: widgets) }

    package func layers(of id: WidgetID) -> Layers { layers[id] ?? Layers() }

    package func memory(of id: WidgetID) -> WidgetMemory { memories[id] ?? WidgetMemory() }

    /// How often the defaults of a group were changed.
    package func revision(of group: AppGroup) -> Int64 { state.revisions[group] ?? 0 }

    /// The last runs of a widget, oldest first.
    package func history(of id: WidgetID) -> [RunRecord] { logs[id]?.records ?? [] }

    /// The last run that was to bring what is new: whether a widget works.
    package func lastUpdate(of id: WidgetID) -> RunRecord? { logs[id]?.lastUpdate }

    /// The defaults of an app group, by key.
    package func defaults(of group: AppGroup) -> JSONObject {
        JSONObject(
            (state.defaults[group]?.values ?? [:]).sorted { SpelledText($0.key) < SpelledText($1.key) }.map { ($0, $1) }
        )
    }

    /// All that is true: the changes that are under way may still be refused.
    var everything: Contents {
        Contents(state: state, layers: layers, memories: memories, logs: logs)
    }
}

// MARK: - Writing

extension SnapshotStore {
    /// Makes a change. The completion is called once: when the change is on disk and visible, or with the reason why it
    /// is not; at once when that is known at once.
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

    /// Takes what became of a run into the widget's log and layers.
    ///
    /// - Parameters:
    ///   - seen: what the widget has seen now; nil for as much as before.
    ///   - tried: what the run was made from.
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

    /// Takes what has happened to a widget's program into the widget's log, and nowhere else.
    package func log(_ outcome: RunOutcome) {
        note(outcome)
        turn?.schedule()
        onChange([outcome.widget])
    }

    private func note(_ outcome: RunOutcome) {
        let entry = logs[outcome.widget, default: UpdateLog()].append(outcome.record)
        if refusal == nil { groupCommit.record { $0.add(entry, of: outcome.widget) } }
    }

    /// Gives a widget content from outside, or takes it back (nil). It is visible at once; the completion says whether it
    /// is on disk. One that is not is tried again with the next commit.
    private func push(_ pushed: Layers.Pushed?, to id: WidgetID, _ completion: @escaping Completion) {
        sketch(id) { $0.pushed = pushed }
        onPush(id, pushed)
        if let refusal { return completion(.failure(refusal)) }
        let ticket = newTicket()
        groupCommit.record(ticket) { $0.add(pushed: pushed, to: id) }
        completions[ticket] = completion
        turn?.schedule()
    }

    /// Changes the layers of a widget in memory: its draft and its placeholder.
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

    /// Makes the own layer of a widget its pushed one.
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

    /// Changes what is remembered of a widget.
    package func remember(_ id: WidgetID, _ body: (inout WidgetMemory) -> Void) {
        var memory = memory(of: id)
        body(&memory)
        guard memory != self.memory(of: id) else { return }
        let kept = memory == WidgetMemory() ? nil : memory
        memories[id] = kept
        if refusal == nil { groupCommit.record { $0.add(kept, of: id) } }
        turn?.schedule()
    }

    /// Forgets what widgets have given whose manifests have gone, but for the newest of them.
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

    /// Runs that end in quick succession share commits: each would cost as much as a short run. One alone is written at
    /// once, and no timer runs when none do.
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

    /// Looks whether the database is still where it was, and writes everything again if it is not.
    package func checkFile() { checkpoint() }

    private func checkpoint() {
        isCheckpointDue = true
        startCommits()
    }

    private func newTicket() -> GroupCommit.Ticket {
        lastTicket += 1
        return lastTicket
    }

    /// Why nothing can be written any more at all.
    private var refusal: Refusal? {
        if isClosed { return Refusal.notStored("the daemon is ending") }
        return isFrozen ? Refusal.notStored(condition.sentence) : nil
    }
}
