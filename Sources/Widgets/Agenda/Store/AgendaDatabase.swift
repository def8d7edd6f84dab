// SPDX-License-Identifier: MIT
import Glibc
import SQLite

/// Opens the file of an agenda so that two programs can use it at once. Leaves every file unchanged that is not a whole
/// agenda of a version that this program knows.
struct AgendaDatabase {
    let path: String
    /// How long to wait for another process's lock, in milliseconds.
    let lockTimeout: Int

    func open() throws(AgendaError) -> Database {
        let database: Database
        do throws(SQLiteError) {
            database = try Database(path: path, mode: .readWriteCreate)
        } catch {
            throw AgendaError(error, path: path)
        }
        database.setBusyTimeout(milliseconds: Int32(clamping: lockTimeout))
        do throws(AgendaError) {
            try check(database)
            try enableWriteAheadLog(in: database)
            try migrate(database)
        } catch {
            // Closing would copy the log into the file, which must stay as it is.
            database.keepLogOnClose()
            throw error
        }
        return database
    }

    /// Checks that the database is an agenda, and whole. An agenda is small enough to be read through each time.
    private func check(_ database: Database) throws(AgendaError) {
        let problems: [String]
        var isForeign = false
        do throws(SQLiteError) {
            // In one transaction: another program may be making the tables, and a half-made agenda looks like a foreign
            // database.
            try database.execute("BEGIN")
            problems = try database.integrityCheck()
            if problems.isEmpty { isForeign = try Self.isForeign(database) }
            // ROLLBACK fails where SQLite has already ended the transaction because of the damage.
            try? database.execute("ROLLBACK")
        } catch {
            throw AgendaError(error, path: path)
        }
        if let first = problems.first { throw .damaged(path: path, reason: first) }
        if isForeign { throw .foreign(path: path) }
    }

    /// A new file has no application ID and no tables.
    private static func isForeign(_ database: Database) throws(SQLiteError) -> Bool {
        let applicationID = try database.applicationID
        if applicationID != 0 { return applicationID != self.applicationID }
        return try database.integer("SELECT count(*) FROM sqlite_schema") != 0
    }

    /// With a write-ahead log, readers and one writer do not wait for each other (sqlite.org/wal.html). Where the file
    /// system does not support one, SQLite keeps its rollback journal, which is slower and as safe.
    private func enableWriteAheadLog(in database: Database) throws(AgendaError) {
        // SQLite's own timeout does not apply here: of two programs that change the mode at once, one gets "busy" at once.
        let pause = 20
        for attempt in 0... {
            do throws(SQLiteError) {
                let mode = try database.prepare("PRAGMA journal_mode")
                if try mode.step(), mode.string(0) == "wal" { return }
                mode.reset()
                return try database.execute("PRAGMA journal_mode = WAL")
            } catch {
                guard error.isBusy, attempt * pause < lockTimeout else { throw AgendaError(error, path: path) }
                usleep(UInt32(pause) * 1_000)
            }
        }
    }

    private func migrate(_ database: Database) throws(AgendaError) {
        do throws(MigrationError) {
            try Self.migrations.apply(to: database)
        } catch {
            switch error {
            case .newer: throw .newer(path: path, reason: "\(error)")
            case .failed(_, let cause): throw AgendaError(cause, path: path)
            }
        }
    }

    // MARK: - Tables

    /// "AGND", by which file(1) and this program recognize an agenda.
    private static let applicationID: Int32 = 0x4147_4e44

    /// The tables of agenda.sqlite. Add a step to change them; never edit a released one, which users' databases have
    /// already applied.
    private static let migrations = Migrations([
        .init(
            version: 1, name: "items",
            sql: """
                PRAGMA application_id = \(applicationID);

                -- due: days since 1970; added, done: seconds since 1970. AUTOINCREMENT: a number is never used twice.
                CREATE TABLE items (
                  number INTEGER PRIMARY KEY AUTOINCREMENT,
                  title TEXT NOT NULL,
                  due INTEGER NOT NULL,
                  added INTEGER NOT NULL,
                  done INTEGER
                ) STRICT;

                CREATE INDEX items_open ON items (due, number) WHERE done IS NULL
                """)
    ])
}
