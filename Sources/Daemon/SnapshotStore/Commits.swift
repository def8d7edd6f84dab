// SPDX-License-Identifier: MIT
import Reactor
import TodayModel

/// Makes changes and records durable: it sends commits to the writer, handles the reports, and answers those who wait.
/// `GroupCommit` decides what a commit contains, and `StoreHealth` what a report means.
@LoopActor
final class Commits {
    typealias Completion = SnapshotStore.Completion

    /// Called when a commit has ended, with what has changed for readers.
    var onSettled: @LoopActor (GroupCommit.Settlement) -> Void = { _ in }
    var onConditionChange: @LoopActor (StoreCondition) -> Void = { _ in }
    /// Everything that a new database has to contain.
    var everything: @LoopActor () -> Contents = { Contents() }

    private(set) var groupCommit: GroupCommit
    private(set) var health: StoreHealth
    private var completions: [GroupCommit.Ticket: Completion] = [:]
    private var lastTicket: GroupCommit.Ticket = 0
    private let lock: StateLock
    private var writer: Writer?
    private var isClosed = false

    private var turn: EndOfRound?
    private var pause: TimerSource?
    private let rest: TimeSpan
    private var isPausing = false
    /// A time of the monotonic clock. Until then, the store does not commit changes for which no client waits.
    private var nextCommit: Int64 = 0

    private var checkpointTimer: TimerSource?
    private let restBeforeCheckpoint: TimeSpan
    /// Whether commits since the last checkpoint are only in the log.
    private var hasLog = false
    private var isCheckpointDue = false
    private var isCheckpointArmed = false

    init(_ opening: Opening, path: String, options: StoreOptions, lock: StateLock) throws(StoreUnavailable) {
        self.lock = lock
        groupCommit = GroupCommit(committed: opening.contents.state)
        health = opening.health
        rest = options.restBetweenCommits
        restBeforeCheckpoint = options.restBeforeCheckpoint
        do throws(ReactorError) {
            turn = try EndOfRound { [weak self] in self?.commitSoon() }
            pause = try TimerSource(.monotonic) { [weak self] in self?.commitNow() }
            checkpointTimer = try TimerSource(.monotonic) { [weak self] in
                self?.isCheckpointArmed = false
                self?.checkpoint()
            }
        } catch {
            throw StoreUnavailable("\(error)")
        }
        guard !health.isFrozen else { return }
        let writer = Writer(path: path, options: options, opening) { [weak self] in self?.takeReports() }
        try writer.start()
        self.writer = writer
    }

    deinit { writer?.post(.stop) }

    /// Why nothing can be written any more.
    var refusal: Refusal? {
        if isClosed { return Refusal.notStored("the daemon is ending") }
        return health.isFrozen ? Refusal.notStored(health.condition.sentence) : nil
    }
}

// MARK: - What is to be written

extension Commits {
    /// Makes a change in the next commit. A refusal that needs no commit comes at once.
    func make(_ change: Change, _ completion: @escaping Completion) {
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

    /// Adds records that readers see already. Records of a failed commit go into the next one.
    func record(_ add: (inout PendingRecords) -> Void) {
        guard refusal == nil else { return }
        groupCommit.record(nil, add)
        turn?.schedule()
    }

    /// Adds records that readers see already, and tells a client when they are on disk.
    func record(_ completion: @escaping Completion, _ add: (inout PendingRecords) -> Void) {
        if let refusal { return completion(.failure(refusal)) }
        let ticket = newTicket()
        groupCommit.record(ticket, add)
        completions[ticket] = completion
        turn?.schedule()
    }

    private func newTicket() -> GroupCommit.Ticket {
        lastTicket += 1
        return lastTicket
    }
}

// MARK: - When it is written

extension Commits {
    /// Commits soon. Runs that end in quick succession share a commit, because a commit costs as much as a short run. A
    /// single run is written at once, and no timer runs while no run ends.
    private func commitSoon() {
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

    /// Checks whether the database is still in its place, and moves its log into it.
    func checkpoint() {
        isCheckpointDue = true
        startCommits()
    }

    /// Arms the timer for a checkpoint some seconds after the first commit since the last one.
    private func checkpointSoon() {
        guard hasLog, !isCheckpointArmed, !isClosed else { return }
        (hasLog, isCheckpointArmed) = (false, true)
        checkpointTimer?.arm(after: restBeforeCheckpoint.microseconds, slack: restBeforeCheckpoint.microseconds / 4)
    }

    /// Sends the next commit to the writer, unless one is under way.
    func startCommits() {
        guard let writer else { return }
        while let rows = groupCommit.begin(evenWithoutNews: isCheckpointDue) {
            let isTidying = isCheckpointDue
            isCheckpointDue = false
            if let damage = health.damage {
                carryOut(health.startOver(damage, at: EventLoop.now(.monotonic)))
            } else if isTidying {
                writer.post(.commitAndTidy(rows))
            } else if rows.isEmpty {
                // The changes leave nothing to write.
                settle(groupCommit.succeed(), .success(()))
            } else {
                writer.post(.commit(rows))
                hasLog = true
            }
        }
    }
}

// MARK: - What has become of it

extension Commits {
    private func takeReports() {
        for report in writer?.takeReports() ?? [] {
            let before = health.condition
            carryOut(health.handle(report, at: EventLoop.now(.monotonic)))
            if health.condition != before { onConditionChange(health.condition) }
        }
        // A checkpoint that became due during a commit waits until the commit ends.
        if isClosed || isCheckpointDue { startCommits() } else { commitSoon() }
    }

    private func carryOut(_ step: StoreHealth.Step) {
        switch step {
        case .succeed(let wroteRows):
            settle(groupCommit.succeed(), .success(()))
            if wroteRows { checkpointSoon() }
        case .fail(let condition, let keepingRecords):
            let refusal = Refusal.notStored(condition.sentence)
            settle(groupCommit.fail(keepingRecords: keepingRecords), .failure(refusal))
        case .startOver:
            guard lock.acquires() else {
                let reason = "another todayd uses the state directory, which was removed: stop one of them"
                return carryOut(health.fail(.failing(reason), keepingRecords: true))
            }
            let changes = groupCommit.changesUnderWay
            writer?.post(.startOver(everything().rows, changes: changes))
            hasLog = !changes.isEmpty
        }
    }

    private func settle(_ settlement: GroupCommit.Settlement, _ result: Result<Void, Refusal>) {
        onSettled(settlement)
        for ticket in settlement.succeeded + settlement.failed { completions.removeValue(forKey: ticket)?(result) }
        for (ticket, refusal) in settlement.refused { completions.removeValue(forKey: ticket)?(.failure(refusal)) }
    }

    /// Writes what waits, closes the database and refuses further changes. Blocks the loop for at most `limit`; returns
    /// false if something could not be written.
    func close(within limit: TimeSpan) -> Bool {
        guard !isClosed else { return true }
        isClosed = true
        defer { lock.release() }
        guard let writer else { return true }
        let deadline = EventLoop.now(.monotonic) + limit.microseconds
        isCheckpointDue = true
        startCommits()
        while groupCommit.isUnderWay, writer.waitForReport(until: deadline) { takeReports() }
        let isWritten = groupCommit.isIdle
        for completion in completions.values { completion(.failure(Refusal.notStored("the daemon has ended"))) }
        completions = [:]
        writer.post(.stop)
        return writer.waitForEnd(until: deadline) && isWritten
    }
}
