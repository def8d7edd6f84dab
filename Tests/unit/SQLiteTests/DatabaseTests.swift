// SPDX-License-Identifier: MIT
import Glibc
import SQLite
import TestSupport
import Testing

struct DatabaseTests {
    let directory = TemporaryDirectory()
    var path: String { directory.path + "/some.sqlite" }

    @Test func aNewFileIsForItsOwnerOnly() throws {
        let database = try Database(path: path, mode: .readWriteCreate)
        try database.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
        for name in [path, path + "-wal"] {
            var status = stat()
            #expect(stat(name, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600, "\(name)")
        }
    }

    @Test(arguments: [
        SQLiteValue.null, .integer(.min), .integer(.max), .real(-0.5), .text(""), .text("naïve 🌦\n"),
        .text("a\0b"), .blob([]), .blob([0, 255, 0]),
    ])
    func aValueComesBackAsItWasBound(_ value: SQLiteValue) throws {
        let database = try Database(path: "", mode: .readWriteCreate)
        let statement = try database.prepare("SELECT ?1, typeof(?1)")
        try statement.bind([value])
        #expect(try statement.step())
        let back: SQLiteValue =
            switch statement.string(1) {
            case "null": .null
            case "integer": .integer(statement.int(0))
            case "real": .real(statement.double(0))
            case "text": .text(statement.string(0))
            default: .blob(statement.blob(0))
            }
        #expect(back == value)
        #expect(statement.isNull(0) == (value == .null))
    }

    @Test(
        arguments: [
            ("naïve", "naïve"), ("naïve", ""), ("", "a"), ("", ""), ("a", "ab"), ("ab", "a"), ("a\0b", "a\0c"),
            ("\u{e9}", "e\u{301}"),
        ])
    func aTextIsReadWhicheverIsKnown(text: String, known: String) throws {
        let database = try Database(path: "", mode: .readWriteCreate)
        let statement = try database.prepare("SELECT ?")
        try statement.bind([.text(text)])
        #expect(try statement.step())
        #expect(Array(statement.string(0, orSame: known).utf8) == Array(text.utf8))
    }

    @Test func aStatementCanBeRunManyTimes() throws {
        let database = try Database(path: "", mode: .readWriteCreate)
        try database.execute("CREATE TABLE t (a INTEGER, b TEXT)")
        let insert = try database.prepare("INSERT INTO t VALUES (?, ?)")
        for number in 0..<3 { try insert.run(.integer(Int64(number)), .text("row \(number)")) }
        let select = try database.prepare("SELECT b FROM t ORDER BY a DESC")
        var rows: [String] = []
        while try select.step() { rows.append(select.string(0)) }
        #expect(rows == ["row 2", "row 1", "row 0"])
    }

    @Test func aFailedStatementSaysWhatAndWhere() throws {
        let database = try Database(path: "", mode: .readWriteCreate)
        #expect {
            try database.prepare("SELECT *\n  FROM nowhere")
        } throws: { error in
            "\(error)" == "no such table: nowhere, in SELECT * FROM nowhere"
        }
    }

    @Test func aFailedStatementCanBeRunAgain() throws {
        let database = try Database(path: "", mode: .readWriteCreate)
        try database.execute("CREATE TABLE t (a INTEGER NOT NULL) STRICT")
        let insert = try database.prepare("INSERT INTO t VALUES (?)")
        for wrong: SQLiteValue in [.null, "text"] {
            #expect {
                try insert.run(wrong)
            } throws: {
                ($0 as? SQLiteError)?.isConstraint == true
            }
        }
        try insert.run(1)
        #expect(try database.integer("SELECT count(*) FROM t") == 1)
    }

    @Test func aTransactionThatThrowsLeavesNothing() throws {
        let database = try Database(path: path, mode: .readWriteCreate)
        try database.execute("CREATE TABLE t (a INTEGER PRIMARY KEY)")
        #expect(throws: SQLiteError.self) {
            try database.transaction { () throws(SQLiteError) in
                try database.execute("INSERT INTO t VALUES (1)")
                try database.execute("INSERT INTO t VALUES (1)")
            }
        }
        #expect(try database.integer("SELECT count(*) FROM t") == 0)
        try database.transaction { () throws(SQLiteError) in try database.execute("INSERT INTO t VALUES (2)") }
        #expect(try database.integer("SELECT a FROM t") == 2)
    }

    @Test func aStatementOutlivesTheReferenceToItsDatabase() throws {
        var database: Database? = try Database(path: "", mode: .readWriteCreate)
        let statement = try #require(try database?.prepare("SELECT 7"))
        database = nil
        #expect(try statement.step())
        #expect(statement.int(0) == 7)
    }

    @Test func aLockedDatabaseIsBusy() throws {
        let first = try Database(path: path, mode: .readWriteCreate)
        try first.execute("PRAGMA locking_mode = EXCLUSIVE; CREATE TABLE t (a)")
        let second = try Database(path: path, mode: .readWriteCreate)
        #expect {
            try second.execute("CREATE TABLE u (a)")
        } throws: {
            ($0 as? SQLiteError)?.isBusy == true
        }
        second.setBusyTimeout(milliseconds: 100)
        let took = ContinuousClock().measure { try? second.execute("CREATE TABLE u (a)") }
        #expect(took >= .milliseconds(80), "\(took)")
        _ = first
    }

    @Test(arguments: ["/nonexistent/x.sqlite", "/"])
    func anImpossiblePathIsAnErrorWithAReason(_ path: String) {
        #expect {
            try Database(path: path, mode: .readWriteCreate)
        } throws: {
            "\($0)".contains("unable to open")
        }
    }
}
