// SPDX-License-Identifier: MIT
import CSQLite
import Glibc

/// One connection to a database.
///
/// Opened without SQLite's own mutexes ("multi-thread" mode, sqlite.org/threadsafe.html): "SQLite can be safely used by
/// multiple threads provided that no single database connection nor any object derived from database connection […]
/// is used in two or more threads at the same time". This class is therefore not Sendable: a connection and its
/// statements belong to one thread at a time, and code that hands them to another thread says why that is safe.
package final class Database {
    /// How to open the file, and whether there is one.
    package enum Mode: Sendable {
        /// Creates the file, readable by its owner only, when there is none.
        case readWriteCreate
        /// Reads a file that no process changes meanwhile, without changing anything beside it either; see `openUntouched`.
        case readOnly
    }

    package let path: String
    let handle: OpaquePointer

    package init(path: String, mode: Mode) throws(SQLiteError) {
        self.path = path
        let opened: OpaquePointer
        switch mode {
        case .readWriteCreate:
            opened = try Self.open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, creating: true)
        case .readOnly:
            opened = try Self.openUntouched(path)
        }
        handle = opened
        // Another process may have written the file, so SQL in its schema may not change anything.
        _ = csqlite_set_defensive(handle, 1)
        sqlite3_busy_timeout(handle, 0)
        // SQLite silently opens a file for reading if it may not write it. This mode needs writing, so that is an
        // error.
        if case .readWriteCreate = mode, sqlite3_db_readonly(handle, "main") == 1 {
            let reason = access(path, W_OK) == 0 ? EROFS : errno
            sqlite3_close_v2(handle)
            throw SQLiteError(
                extendedCode: SQLITE_READONLY, message: "attempt to write a readonly database", systemError: reason)
        }
    }

    /// Statements that are still alive keep the connection open until they are gone (`sqlite3_close_v2`).
    deinit { sqlite3_close_v2(handle) }

    static func open(
        _ name: String, _ flags: Int32, vfs: String? = nil, creating: Bool = false
    ) throws(SQLiteError) -> OpaquePointer {
        // SQLite creates files 0644; its -wal takes the mode of the database, so creating that first is enough.
        var creationError: Int32 = 0
        if creating {
            let descriptor = Glibc.open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if descriptor >= 0 { Glibc.close(descriptor) } else if errno != EEXIST { creationError = errno }
        }
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(name, &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, vfs)
        guard let handle else {
            throw SQLiteError(extendedCode: SQLITE_NOMEM, message: "out of memory")
        }
        guard code == SQLITE_OK else {
            defer { sqlite3_close_v2(handle) }
            let error = error(of: handle, code: code, sql: nil)
            // SQLite fails to create the file, then tries to read it, and reports "no such file".
            guard creationError != 0 else { throw error }
            throw SQLiteError(extendedCode: code, message: error.message, systemError: creationError)
        }
        return handle
    }
}

// MARK: - Statements

extension Database {
    /// Runs every statement of `sql`; it ignores rows.
    package func execute(_ sql: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code, sql: sql) }
    }

    package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        try Statement(sql, in: self)
    }

    /// The first column of the first row as an integer, nil without a row.
    package func integer(_ sql: String) throws(SQLiteError) -> Int64? {
        let statement = try prepare(sql)
        return try statement.step() ? statement.int(0) : nil
    }

    /// Runs `body` between BEGIN IMMEDIATE and COMMIT; when either throws, nothing of it has happened.
    package func transaction<Value>(_ body: () throws(SQLiteError) -> Value) throws(SQLiteError) -> Value {
        try execute("BEGIN IMMEDIATE")
        do {
            let value = try body()
            try execute("COMMIT")
            return value
        } catch {
            // Some errors (full, I/O, out of memory) have rolled back by themselves (sqlite.org/lang_transaction.html).
            if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    func error(_ code: Int32, sql: String?) -> SQLiteError {
        Self.error(of: handle, code: code, sql: sql)
    }

    private static func error(of handle: OpaquePointer, code: Int32, sql: String?) -> SQLiteError {
        let primary = code & 0xff
        // Only these two come from a system call; for any other code the number is an older call's.
        let systemError = primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN ? sqlite3_system_errno(handle) : 0
        return SQLiteError(
            extendedCode: code, message: String(cString: sqlite3_errmsg(handle)), sql: sql, systemError: systemError)
    }
}

// MARK: - The file

extension Database {
    /// The number an application keeps in the header for itself, here the version of the schema. Part of transactions.
    package var userVersion: Int {
        get throws(SQLiteError) { Int(try integer("PRAGMA user_version") ?? 0) }
    }

    package func setUserVersion(_ version: Int) throws(SQLiteError) {
        try execute("PRAGMA user_version = \(version)")
    }

    /// The number in the header that says which program the file belongs to; 0 when no program has set it.
    package var applicationID: Int32 {
        get throws(SQLiteError) { Int32(truncatingIfNeeded: try integer("PRAGMA application_id") ?? 0) }
    }

    /// What is wrong with the file, its tables and their indexes, in SQLite's words; empty when nothing is. Reads all of it.
    /// A file too damaged to be checked at all is an answer here as well, other errors are thrown.
    package func integrityCheck() throws(SQLiteError) -> [String] {
        var problems: [String] = []
        do {
            let check = try prepare("PRAGMA integrity_check(10)")
            while try check.step() { problems.append(check.string(0)) }
        } catch {
            guard error.isCorrupt else { throw error }
            problems.append(error.message)
        }
        return problems == ["ok"] ? [] : problems
    }

    /// Whether the file has been removed, renamed or replaced since it was opened (`SQLITE_FCNTL_HAS_MOVED`).
    package var hasMoved: Bool {
        var moved: Int32 = 0
        return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0
    }

    /// How long to wait for another connection's lock before giving up with `isBusy`; not at all at first.
    package func setBusyTimeout(milliseconds: Int32) {
        sqlite3_busy_timeout(handle, milliseconds)
    }

    /// Moves the write-ahead log into the database, as far as that is possible now, and cuts it to nothing.
    package func checkpoint() throws(SQLiteError) { try execute("PRAGMA wal_checkpoint(TRUNCATE)") }

    /// Whether closing the connection leaves the write-ahead log as it is, instead of moving it into the database.
    package func keepLogOnClose(_ keep: Bool = true) {
        _ = csqlite_set_no_checkpoint_on_close(handle, keep ? 1 : 0)
    }
}

extension Database {
    /// Opens a database without creating, locking or changing any file.
    ///
    /// Two cases, because SQLite reads a WAL database only with the log's index, which it keeps in a file beside it:
    /// - There is a log: it must be read as well, it holds the newest transactions. In exclusive locking mode the
    ///   index lives in this process's memory (sqlite.org/wal.html#noshm), and the "unix-none" VFS takes the lock that
    ///   mode wants without asking the file system, which would refuse an exclusive lock on a file open for reading.
    /// - There is none, and perhaps none can be created: "immutable" says that there is nothing else to read.
    static func openUntouched(_ path: String) throws(SQLiteError) -> OpaquePointer {
        let uri = "file:" + percentEncoded(path)
        guard access(path + "-wal", F_OK) == 0 else {
            return try open(uri + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
        }
        let handle = try open(uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, vfs: "unix-none")
        _ = csqlite_set_no_checkpoint_on_close(handle, 1)
        sqlite3_exec(handle, "PRAGMA locking_mode = EXCLUSIVE", nil, nil, nil)
        return handle
    }

    /// `path` as it must be written in a file: URI, where `?`, `#` and `%` have meanings (sqlite.org/uri.html).
    static func percentEncoded(_ path: String) -> String {
        var text = ""
        for character in path.unicodeScalars {
            switch character {
            case "?": text += "%3f"
            case "#": text += "%23"
            case "%": text += "%25"
            default: text.unicodeScalars.append(character)
            }
        }
        return text
    }
}
