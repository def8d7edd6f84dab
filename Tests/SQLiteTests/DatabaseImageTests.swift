// SPDX-License-Identifier: MIT
import Glibc
import SQLite
import TestSupport
import Testing

/// A database in memory, as SQLite would read it from its files.
struct DatabaseImageTests {
    let directory = TemporaryDirectory()
    var path: String { directory.path + "/some.sqlite" }

    /// Three rows in the file; with a log, one of them is another there, many have come, and one transaction was not ended.
    private func makeDatabase(withLog: Bool) throws {
        let database = try Database(path: path, mode: .readWriteCreate)
        try database.execute(
            """
            PRAGMA page_size = 4096; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;
            CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT);
            INSERT INTO t VALUES (1, 'one'), (2, 'two'), (3, 'three'); PRAGMA wal_checkpoint(TRUNCATE)
            """)
        guard withLog else { return }
        database.keepLogOnClose()
        try database.execute(
            """
            UPDATE t SET b = 'new' WHERE a = 2;
            WITH RECURSIVE n (i) AS (SELECT 4 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
            INSERT INTO t SELECT i, printf('%0100d', i) FROM n;
            PRAGMA cache_size = 1; PRAGMA cache_spill = 1;
            BEGIN; UPDATE t SET b = 'never'
            """)
    }

    private func open(_ image: DatabaseImage) throws -> Database {
        var image = image
        // In memory there is no log.
        image.bytes.replaceSubrange(18...19, with: [1, 1])
        return try image.open()
    }

    @Test(arguments: [false, true]) func itIsWhatAConnectionReads(withLog: Bool) throws {
        try makeDatabase(withLog: withLog)
        let image = try #require(DatabaseImage(of: path, mostBytes: 1 << 20))
        let database = try open(image)
        #expect(try database.integrityCheck().isEmpty)
        let reader = try Database(path: path, mode: .readOnly)
        for query in ["count(*)", "sum(length(b))", "sum(b = 'new')", "sum(b = 'never')"] {
            let expected = try reader.integer("SELECT \(query) FROM t")
            #expect(try database.integer("SELECT \(query) FROM t") == expected, "\(query)")
        }
        #expect(try database.integer("SELECT count(*) FROM t") == (withLog ? 500 : 3))
    }

    @Test func itCannotBeWritten() throws {
        try makeDatabase(withLog: false)
        let database = try open(#require(DatabaseImage(of: path, mostBytes: 1 << 20)))
        #expect(throws: SQLiteError.self) { try database.execute("DELETE FROM t") }
    }

    @Test func thereIsNoneOfWhatIsMissingTooLargeOrNoFile() throws {
        #expect(DatabaseImage(of: path, mostBytes: 1 << 20) == nil)
        #expect(DatabaseImage(of: directory.path, mostBytes: 1 << 20) == nil)
        try makeDatabase(withLog: true)
        // The file is smaller than that, and with its log it is not.
        #expect(DatabaseImage(of: path, mostBytes: 16_384) == nil)
        #expect(truncate(path + "-wal", 2 << 30) == 0)
        #expect(DatabaseImage(of: path, mostBytes: 1 << 20) == nil)
        #expect(unlink(path + "-wal") == 0)
        #expect(DatabaseImage(of: path, mostBytes: 16_384) != nil)
        #expect(mkdir(path + "-wal", 0o700) == 0)
        #expect(DatabaseImage(of: path, mostBytes: 1 << 20) == nil)
    }
}
