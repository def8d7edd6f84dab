// SPDX-License-Identifier: MIT
import Glibc
import SQLite
import TestSupport
import Testing

@testable import TodayDatabase

@Suite struct GroupDatabaseTests {
    private let directory = TemporaryDirectory()
    private static let items = "CREATE TABLE items (number INTEGER PRIMARY KEY, title TEXT NOT NULL, size ANY) STRICT"

    private func database(_ versions: [String] = [items]) throws -> GroupDatabase {
        try GroupDatabase(path: directory("list.sqlite"), versions: versions, lockTimeout: 300)
    }

    /// The error that `work` throws.
    private func error(of work: () throws -> some Any) -> DatabaseError? {
        do {
            _ = try work()
            return nil
        } catch {
            return error as? DatabaseError
        }
    }

    @Test func valuesAreReadAsTheyWereWritten() throws {
        let database = try database()
        for value: DatabaseValue in [nil, 5, 0.5, "'); DROP TABLE items; --", .data([0, 255]), .string(""), .data([])] {
            let rows = try database.rows(
                "INSERT INTO items (title, size) VALUES (?, ?) RETURNING size, title", "a", value)
            #expect(rows == [[value, "a"]])
        }
        #expect(try database.rows("SELECT size FROM items WHERE number = ?", 2)[0][0].int == 5)
        #expect(try database.rows("SELECT count(*) FROM items").first?.first?.double == 7)
        #expect(
            DatabaseValue.string("a").int == 0 && DatabaseValue.int(1).string == "" && DatabaseValue.null.data == [])
        #expect(DatabaseValue.double(0.5).double == 0.5 && DatabaseValue.data([1]).data == [1])
    }

    @Test func onlyTheUserMayReadIt() throws {
        _ = try database()
        var status = stat()
        #expect(stat(directory("list.sqlite"), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test func appAndWidgetSeeEachOthersChanges() throws {
        let (app, widget) = (try database(), try database())
        try app.run("INSERT INTO items (title) VALUES ('a')")
        #expect(try widget.rows("SELECT title FROM items") == [["a"]])
        try widget.run("DELETE FROM items")
        #expect(try app.rows("SELECT title FROM items").isEmpty)
    }

    @Test func aReaderDoesNotWaitForAWriter() throws {
        let (reader, writer) = (try database(), try database())
        try writer.run("BEGIN IMMEDIATE")
        try writer.run("INSERT INTO items (title) VALUES ('b')")
        #expect(try reader.rows("SELECT * FROM items").isEmpty)
        #expect(try database().rows("SELECT * FROM items").isEmpty)
        // A second writer waits until its timeout.
        let busy = try #require(error { try reader.run("INSERT INTO items (title) VALUES ('c')") })
        #expect(busy.isBusy && busy.description.contains("in use by another program"))
        try writer.run("COMMIT")
        #expect(try reader.rows("SELECT title FROM items") == [["b"]])
    }

    @Test func aTransactionHappensWhollyOrNotAtAll() throws {
        let database = try database()
        struct Failure: Error {}
        #expect(throws: Failure.self) {
            try database.transaction {
                try database.run("INSERT INTO items (title) VALUES ('a')")
                throw Failure()
            }
        }
        #expect(try database.rows("SELECT * FROM items").isEmpty)
        let count = try database.transaction {
            try database.run("INSERT INTO items (title) VALUES ('a')")
            return try database.rows("SELECT count(*) FROM items")[0][0].int
        }
        #expect(count == 1)
        #expect(try self.database().rows("SELECT * FROM items").count == 1)
    }

    @Test func aNewVersionChangesTheTables() throws {
        try database().run("INSERT INTO items (title) VALUES ('a')")
        let versions = [Self.items, "ALTER TABLE items ADD COLUMN due INTEGER; UPDATE items SET due = 7"]
        #expect(try database(versions).rows("SELECT title, due FROM items") == [["a", 7]])
        // An older program leaves it alone.
        let newer = try #require(error { try database() })
        #expect(newer.description.contains("the database has version 2, this program knows versions up to 1"))
        #expect(try database(versions).rows("SELECT title, due FROM items") == [["a", 7]])
    }

    @Test func wrongSQLIsReported() throws {
        let database = try database()
        let wrong = try #require(error { try database.rows("SELEC 1") })
        #expect(
            !wrong.isBusy && wrong.description.contains("syntax error") && wrong.description.contains("list.sqlite"))
        #expect(error { try database.run("INSERT INTO items (title) VALUES (NULL)") } != nil)
    }

    // MARK: Files that are no such database

    /// Expects that a file is refused and not changed.
    private func expectRefused(_ bytes: [UInt8], _ words: String) throws {
        try directory.write(bytes, to: "list.sqlite", mode: 0o600)
        let refused = try #require(error { try database() })
        #expect(refused.description.contains(words) && refused.description.contains(directory("list.sqlite")))
        #expect(try directory.bytes(of: "list.sqlite") == bytes)
    }

    @Test func whatIsNoDatabaseIsRefusedAndKept() throws {
        try expectRefused(
            Array("this is not a database\n".utf8), "is damaged (file is not a database). Nothing was changed")
        try expectRefused([UInt8](repeating: 0x2a, count: 50_000), "is damaged")
    }

    @Test func anotherProgramsDatabaseIsRefused() throws {
        do {
            let other = try Database(path: directory("list.sqlite"), mode: .readWriteCreate)
            try other.execute("CREATE TABLE items (a)")
        }
        #expect(error { try database() }?.description.contains("table items already exists") == true)
        let other = try Database(path: directory("list.sqlite"), mode: .readWriteCreate)
        #expect(try other.integer("SELECT count(*) FROM pragma_table_info('items')") == 1)
    }

    @Test func aFileThatCannotBeMadeIsAnError() throws {
        #expect(error { try GroupDatabase(path: directory("nowhere/a"), versions: []) }?.isBusy == false)
        try directory.makeDirectory("list.sqlite")
        #expect(error { try database() } != nil)
    }

    @Test func eachReasonSaysWhatToDo() throws {
        let database = try database()
        try database.run("PRAGMA max_page_count = 1")
        let full = try #require(error { try database.run("INSERT INTO items (title) VALUES (hex(zeroblob(9000)))") })
        #expect(!full.isBusy && full.description.hasSuffix("Make room, or see who may write there"))
        try database.run("PRAGMA query_only = ON")
        let readOnly = try #require(error { try database.run("DELETE FROM items") })
        #expect(readOnly.description.hasSuffix("Make room, or see who may write there"))
        let newer = try #require(error { try self.database([]) })
        #expect(!newer.isBusy && newer.description.contains("cannot be used"))
    }
}
