// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import SQLite

/// The one thread that writes the database, so that a slow disk delays only the clients that wait for it
/// (docs/decisions/0003-one-writer-thread.md).
///
/// Unchecked, because: `file` and `setAside` are set before the thread exists and touched only by the thread afterwards
/// (pthread_create(3) orders the two); everything else is constant, or the mailbox, which has a lock.
final class Writer: @unchecked Sendable {
    /// What the loop wants written.
    enum Job: Sendable {
        case commit([Row])
        /// The same; then what only the log holds is moved into the database.
        case commitAndTidy([Row])
        /// Writes everything into a new database, which takes the place of the one that is set aside. What may still be
        /// refused comes in a commit of its own: the new one is there at the next start, whatever fails now.
        case startOver([Row], changes: [Row])
        case stop
    }

    /// What became of a job.
    struct Report: Sendable {
        enum Outcome: Sendable {
            case committed
            /// There was nothing to write.
            case tidied
            case failed(StoreCondition, keepingRecords: Bool)
            /// The database is damaged; nothing was written, and only a new one will help.
            case damaged(String)
        }
        var outcome: Outcome
        /// `startOver` has put a new database in the place of the old one, whatever has become of the new one since.
        var hasBegun = false
        /// Where the old one is, if there was one.
        var setAside: String?

        /// Whether the new one is what is used from now on, even if it cannot be opened or written to at present.
        var isInPlace: Bool { if case .damaged = outcome { false } else { hasBegun } }
    }

    private let path: String
    private let options: StoreOptions
    private let mailbox = Mailbox<Job, Report>()
    private let onReport: @Sendable @LoopActor () -> Void
    private var file: StoreFile?
    /// Where the database is that the next one takes the place of, once it was moved.
    private var setAside: String?

    /// `onReport` is called on the loop when there is something to `takeReports()`.
    init(
        path: String, options: StoreOptions, opening: Opening, onReport: @escaping @Sendable @LoopActor () -> Void
    ) {
        self.path = path
        self.options = options
        file = opening.file
        setAside = opening.unwritten == nil ? nil : opening.setAside
        self.onReport = onReport
    }

    /// Starts the thread, which lives until it is told to stop.
    func start() throws(StoreUnavailable) {
        // Signals are the loop's business (signalfd): the thread inherits a mask that blocks all of them. That includes
        // SIGXFSZ, so that a file size limit is an error (EFBIG) and not the end.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        defer { pthread_attr_destroy(&attributes) }

        var thread = pthread_t()
        let argument = Unmanaged.passRetained(self)
        let result = pthread_create(
            &thread, &attributes,
            { argument in
                // The reference that `start` has retained for the thread, given back when it ends.
                if let argument { Unmanaged<Writer>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, argument.toOpaque())
        if result != 0 {
            argument.release()
            throw StoreUnavailable("no thread to write with: \(String(cString: strerror(result)))")
        }
    }

    // MARK: On the loop

    func post(_ job: Job) { mailbox.post(job) }

    func takeReports() -> [Report] { mailbox.takeReports() }

    /// Waits for a report or, after `stop`, for the end; false when the deadline (monotonic microseconds) passes first.
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
            if opened.isLogChanged() { return abandon("its log was changed or removed while it was in use") }
            if opened.isFileChanged() { return abandon("the file was changed while it was in use") }
            do throws(SQLiteError) {
                if !rows.isEmpty { try opened.commit(rows, hook: options.beforeCommit) }
            } catch {
                return failure(error, of: opened)
            }
            // Checked afterwards: before, there would be a gap.
            if opened.isGone() { return abandon("the file or its log was removed or replaced while it was in use") }
            if isTidying || opened.isLogLong, let reason = opened.checkpoint() { return abandon(reason) }
            return rows.isEmpty ? .tidied : .committed
        } catch {
            return outcome(of: error)
        }
    }

    /// Tries what was not possible before. A complete database that the start could not read holds what is not known here,
    /// and would throw away what is written beside it.
    private func open() throws(OpeningError) -> StoreFile {
        if try Replacement.isReady(for: path) {
            let reason = "\(Replacement.complete(path)) could not be read at the start and is newer; restart todayd"
            throw .unusable(SQLiteError(extendedCode: 10, message: reason))
        }
        return try StoreFile(path: path, options: options)
    }

    private func outcome(of error: OpeningError) -> Report.Outcome {
        switch error {
        case .damaged(let reason), .foreign(let reason): .damaged(reason)
        case .unusable(let error): .failed(StoreCondition(error, at: path), keepingRecords: true)
        case .inUse: .failed(.failing("\(path) is in use by another process"), keepingRecords: true)
        case .newer(let error): .failed(.readOnly("\(path): \(error)"), keepingRecords: true)
        }
    }

    private func failure(_ error: SQLiteError, of file: StoreFile) -> Report.Outcome {
        if error.isCorrupt { return abandon(error.message) }
        if error.isFull, let reason = file.checkpoint() { return abandon(reason) }
        // A row that breaks a rule would break it again: it must not stand in the way of all others.
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
            try Replacement.exchange(path, options, &setAside)
            report.hasBegun = true
            file = try StoreFile(path: path, options: options)
            if !changes.isEmpty { report.outcome = commit(changes) }
        } catch {
            report.outcome = outcome(of: error)
        }
        if report.isInPlace { (report.setAside, setAside) = (setAside, nil) }
        return report
    }
}
