// SPDX-License-Identifier: MIT
import Glibc
import Platform
import SQLite

/// The database, open for writing: rows in, one transaction per commit. Used by one thread at a time.
final class StoreFile {
    let database: Database
    private let writer: RowWriter
    private let path: String
    private var log: FileIdentity?
    /// As the last commit has left it.
    private var leftLog: LogEnd?
    /// As the last checkpoint has left it: between two of them nothing is written to the file itself.
    private var leftFile: FileState?
    /// How long the log was when it could not be moved into the database.
    private var immovable = 0

    /// Opens or creates the database and brings it to today's version. Before anything is changed, all of it is checked
    /// (unless it is very large), so that what is wrong can be set aside as it was found.
    init(path: String, options: StoreOptions) throws(OpeningError) {
        do {
            let database = try Self.open(path, options)
            try Self.recognise(database)
            if let problem = try Self.problem(in: database, path) { throw OpeningError.damaged(problem) }
            if let damage = DatabaseHeader.damage(of: path) { throw OpeningError.damaged(damage) }
            if let damage = WriteAheadLog(of: path)?.damage { throw OpeningError.damaged(damage) }
            try Self.configure(database, options)
            try Schema.migrations.apply(to: database)
            try Self.shortenLog(of: database)
            writer = try RowWriter(database)
            database.keepLogOnClose(false)
            self.database = database
            self.path = path
            leftLog = LogEnd(of: path)
            leftFile = FileState(of: path)
        } catch let error as OpeningError {
            throw error
        } catch let error as MigrationError {
            throw OpeningError(error)
        } catch let error as SQLiteError {
            throw OpeningError(error)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    private static func open(_ path: String, _ options: StoreOptions) throws(SQLiteError) -> Database {
        let database = try Database(path: path, mode: .readWriteCreate)
        // Until it is known to be sound and ours, nothing in it or beside it may change.
        database.keepLogOnClose()
        database.setBusyTimeout(milliseconds: options.lockTimeout)
        // Exclusive, because reads are answered from memory: a second daemon on this file would be wrong from the
        // first change on. Entered before WAL, it also spares the -shm file (sqlite.org/wal.html#noshm).
        try database.execute("PRAGMA locking_mode = EXCLUSIVE")
        return database
    }

    /// One bit of the header must not cost all tables: they say whose the database is, and of which version, as well as
    /// the numbers there.
    private static func recognise(_ database: Database) throws {
        let version = try database.userVersion
        let name = try database.applicationID
        let isEmpty = try database.integer("SELECT count(*) FROM sqlite_schema") == 0
        if isEmpty, version == 0, name == 0 { return }
        let isNamed = name == Schema.applicationID
        guard try isNamed || Schema.hasTables(database) else {
            throw OpeningError.foreign("it is the database of another program")
        }
        if !isNamed { throw OpeningError.damaged("its header does not say that it is todayd's") }
        if version <= 0 { throw OpeningError.damaged("its header does not say of which version it is") }
        let shape = try SchemaShape(of: database)
        let known = try SchemaShape.ofVersions()
        // A newer todayd has made a migration, and with it other tables or columns.
        if version > known.count, !known.contains(shape) { return }
        let actual = shape.version(of: known)
        guard actual == version else {
            let tables = actual.map { "those of version \($0)" } ?? "not those"
            throw OpeningError.damaged("its header says that it is of version \(version), and its tables are \(tables)")
        }
    }

    /// What is wrong with the database and its log, taken together, in words.
    private static func problem(in database: Database, _ path: String) throws(SQLiteError) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_size <= StoreLimits.checkedBytes else { return nil }
        return try database.integrityCheck().first
    }

    /// Where the disk has no room for what is in the log, it stays there.
    private static func shortenLog(of database: Database) throws(SQLiteError) {
        do { try database.checkpoint() } catch  where error.isCorrupt { throw error } catch {}
    }

    private static func configure(_ database: Database, _ options: StoreOptions) throws(SQLiteError) {
        // FULL: in WAL mode only this syncs the log at every commit (sqlite.org/pragma.html#pragma_synchronous).
        // The page cache is small because reads never come here. SQLite's own checkpoint would let the next commits write
        // over the old frames of the log: a damaged frame could not be told from an old one. Nor could one of a transaction
        // that was killed, if pages were written before its end.
        try database.execute(
            """
            \(DatabaseHeader.pragmas);
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = FULL;
            PRAGMA wal_autocheckpoint = 0;
            PRAGMA cache_spill = OFF;
            PRAGMA cache_size = -1024;
            PRAGMA trusted_schema = OFF;
            PRAGMA cell_size_check = ON
            """)
        if let pageLimit = options.pageLimit { try database.execute("PRAGMA max_page_count = \(pageLimit)") }
    }

    /// - Parameter steps: for each table.
    func load(steps: Int32) throws(SQLiteError) -> Contents {
        // A file that is too large to be checked may have pages that point in a circle.
        database.limitSteps(steps)
        defer { database.limitSteps(nil) }
        return try Contents(reading: database)
    }

    /// Writes all rows, or none. `hook` is called while the transaction is open.
    func commit(_ rows: [Row], hook: (@Sendable () -> Void)? = nil) throws(SQLiteError) {
        do {
            try database.transaction { () throws(SQLiteError) in
                for row in rows { try writer.write(row) }
                hook?()
            }
            leftLog = LogEnd(of: path, otherwise: leftLog)
        } catch {
            // Of a transaction that failed, pages may be in the log. The next one writes over some of them, and the others
            // would be taken for damage.
            if let leftLog { truncate(path + "-wal", off_t(leftLog.size)) }
            throw error
        }
    }

    /// Whether the log is not as the last commit has left it. No other process may write to it, and what would be added to
    /// such a log would be lost with the next start. To be asked before each commit. Bytes that others have changed
    /// within the log are noticed by the next checkpoint.
    func isLogChanged() -> Bool { leftLog != LogEnd(of: path, otherwise: leftLog) }

    /// Whether the file was written to since the last checkpoint, which only others do. To be asked before each commit.
    func isFileChanged() -> Bool { leftFile != FileState(of: path, otherwise: leftFile) }

    /// Whether the file or its log was removed or replaced while it was open: what is written to it now, no process will
    /// find. To be asked after each commit: the log that the first one leaves is ours, and stays (it is truncated, but
    /// not removed while it is open).
    func isGone() -> Bool {
        let now = FileIdentity(ofLink: path + "-wal")
        defer { log = log ?? now }
        return database.hasMoved || now == nil || (log != nil && log != now)
    }

    /// Whether the log is so long that it is time to make it short; where that has failed, when it is twice as long.
    var isLogLong: Bool { (leftLog?.size ?? 0) > max(StoreLimits.logBytes, 2 * immovable) }

    /// Tries to move what only the log holds into the database, and gives back the room that it takes. Where the disk has
    /// no room for that, the log stays as it is.
    ///
    /// - Returns: Why nothing was moved and nothing may be: SQLite does not look at the checksums of what it has written
    ///   itself, and would take damaged pages over.
    func checkpoint() -> String? {
        if isFileChanged() { return "the file was changed while it was in use" }
        if let damage = WriteAheadLog(of: path)?.damage { return damage }
        do throws(SQLiteError) {
            try database.checkpoint()
            immovable = 0
        } catch {
            if error.isCorrupt { return error.message }
            immovable = leftLog?.size ?? 0
        }
        leftLog = LogEnd(of: path, otherwise: leftLog)
        leftFile = FileState(of: path, otherwise: leftFile)
        return nil
    }

    /// Keeps what closing would do away from a database that is to be set aside as it was found.
    func leaveAsFound() { database.keepLogOnClose() }
}
