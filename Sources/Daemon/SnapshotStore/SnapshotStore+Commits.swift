// SPDX-License-Identifier: MIT
import Reactor
import TodayModel

// What goes to the writer and what comes back. The decisions are GroupCommit's.
extension SnapshotStore {
    /// Why the next commit must begin a new database, and where the old one is, once it was moved.
    struct Damage {
        let reason: String
        /// The old one is out of the way. What is at its place now is ours, and must not be moved as well when it
        /// cannot be written yet.
        var hasMoved = false
        var setAside: String?
    }

    /// Hands the next commit to the writer, unless one is under way.
    func startCommits() {
        guard let writer else { return }
        while let rows = groupCommit.begin(evenWithoutNews: isCheckpointDue) {
            let isTidying = isCheckpointDue
            isCheckpointDue = false
            if let damage {
                writer.post(damage.hasMoved ? .commit(everything.rows) : .startOver(everything.rows))
                hasLog = true
            } else if isTidying {
                writer.post(.commitAndTidy(rows))
            } else if rows.isEmpty {
                // Nothing is different from what is on disk already.
                settle(groupCommit.succeed(), .success(()))
            } else {
                writer.post(.commit(rows))
                hasLog = true
            }
        }
    }

    func takeReports() {
        for report in writer?.takeReports() ?? [] { take(report) }
        // A checkpoint that was due during a commit has waited for its end.
        if isClosed || isCheckpointDue { startCommits() } else { commitSoon() }
    }

    private func take(_ report: Writer.Report) {
        let before = condition
        if report.hasMoved {
            damage?.hasMoved = true
            damage?.setAside = report.setAside
        }
        switch report.outcome {
        case .damaged(let reason) where damage == nil:
            // Everything is in memory: a new database gets all of it, and those who wait notice nothing.
            damage = Damage(reason: reason)
            writer?.post(.startOver(everything.rows))
            hasLog = true
        case .damaged(let reason):
            // The new one as well: something is wrong that a third will not mend.
            end(.failing("a new database was damaged at once: \(reason)"), keepingRecords: true)
        case .failed(let condition, let keepingRecords):
            end(condition, keepingRecords: keepingRecords)
        case .tidied:
            // Nothing was written: what is wrong with commits may be wrong still.
            settle(groupCommit.succeed(), .success(()))
        case .committed:
            if let damage { standing = .setAside(path: damage.setAside, reason: damage.reason) }
            damage = nil
            fault = nil
            settle(groupCommit.succeed(), .success(()))
            checkpointSoon()
        }
        if condition != before { onConditionChange(condition) }
    }

    /// Some seconds after the first commit that is in the log only, however many follow it.
    private func checkpointSoon() {
        guard hasLog, !isCheckpointArmed, !isClosed else { return }
        (hasLog, isCheckpointArmed) = (false, true)
        checkpointTimer?.arm(after: restBeforeCheckpoint.microseconds, slack: restBeforeCheckpoint.microseconds / 4)
    }

    private func end(_ condition: StoreCondition, keepingRecords: Bool) {
        fault = condition
        let failure = StoreFailure(.notStored, condition.sentence)
        settle(groupCommit.fail(keepingRecords: keepingRecords), .failure(failure))
    }

    private func settle(_ settlement: GroupCommit.Settlement, _ result: Result<Void, StoreFailure>) {
        if !settlement.widgets.isEmpty { onChange(settlement.widgets) }
        if !settlement.groups.isEmpty { onDefaultsChange(settlement.groups) }
        for ticket in settlement.succeeded + settlement.failed { completions.removeValue(forKey: ticket)?(result) }
        for (ticket, failure) in settlement.refused { completions.removeValue(forKey: ticket)?(.failure(failure)) }
    }
}

// MARK: - The end

extension SnapshotStore {
    /// Writes what waits, closes the database and takes no more changes. Blocks the loop, for no longer than given;
    /// false when something could not be written by then.
    @discardableResult
    package func close(within limit: TimeSpan = .seconds(5)) -> Bool {
        guard !isClosed else { return true }
        isClosed = true
        guard let writer else { return true }
        let deadline = EventLoop.now(.monotonic) + limit.microseconds
        isCheckpointDue = true
        startCommits()
        while groupCommit.isUnderWay, writer.waitForReport(until: deadline) { takeReports() }
        let isWritten = groupCommit.isIdle
        for completion in completions.values { completion(.failure(StoreFailure(.notStored, "the daemon has ended"))) }
        completions = [:]
        writer.post(.stop)
        return writer.waitForEnd(until: deadline) && isWritten
    }
}
