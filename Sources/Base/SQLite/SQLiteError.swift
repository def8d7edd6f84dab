// SPDX-License-Identifier: MIT
import CSQLite
import Glibc

/// An error of SQLite: its codes, its message and the statement.
package struct SQLiteError: Error, Equatable, Sendable {
    /// The primary result code (`SQLITE_FULL`, `SQLITE_CORRUPT` …), the low byte of `extendedCode`.
    package var code: Int32 { extendedCode & 0xff }
    package let extendedCode: Int32
    package let message: String
    /// The statement that failed, when there was one.
    package let sql: String?
    /// `errno` of the system call behind an I/O error or a failed open, else 0 (`sqlite3_system_errno`).
    package let systemError: Int32

    package init(extendedCode: Int32, message: String, sql: String? = nil, systemError: Int32 = 0) {
        self.extendedCode = extendedCode
        self.message = message
        self.sql = sql
        self.systemError = systemError
    }

    /// The disk is full. SQLite reports that for ENOSPC only; a reached quota or file size limit is an I/O error.
    package var isFull: Bool {
        code == SQLITE_FULL || (code == SQLITE_IOERR && [ENOSPC, EDQUOT, EFBIG].contains(systemError))
    }

    /// The file is not a database, or one whose pages contradict each other.
    package var isCorrupt: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }

    /// The file, its directory or its file system cannot be written. SQLite has several codes for that.
    package var isReadOnly: Bool {
        code == SQLITE_READONLY || code == SQLITE_PERM
            || ([SQLITE_CANTOPEN, SQLITE_IOERR].contains(code) && [EROFS, EACCES, EPERM].contains(systemError))
    }

    /// Another connection holds the lock.
    package var isBusy: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }

    /// The statement is wrong, or the tables are not those it was written for.
    package var isMistake: Bool { code == SQLITE_ERROR }

    /// A row broke a rule of its table (NOT NULL, CHECK, UNIQUE, a STRICT column's type).
    package var isConstraint: Bool { code == SQLITE_CONSTRAINT }
}

extension SQLiteError: CustomStringConvertible {
    package var description: String {
        var text = message
        if systemError != 0, let reason = strerror(systemError) {
            text += " (\(String(cString: reason)))"
        }
        if let sql { text += ", in \(sql.split(whereSeparator: \.isWhitespace).joined(separator: " "))" }
        return text
    }
}
