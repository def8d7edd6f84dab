// SPDX-License-Identifier: MIT
import Glibc
import SQLite
import TodayKit

/// An SQLite database in the directory of an app group. A widget and its app open it at the same time, and see what the
/// other has committed.
///
///     let database = try GroupDatabase(
///         "list.sqlite", suiteName: "group.org.example.list",
///         versions: ["CREATE TABLE items (number INTEGER PRIMARY KEY, title TEXT NOT NULL) STRICT"])
///     try database.run("INSERT INTO items (title) VALUES (?)", "Call Ada")
///     let titles = try database.rows("SELECT title FROM items").map { $0[0].string }
public final class GroupDatabase {
    /// The path of the file.
    public let path: String
    private let database: Database
    /// How long to wait in all for the lock of another program.
    private static let lockTimeout: Int32 = 5_000

    /// Opens a database, or makes it, readable by its user only.
    ///
    /// - Parameters:
    ///   - name: the name of the file.
    ///   - suiteName: the group, as in `AppGroups=` of the manifest.
    ///   - versions: the SQL that makes each version of the tables out of the one before it, from an empty database on. Add
    ///     one to change the tables; never edit a released one, which the databases of users have taken already.
    /// - Throws: `TodayError` if the group has no directory, else `DatabaseError`. Nothing is changed then.
    public convenience init(_ name: String, suiteName: String, versions: [String]) throws {
        try self.init(path: "\(try GroupContainer(suiteName: suiteName).path)/\(name)", versions: versions)
    }

    package init(path: String, versions: [String], lockTimeout: Int32 = lockTimeout) throws(DatabaseError) {
        self.path = path
        do {
            database = try Database(path: path, mode: .readWriteCreate)
            database.setBusyTimeout(milliseconds: lockTimeout)
            try Self.enableWriteAheadLog(in: database, lockTimeout)
            let steps = versions.enumerated().map { number, sql in
                Migrations.Step(version: number + 1, name: "version \(number + 1)", sql: sql)
            }
            try Migrations(steps).apply(to: database)
        } catch let error as SQLiteError {
            throw DatabaseError(error, path)
        } catch {
            throw DatabaseError(path, "\(error)")
        }
    }

    /// With a write-ahead log, readers and one writer do not wait for each other (sqlite.org/wal.html). SQLite's own timeout
    /// does not apply here: of two programs that change the mode at once, one gets "busy" at once.
    private static func enableWriteAheadLog(in database: Database, _ timeout: Int32) throws(SQLiteError) {
        let pause: Int32 = 20
        for attempt in 0... {
            do throws(SQLiteError) {
                return try database.execute("PRAGMA journal_mode = WAL")
            } catch {
                guard error.isBusy, Int32(attempt) * pause < timeout else { throw error }
                usleep(UInt32(pause) * 1_000)
            }
        }
    }

    /// Runs one statement with the values of its question marks.
    public func run(_ sql: String, _ values: DatabaseValue...) throws(DatabaseError) { _ = try rows(sql, values) }

    /// Runs one statement with the values of its question marks, and returns the rows of its answer.
    public func rows(_ sql: String, _ values: DatabaseValue...) throws(DatabaseError) -> [[DatabaseValue]] {
        try rows(sql, values)
    }

    /// Runs one statement with the values of its question marks in an array.
    public func rows(_ sql: String, _ values: [DatabaseValue]) throws(DatabaseError) -> [[DatabaseValue]] {
        do throws(SQLiteError) {
            let statement = try database.prepare(sql)
            try statement.bind(values.map(\.value))
            var rows: [[DatabaseValue]] = []
            while try statement.step() {
                rows.append((0..<statement.columns).map { DatabaseValue(statement.value($0)) })
            }
            return rows
        } catch {
            throw DatabaseError(error, path)
        }
    }

    /// Runs several statements as one change, which other programs see wholly or not at all. Nothing of it has happened if
    /// the body throws.
    public func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        try run("BEGIN IMMEDIATE")
        do {
            let value = try body()
            try run("COMMIT")
            return value
        } catch {
            // Fails if SQLite has rolled back by itself: sqlite.org/lang_transaction.html.
            try? run("ROLLBACK")
            throw error
        }
    }
}
