// SPDX-License-Identifier: MIT
import Glibc
import SQLite
import TestSupport
import Testing

/// What a file that is not, or no longer, a proper database gives.
struct DamageTests {
    let directory = TemporaryDirectory()
    var path: String { directory.path + "/some.sqlite" }

    /// A database of a few dozen pages, closed.
    private func makeDatabase() throws {
        let database = try Database(path: path, mode: .readWriteCreate)
        try database.execute(
            """
            CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT);
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
            INSERT INTO t SELECT i, printf('%0100d', i) FROM n
            """)
    }

    private func overwrite(at offset: off_t, with byte: UInt8, count: Int) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        #expect(pwrite(descriptor, [UInt8](repeating: byte, count: count), count, offset) == count)
    }

    private func isDamaged() throws -> Bool {
        try !Database(path: path, mode: .readWriteCreate).integrityCheck().isEmpty
    }

    @Test func aSoundDatabaseHasNoProblems() throws {
        try makeDatabase()
        #expect(try !isDamaged())
    }

    @Test func garbageIsDamage() throws {
        try overwrite(at: 0, with: 0x58, count: 5000)
        #expect(try isDamaged())
        let database = try Database(path: path, mode: .readWriteCreate)
        #expect {
            try database.userVersion
        } throws: {
            ($0 as? SQLiteError)?.isCorrupt == true
        }
    }

    @Test func aFlippedHeaderIsDamage() throws {
        try makeDatabase()
        try overwrite(at: 3, with: 0xff, count: 1)
        #expect(try isDamaged())
    }

    @Test func aSpoiledPageIsDamage() throws {
        try makeDatabase()
        try overwrite(at: 4096 * 3, with: 0xaa, count: 64)
        #expect(try isDamaged())
    }

    @Test func aTruncatedFileIsDamage() throws {
        try makeDatabase()
        #expect(truncate(path, 4096 * 4 + 100) == 0)
        #expect(try isDamaged())
    }

    @Test func anEmptyFileIsAnEmptyDatabase() throws {
        try overwrite(at: 0, with: 0, count: 0)
        #expect(try !isDamaged())
    }

    @Test func aFullDatabaseIsFullAndGoesOn() throws {
        let database = try Database(path: path, mode: .readWriteCreate)
        try database.execute("PRAGMA max_page_count = 4; CREATE TABLE t (b BLOB)")
        let insert = try database.prepare("INSERT INTO t VALUES (zeroblob(?))")
        #expect {
            try insert.run(50_000)
        } throws: {
            ($0 as? SQLiteError)?.isFull == true
        }
        try insert.run(10)
        #expect(try database.integer("SELECT count(*) FROM t") == 1)
    }
}
