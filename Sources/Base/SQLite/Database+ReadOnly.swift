// SPDX-License-Identifier: MIT
import CSQLite
import Glibc

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

    /// `path` as it must stand in a file: URI, where `?`, `#` and `%` have meanings (sqlite.org/uri.html).
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
