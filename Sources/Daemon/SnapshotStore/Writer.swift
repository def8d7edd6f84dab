// SPDX-License-Identifier: MIT
import Glibc
import Platform
import Reactor
import SQLite

/// The only thread that writes the database, so that a slow disk delays only the clients that wait for it
/// (docs/decisions/0003-one-writer-thread.md).
///
/// Unchecked, because the initialiser sets `file` before the thread exists, and only the thread uses it afterwards
/// (pthread_create(3) orders the two). The rest is constant, or the mailbox, which has a lock.
final class Writer: @unchecked Sendable {
    /// A request of the loop.
    enum Job: Sendable {
        case commit([Row])
        /// Commits, and then moves the log into the database.
        case commitAndTidy([Row])
        /// Writes everything into a new database, which replaces the one that is set aside. `changes` may still fail,
        /// so they are a commit of their own: the new database is in place even if that commit fails.
        case startOver([Row], changes: [Row])
        case stop
    }

    /// How a job ended.
    struct Report: Sendable {
        enum Outcome: Sendable {
            case committed
            /// The checkpoint is done, and there were no rows to write.
            case tidied
            case failed(StoreCondition, keepingRecords: Bool)
            /// The database is damaged. Nothing was written; only a new database will help.
            case damaged(String)
        }
        var outcome: Outcome
        /// Whether `startOver` has replaced the old database, even if the new one has failed since.
        var hasBegun = false
        /// The path of the database that `startOver` has moved, if there was one.
        var moved: String?
    }

    private let path: String
    private let options: StoreOptions
    private let mailbox = Mailbox<Job, Report>()
    private let onReport: @Sendable @LoopActor () -> Void
    private var file: StoreFile?
    /// Whether the file has had content, so that an empty or missing one has lost it.
    private var hadContent: Bool

    /// `onReport` is called on the loop when `takeReports()` has something to return.
    init(
        path: String, options: StoreOptions, _ opening: Opening, onReport: @escaping @Sendable @LoopActor () -> Void
    ) {
        self.path = path
        self.options = options
        file = opening.file
        hadContent = opening.file != nil || opening.isPutOff
        self.onReport = onReport
    }

    /// Starts the thread, which runs until it gets `stop`.
    func start() throws(StoreUnavailable) {
        do {
            try BackgroundThread.start { [self] in run() }
        } catch {
            throw StoreUnavailable("\(error)")
        }
    }

    // MARK: On the loop

    func post(_ job: Job) { mailbox.post(job) }

    func takeReports() -> [Report] { mailbox.takeReports() }

    /// Waits for a report. Returns false when the deadline (monotonic microseconds) passes first.
    func waitForReport(until deadline: Int64) -> Bool { mailbox.waitForReport(until: deadline) }

    func waitForEnd(until deadline: Int64) -> Bool { mailbox.waitForEnd(until: deadline) }

    // MARK: On the thread

    private func run() {
        while true {
            let report: Report
            switch mailbox.nextJob() {
            case .commit(let rows):
                report = Report(outcome: commit(rows))
            case .commitAndTidy(let rows):
                report = Report(outcome: commit(rows, isTidying: true))
            case .startOver(let rows, let changes):
                report = startOver(rows, changes)
            case .stop:
                file = nil
                mailbox.end()
                return
            }
            mailbox.report(report)
            EventLoop.shared.post(onReport)
        }
    }

    private func commit(_ rows: [Row], isTidying: Bool = false) -> Report.Outcome {
        do throws(OpeningError) {
            let opened: StoreFile = if let file { file } else { try open() }
            file = opened
            do throws(SQLiteError) {
                if !rows.isEmpty { try opened.commit(rows, hook: options.beforeCommit) }
            } catch {
                return failure(error, of: opened)
            }
            // The check follows the commit, because a file could be removed between an earlier check and the commit.
            if opened.isGone() { return abandon("the file or its log was removed or replaced while it was in use") }
            if isTidying || opened.isLogLong, let reason = opened.checkpoint() { return abandon(reason) }
            return rows.isEmpty ? .tidied : .committed
        } catch {
            return outcome(of: error)
        }
    }

    /// Tries to open the file again.
    private func open() throws(OpeningError) -> StoreFile {
        // SQLite would begin an empty database, and what is in memory would be missing in it.
        if hadContent, StoreFile.size(of: path) == 0 {
            throw .damaged("it was removed or emptied before it could be opened")
        }
        let opened = try StoreFile(path: path, options: options)
        hadContent = true
        return opened
    }

    private func outcome(of error: OpeningError) -> Report.Outcome {
        switch error {
        case .damaged(let reason): .damaged(reason)
        case .unusable(let error): .failed(StoreCondition(error, at: path), keepingRecords: true)
        case .inUse: .failed(.failing("\(path) is in use by another process"), keepingRecords: true)
        case .newer(let error): .failed(.readOnly("\(path): \(error)"), keepingRecords: true)
        }
    }

    private func failure(_ error: SQLiteError, of file: StoreFile) -> Report.Outcome {
        if error.isCorrupt { return abandon(error.message) }
        if error.isFull, let reason = file.checkpoint() { return abandon(reason) }
        // A row that violates a constraint would do so again, so it is dropped: it must not block the others.
        return .failed(StoreCondition(error, at: path), keepingRecords: !error.isConstraint && !error.isMistake)
    }

    private func abandon(_ reason: String) -> Report.Outcome {
        file?.leaveAsFound()
        file = nil
        return .damaged(reason)
    }

    private func startOver(_ rows: [Row], _ changes: [Row]) -> Report {
        file = nil
        var report = Report(outcome: .committed)
        do throws(OpeningError) {
            try Replacement.write(rows, for: path, options)
            report.moved = try SettingAside.move(path, now: EventLoop.now(.realtime))
            try Replacement.putInPlace(path, options)
            report.hasBegun = true
            hadContent = true
            file = try open()
            if !changes.isEmpty { report.outcome = commit(changes) }
        } catch {
            report.outcome = outcome(of: error)
        }
        return report
    }
}
