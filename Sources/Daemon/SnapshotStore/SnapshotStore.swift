// SPDX-License-Identifier: MIT
import Reactor
import Spelling
import TodayModel
import Varlink

/// Everything durable: the user's choices, app groups' defaults, snapshots and the update log.
///
/// Reads are answered from memory and never wait. A change is visible, and its completion called, when it is on disk;
/// what widgets give is visible at once, and on disk with the commit of this turn of the loop or one shortly after.
@LoopActor
package final class SnapshotStore {
    package typealias Completion = @LoopActor (Result<Void, StoreFailure>) -> Void

    /// Something about these widgets is different: choices, snapshot or log.
    package var onChange: @LoopActor (Set<WidgetID>) -> Void = { _ in }
    /// The defaults of these groups are different.
    package var onDefaultsChange: @LoopActor (Set<AppGroup>) -> Void = { _ in }
    package var onConditionChange: @LoopActor (StoreCondition) -> Void = { _ in }

    /// What could not be read when the store was opened, in words, for the journal.
    package let complaints: [String]

    /// How durable things are now.
    package var condition: StoreCondition { fault ?? standing }

    private var snapshots: [WidgetID: Snapshot]
    private var logs: [WidgetID: UpdateLog]
    var groupCommit: GroupCommit
    var completions: [GroupCommit.Ticket: Completion] = [:]
    private var lastTicket: GroupCommit.Ticket = 0

    /// Whether the database was set aside, at the start or since; lasts.
    package internal(set) var standing: StoreCondition
    /// What is wrong with commits at present; nil after one that succeeded.
    var fault: StoreCondition?
    /// Set while the database is damaged: the next commit begins a new one with everything in it.
    var damage: Damage?
    let isFrozen: Bool
    var isClosed = false
    private(set) var writer: Writer?
    private var turn: TurnSource?
    private var pause: TimerSource?
    private let rest: TimeSpan
    private var isPausing = false
    /// Before this, on the monotonic clock, what nobody waits for is not committed.
    private var nextCommit: Int64 = 0

    /// Opens or creates the database in an existing directory. Fails only when another process uses it or when there is
    /// no thread to be had; everything else is a `condition` to go on with.
    package init(path: String, options: StoreOptions = StoreOptions()) throws(StoreFailure) {
        let opening = try Opening(path: path, options: options)
        snapshots = opening.contents.snapshots
        logs = opening.contents.logs
        complaints = opening.contents.complaints
        rest = options.restBetweenCommits
        groupCommit = GroupCommit(committed: opening.contents.state)
        isFrozen = opening.isFrozen
        standing = opening.standing
        fault = opening.fault
        do throws(ReactorError) {
            turn = try TurnSource { [weak self] in self?.commitSoon() }
            pause = try TimerSource(.monotonic) { [weak self] in self?.commitNow() }
        } catch {
            throw StoreFailure(.unavailable, "\(error)")
        }
        guard !isFrozen else { return }
        let writer = Writer(path: path, options: options, file: opening.file) { [weak self] in self?.takeReports() }
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

    package func snapshot(of id: WidgetID) -> Snapshot? { snapshots[id] }

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

    /// All of it, as it will be when the commit under way has succeeded.
    var everything: Contents { Contents(state: groupCommit.upcoming, snapshots: snapshots, logs: logs) }
}

// MARK: - Writing

extension SnapshotStore {
    /// Makes a change. The completion is called once: when the change is on disk and visible, or with the reason why it
    /// is not; at once when that is known at once.
    package func change(_ change: Change, completion: @escaping Completion = { _ in }) {
        if let failure = refusal {
            completion(.failure(failure))
            return
        }
        let ticket = newTicket()
        do throws(StoreFailure) {
            try groupCommit.enqueue(change, ticket)
        } catch {
            completion(.failure(error))
            return
        }
        completions[ticket] = completion
        turn?.schedule()
    }

    /// Takes what became of a run into the widget's log and, when it brought something, into its snapshot.
    package func record(_ outcome: RunOutcome) {
        let id = outcome.widget
        let entry = logs[id, default: UpdateLog()].append(outcome.record)
        if refusal == nil { groupCommit.record(run: entry, of: id) }
        let ended = outcome.started + outcome.duration
        switch outcome.result {
        case .newData(let content):
            var snapshot = Snapshot(content: content, taken: ended)
            if outcome.reason == .mode || outcome.reason == .editing, let old = snapshots[id] {
                // The same drawn anew is not newer.
                (snapshot.taken, snapshot.confirmed) = (old.taken, old.confirmed)
            }
            keep(snapshot, of: id)
        case .noData:
            if !outcome.reason.isErrand, var snapshot = snapshots[id] {
                snapshot.confirmed = ended
                keep(snapshot, of: id)
            }
        case .failed:
            break
        }
        turn?.schedule()
        onChange([id])
    }

    /// Gives a widget a snapshot from outside, or takes it away (nil). It is visible at once; the completion says whether
    /// it is on disk. One that is not is tried again with the next commit.
    package func record(
        _ snapshot: Snapshot?, for id: WidgetID, completion: @escaping Completion = { _ in }
    ) {
        let ticket = newTicket()
        keep(snapshot, of: id, ticket)
        onChange([id])
        if let failure = refusal {
            completion(.failure(failure))
        } else {
            completions[ticket] = completion
            turn?.schedule()
        }
    }

    /// Forgets what widgets have given whose manifests have gone, but for the newest of them.
    package func forgetDeparted(isPresent: (WidgetID) -> Bool) {
        let departed = Set(snapshots.keys).union(logs.keys).filter { !isPresent($0) }
        guard departed.count > StoreLimits.departedWidgets else { return }
        let newestFirst = departed.map { (id: $0, time: lastSign(of: $0)) }.sorted { $0.time > $1.time }
        for (id, _) in newestFirst.dropFirst(StoreLimits.departedWidgets) {
            snapshots[id] = nil
            logs[id] = nil
            if refusal == nil { groupCommit.forget(id) }
        }
        turn?.schedule()
    }

    private func lastSign(of id: WidgetID) -> WallTime {
        let times = [snapshots[id]?.confirmed, snapshots[id]?.taken, logs[id]?.last?.started]
        return times.compactMap { $0 }.max() ?? WallTime(microseconds: 0)
    }

    private func keep(_ snapshot: Snapshot?, of id: WidgetID, _ ticket: GroupCommit.Ticket? = nil) {
        let contentChanged = snapshots[id]?.content != snapshot?.content
        snapshots[id] = snapshot
        guard refusal == nil else { return }
        groupCommit.record(snapshot: snapshot, of: id, contentChanged: contentChanged, ticket)
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

    private func newTicket() -> GroupCommit.Ticket {
        lastTicket += 1
        return lastTicket
    }

    /// Why nothing can be written any more at all.
    private var refusal: StoreFailure? {
        if isClosed { return StoreFailure(.notStored, "the daemon is ending") }
        return isFrozen ? StoreFailure(.notStored, condition.sentence) : nil
    }
}
