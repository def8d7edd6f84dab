// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import SQLite

struct MigrationsTests {
    let database: Database
    let first = Migrations.Step(version: 1, name: "tables", sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let second = Migrations.Step(version: 2, name: "colours", sql: "ALTER TABLE t ADD COLUMN colour DEFAULT 'red'")

    init() throws { database = try Database(path: "", mode: .readWriteCreate) }

    @Test func anEmptyDatabaseTakesEveryStep() throws {
        let (from, to) = try Migrations([first, second]).apply(to: database)
        #expect((from, to) == (0, 2))
        #expect(try database.userVersion == 2)
        #expect(try database.integer("SELECT count(colour) FROM t") == 1)
    }

    @Test func anOlderDatabaseTakesOnlyWhatItLacks() throws {
        try Migrations([first]).apply(to: database)
        let (from, to) = try Migrations([first, second]).apply(to: database)
        #expect((from, to) == (1, 2))
        #expect(try database.integer("SELECT count(*) FROM t") == 1)
    }

    @Test func aCurrentDatabaseIsLeftAlone() throws {
        try Migrations([first]).apply(to: database)
        let (from, to) = try Migrations([first]).apply(to: database)
        #expect((from, to) == (1, 1))
    }

    @Test func aNewerDatabaseIsRefused() throws {
        try Migrations([first, second]).apply(to: database)
        #expect {
            try Migrations([first]).apply(to: database)
        } throws: { error in
            "\(error)" == "the database has version 2, this program knows versions up to 1"
        }
    }

    /// The first known step makes a database out of nothing.
    @Test(arguments: [-1, 1, 3]) func aDatabaseThatNoStepLeadsOnFromIsRefused(version: Int) throws {
        try database.setUserVersion(version)
        let (fourth, fifth) = (
            Migrations.Step(version: 4, name: "fourth", sql: "CREATE TABLE t (a)"),
            Migrations.Step(version: 5, name: "fifth", sql: "CREATE TABLE u (a)")
        )
        #expect {
            try Migrations([fourth, fifth]).apply(to: database)
        } throws: { error in
            "\(error)" == "the database has version \(version), this program knows versions from 4 on"
        }
        #expect(try database.integer("SELECT count(*) FROM sqlite_schema") == 0)
        try database.setUserVersion(0)
        #expect(try Migrations([fourth, fifth]).apply(to: database).to == 5)
    }

    /// The other one has read the version, and waits for the lock; on a slow machine it may come later, and finds both taken.
    @Test func aStepThatAnotherProcessHasTakenMeanwhileIsNotTakenAgain() async throws {
        let directory = TemporaryDirectory()
        let path = "\(directory.path)/database"
        let database = try Database(path: path, mode: .readWriteCreate)
        try database.execute("BEGIN IMMEDIATE")
        let migrations = Migrations([first, second])
        let other = Task.detached {
            let database = try Database(path: path, mode: .readWriteCreate)
            database.setBusyTimeout(milliseconds: 10_000)
            try migrations.apply(to: database)
        }
        try await Task.sleep(for: .milliseconds(200))
        for step in [first, second] { try database.execute(step.sql) }
        try database.setUserVersion(2)
        try database.execute("COMMIT")
        try await other.value
        #expect(try database.integer("SELECT count(colour) FROM t") == 1)
    }

    @Test func aFailedStepLeavesTheVersionBefore() throws {
        let wrong = Migrations.Step(
            version: 2, name: "wrong", sql: "CREATE TABLE u (a); INSERT INTO nowhere VALUES (1)")
        #expect {
            try Migrations([first, wrong]).apply(to: database)
        } throws: { error in
            "\(error)".hasPrefix("migration \"wrong\" failed: no such table: main.nowhere")
                || "\(error)".hasPrefix("migration \"wrong\" failed: no such table: nowhere")
        }
        #expect(try database.userVersion == 1)
        #expect(try database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'u'") == 0)
    }
}
