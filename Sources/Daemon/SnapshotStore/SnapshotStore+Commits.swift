// SPDX-License-Identifier: MIT
import Reactor
import TodayModel

// Sends commits to the writer and handles its reports. `GroupCommit` decides.
extension SnapshotStore {
    /// Sends the next commit to the writer, unless one is under way.
    func startCommits() {
        guard let writer else { return }
        while let rows = groupCommit.begin(evenWithoutNews: isCheckpointDue) {
            let isTidying = isCheckpointDue
            isCheckpointDue = false
            if let damage {
                startOver(damage)
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

    func takeReports() {
        for report in writer?.takeReports() ?? [] { handle(report) }
        // A checkpoint that became due during a commit waits until the commit ends.
        if isClosed || isCheckpointDue { startCommits() } else { commitSoon() }
    }

    private func handle(_ report: Writer.Report) {
        let before = condition
        if report.hasBegun { newBeginnings.add(at: EventLoop.now(.monotonic)) }
        if report.isInPlace, let reason = damage {
            lasting = .setAside(path: report.setAside, reason: reason)
            damage = nil
        }
        switch report.outcome {
        case .damaged(let reason) where damage == nil:
            damage = reason
            startOver(reason)
        case .damaged(let reason):
            // The new database is damaged too, so a third one is unlikely to help.
            end(.failing("a new database was damaged at once: \(reason)"), keepingRecords: true)
        case .failed(let condition, let keepingRecords):
            end(condition, keepingRecords: keepingRecords)
        case .tidied:
            // This job wrote nothing, so an earlier write failure may persist.
            settle(groupCommit.succeed(), .success(()))
        case .committed:
            writeFailure = nil
            settle(groupCommit.succeed(), .success(()))
            checkpointSoon()
        }
        if condition != before { onConditionChange(condition) }
    }

    /// Writes everything from memory into a new database. The waiting clients get their replies as after any commit.
    private func startOver(_ reason: String) {
        if newBeginnings.areTooMany(at: EventLoop.now(.monotonic)) {
            end(
                .failing(
                    """
                    the database is damaged again (\(reason)), after \(NewBeginnings.most) new ones within an hour: \
                    is the disk sound? Changes are refused until that hour is over
                    """), keepingRecords: true)
        } else if !lock.takesPlace() {
            end(
                .failing("another todayd uses the state directory, which was removed: stop one of them"),
                keepingRecords: true)
        } else {
            let changes = groupCommit.changesUnderWay
            writer?.post(.startOver(everything.rows, changes: changes))
            hasLog = !changes.isEmpty
        }
    }

    /// Arms the timer for a checkpoint some seconds after the first commit since the last one.
    private func checkpointSoon() {
        guard hasLog, !isCheckpointArmed, !isClosed else { return }
        (hasLog, isCheckpointArmed) = (false, true)
        checkpointTimer?.arm(after: restBeforeCheckpoint.microseconds, slack: restBeforeCheckpoint.microseconds / 4)
    }

    private func end(_ condition: StoreCondition, keepingRecords: Bool) {
        writeFailure = condition
        let refusal = Refusal.notStored(condition.sentence)
        settle(groupCommit.fail(keepingRecords: keepingRecords), .failure(refusal))
    }

    private func settle(_ settlement: GroupCommit.Settlement, _ result: Result<Void, Refusal>) {
        if !settlement.widgets.isEmpty { onChange(settlement.widgets) }
        if !settlement.groups.isEmpty { onDefaultsChange(settlement.groups) }
        for ticket in settlement.succeeded + settlement.failed { completions.removeValue(forKey: ticket)?(result) }
        for (ticket, refusal) in settlement.refused { completions.removeValue(forKey: ticket)?(.failure(refusal)) }
    }
}

// MARK: - The end

extension SnapshotStore {
    /// Writes what waits, closes the database and refuses further changes. Blocks the loop for at most `limit`; returns
    /// false if something could not be written.
    @discardableResult
    package func close(within limit: TimeSpan = .seconds(5)) -> Bool {
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

// MARK: - New databases

/// When new databases were begun. Each one leaves a damaged database behind, so a disk that damages every database
/// would fill up.
struct NewBeginnings {
    static let most = 8
    static let span: Int64 = 3_600_000_000

    /// Times of the monotonic clock, oldest first.
    private var times: [Int64] = []

    mutating func add(at time: Int64) { times = times.suffix(Self.most - 1) + [time] }

    func areTooMany(at now: Int64) -> Bool {
        times.count == Self.most && times[0] > now - Self.span
    }
}
