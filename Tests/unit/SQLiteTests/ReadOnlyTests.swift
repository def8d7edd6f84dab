// SPDX-License-Identifier: MIT
import Glibc
import SQLite
import TestSupport
import Testing

/// Reading a database that must not, or cannot, be changed.
struct ReadOnlyTests {
    let directory = TemporaryDirectory()
    var path: String { directory.path + "/100% odd? #1.sqlite" }

    /// Names and sizes of the database and of what is beside it.
    private func files() -> [String: Int] {
        var sizes: [String: Int] = [:]
        for suffix in ["", "-wal", "-shm", "-journal"] {
            var status = stat()
            if stat(path + suffix, &status) == 0 { sizes[suffix] = status.st_size }
        }
        return sizes
    }

    /// A WAL database with one row in the file and, when asked for, a second one that is only in the log.
    private func makeDatabase(withLog: Bool) throws {
        let database = try Database(path: path, mode: .readWriteCreate)
        try database.execute(
            """
            PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;
            CREATE TABLE t (a); INSERT INTO t VALUES (1); PRAGMA wal_checkpoint(TRUNCATE)
            """)
        if withLog {
            try database.execute("INSERT INTO t VALUES (2)")
            database.keepLogOnClose()
        }
    }

    @Test(arguments: [false, true])
    func everyCommittedRowIsReadAndNoFileChanges(withLog: Bool) throws {
        try makeDatabase(withLog: withLog)
        let before = files()
        #expect(Set(before.keys) == (withLog ? ["", "-wal"] : [""]))
        do {
            let database = try Database(path: path, mode: .readOnly)
            #expect(try database.integer("SELECT max(a) FROM t") == (withLog ? 2 : 1))
            #expect(try database.integrityCheck().isEmpty)
            #expect(throws: SQLiteError.self) { try database.execute("INSERT INTO t VALUES (3)") }
        }
        #expect(files() == before)
    }

    @Test func readingAFileThatIsNotThereIsAnError() {
        #expect(throws: SQLiteError.self) { try Database(path: path, mode: .readOnly) }
        #expect(files().isEmpty)
    }

    @Test(.enabled(if: geteuid() != 0, "root may write any file"))
    func writingAFileWithoutPermissionIsAnErrorAtOnce() throws {
        try makeDatabase(withLog: false)
        #expect(chmod(path, 0o400) == 0)
        #expect {
            try Database(path: path, mode: .readWriteCreate)
        } throws: {
            ($0 as? SQLiteError)?.isReadOnly == true
        }
    }
}
