// SPDX-License-Identifier: MIT
import Glibc
import SQLite

/// Opens the database so that two programs can use it at once, and leaves alone what it does not understand.
struct AgendaOpening {
    let path: String
    /// In milliseconds.
    let patience: Int

    func open() throws(AgendaError) -> Database {
        let database: Database
        do throws(SQLiteError) {
            database = try Database(path: path, mode: .readWriteCreate)
        } catch {
            throw AgendaError(error, path: path)
        }
        database.setBusyTimeout(milliseconds: Int32(clamping: patience))
        do throws(AgendaError) {
            try check(database)
            try share(database)
            try migrate(database)
        } catch {
            // What cannot be used shall be found as it was: the log is not moved into it.
            database.keepLogOnClose()
            throw error
        }
        return database
    }

    /// Whether it is an agenda, and whole. It is small enough to be read through each time.
    private func check(_ database: Database) throws(AgendaError) {
        let problems: [String]
        var isForeign = false
        do throws(SQLiteError) {
            // All of one moment: another program may just be making the tables, and would look like a stranger in between.
            try database.execute("BEGIN")
            problems = try database.integrityCheck()
            if problems.isEmpty { isForeign = try Self.isForeign(database) }
            // Some kinds of damage have ended it by themselves.
            try? database.execute("ROLLBACK")
        } catch {
            throw AgendaError(error, path: path)
        }
        if let first = problems.first { throw .damaged(path: path, reason: first) }
        if isForeign { throw .foreign(path: path) }
    }

    /// A new file has no owner and no tables.
    private static func isForeign(_ database: Database) throws(SQLiteError) -> Bool {
        let owner = try database.applicationID
        if owner != 0 { return owner != AgendaSchema.applicationID }
        return try database.integer("SELECT count(*) FROM sqlite_schema") != 0
    }

    /// With a write-ahead log readers and one writer do not wait for each other (sqlite.org/wal.html). Where the file
    /// system cannot have one, the journal stays as it is, which is slower and as safe.
    private func share(_ database: Database) throws(AgendaError) {
        // Of two programs that change the mode at once one is told "busy" without any waiting: this waits for it.
        let pause = 20
        for attempt in 0... {
            do throws(SQLiteError) {
                let mode = try database.prepare("PRAGMA journal_mode")
                if try mode.step(), mode.string(0) == "wal" { return }
                mode.reset()
                return try database.execute("PRAGMA journal_mode = WAL")
            } catch {
                guard error.isBusy, attempt * pause < patience else { throw AgendaError(error, path: path) }
                usleep(UInt32(pause) * 1_000)
            }
        }
    }

    private func migrate(_ database: Database) throws(AgendaError) {
        do throws(MigrationError) {
            try AgendaSchema.migrations.apply(to: database)
        } catch {
            switch error {
            case .newer: throw .newer(path: path, reason: "\(error)")
            case .failed(_, let cause): throw AgendaError(cause, path: path)
            }
        }
    }
}
