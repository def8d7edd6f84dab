// SPDX-License-Identifier: MIT
import Glibc
import Platform
import SQLite

/// The database, open for writing. A commit writes rows in one transaction. One thread at a time uses it.
final class StoreFile {
    let database: Database
    private let writer: RowWriter
    private let path: String
    private var log: FileIdentity?
    /// The size of the log after the last commit.
    private var logSize: Int
    /// The size of the log at the last checkpoint that failed.
    private var immovable = 0

    /// Opens or creates the database and migrates it to this version. Unless it is very large, it is checked as a whole
    /// before anything changes, so that a damaged one can be set aside as it was found.
    init(path: String, options: StoreOptions) throws(OpeningError) {
        do {
            let database = try Self.open(path, options)
            try Self.recognise(database)
            if let problem = try Self.problem(in: database, path) { throw OpeningError.damaged(problem) }
            if let damage = WriteAheadLog(of: path)?.damage { throw OpeningError.damaged(damage) }
            try Self.configure(database, options)
            try Schema.migrations.apply(to: database)
            try Self.shortenLog(of: database)
            writer = try RowWriter(database)
            database.keepLogOnClose(false)
            self.database = database
            self.path = path
            logSize = Self.size(of: path + "-wal")
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
        // SQLite must change no file before the checks have passed.
        database.keepLogOnClose()
        database.setBusyTimeout(milliseconds: options.lockTimeout)
        // Exclusive, because the store reads from memory: a second daemon on this file would have stale data after the
        // first change. Set before WAL, it also avoids the -shm file (sqlite.org/wal.html#noshm).
        try database.execute("PRAGMA locking_mode = EXCLUSIVE")
        return database
    }

    /// Checks that the file is empty or a database of todayd.
    private static func recognise(_ database: Database) throws {
        if try database.applicationID == Schema.applicationID { return }
        guard try database.integer("SELECT count(*) FROM sqlite_schema") == 0 else {
            throw OpeningError.damaged(
                try Schema.hasTables(database)
                    ? "its header does not say that it is todayd's" : "it is the database of another program")
        }
    }

    /// The first problem that SQLite finds in the database and its log; nil if there is none.
    private static func problem(in database: Database, _ path: String) throws(SQLiteError) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_size <= StoreLimits.checkedBytes else { return nil }
        return try database.integrityCheck().first
    }

    /// Moves the log into the database. If the disk is full, the log stays.
    private static func shortenLog(of database: Database) throws(SQLiteError) {
        do { try database.checkpoint() } catch  where error.isCorrupt { throw error } catch {}
    }

    private static func configure(_ database: Database, _ options: StoreOptions) throws(SQLiteError) {
        // FULL: in WAL mode, only this setting syncs the log at every commit
        // (sqlite.org/pragma.html#pragma_synchronous). The page cache is small because reads never reach SQLite.
        // SQLite's own checkpoint would let commits overwrite old frames in the log, and `WriteAheadLog` could not tell a
        // damaged frame from an old one. With cache_spill, it could not be told from a frame of an interrupted
        // transaction either.
        try database.execute(
            """
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

    /// Writes all rows or none. Calls `hook` while the transaction is open.
    func commit(_ rows: [Row], hook: (@Sendable () -> Void)? = nil) throws(SQLiteError) {
        do {
            try database.transaction { () throws(SQLiteError) in
                for row in rows { try writer.write(row) }
                hook?()
            }
            logSize = Self.size(of: path + "-wal")
        } catch {
            // The log may have pages of the failed transaction. The next transaction overwrites only some of them, and
            // the rest would look like damage.
            truncate(path + "-wal", off_t(logSize))
            throw error
        }
    }

    /// Whether a process has removed or replaced the file or its log while it was open. No later start would find what
    /// is written to it. Called after each commit: the log of the first commit keeps its inode, because it is truncated
    /// but not removed while it is open.
    func isGone() -> Bool {
        let now = FileIdentity(ofLink: path + "-wal")
        defer { log = log ?? now }
        return database.hasMoved || now == nil || (log != nil && log != now)
    }

    /// Whether the log is long enough for a checkpoint. After a failed checkpoint, the log must double first.
    var isLogLong: Bool { logSize > max(StoreLimits.logBytes, 2 * immovable) }

    /// Moves the log into the database and frees its room. If the disk is full, the log stays as it is.
    ///
    /// - Returns: the damage that forbids it.
    func checkpoint() -> String? {
        do throws(SQLiteError) {
            try database.checkpoint()
            immovable = 0
        } catch {
            if error.isCorrupt { return error.message }
            immovable = logSize
        }
        logSize = Self.size(of: path + "-wal")
        return nil
    }

    /// The size of a regular file; 0 if there is none.
    static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : 0
    }

    /// Keeps the log when the database closes, so that it is set aside as it was found.
    func leaveAsFound() { database.keepLogOnClose() }
}
