// SPDX-License-Identifier: MIT
import Platform
import SQLite
import TodayKit

/// The agenda: one SQLite database, which the app and the widget open at the same time.
///
/// Opened for each use and not kept: to move the file away is to move the agenda away.
package final class AgendaStore {
    /// The group whose directory has the database.
    package static let group = "group.org.todayd.agenda"
    package static let fileName = "agenda.sqlite"

    package let path: String
    private let database: Database

    /// The agenda that app and widget share.
    package static func shared() throws(AgendaError) -> AgendaStore {
        let directory: String
        do throws(TodayError) {
            directory = try GroupContainer(suiteName: group).path
        } catch {
            throw .noContainer("\(error)")
        }
        return try AgendaStore(directory: directory)
    }

    /// The agenda in a directory; made where there is none.
    ///
    /// - Parameter patience: how long to wait in all for another process's lock, in milliseconds.
    package init(directory: String, patience: Int = 5_000) throws(AgendaError) {
        path = "\(directory)/\(Self.fileName)"
        database = try AgendaOpening(path: path, patience: patience).open()
    }

    // MARK: Changing

    package func add(_ text: String, due: CivilDay) throws(AgendaError) -> AgendaItem {
        let title = try AgendaTitle.checked(text)
        return try changing { database throws(SQLiteError) in
            let insert = try database.prepare("INSERT INTO items (title, due, added) VALUES (?, ?, ?)")
            try insert.run(.text(title), SQLiteValue(due.number), SQLiteValue(Self.now))
            let number = try database.integer("SELECT last_insert_rowid()") ?? 0
            return AgendaItem(number: Int(number), title: title, due: due)
        }
    }

    /// Marks an item done. To do so twice, as by a button that was still shown, changes nothing.
    package func markDone(_ number: Int) throws(AgendaError) -> AgendaItem {
        try changing(number) { database throws(SQLiteError) in
            try database.prepare("UPDATE items SET done = ? WHERE number = ? AND done IS NULL")
                .run(SQLiteValue(Self.now), SQLiteValue(number))
        }
    }

    package func remove(_ number: Int) throws(AgendaError) -> AgendaItem {
        try changing(number) { database throws(SQLiteError) in
            try database.prepare("DELETE FROM items WHERE number = ?").run(SQLiteValue(number))
        }
    }

    /// Changes one item, and says what it was.
    private func changing(
        _ number: Int, _ change: (Database) throws(SQLiteError) -> Void
    ) throws(AgendaError) -> AgendaItem {
        let item = try changing { database throws(SQLiteError) -> AgendaItem? in
            let item = try Self.items(in: database, "WHERE number = ?", [SQLiteValue(number)]).first
            if item != nil { try change(database) }
            return item
        }
        guard let item else { throw .noSuchItem(number) }
        return item
    }

    private func changing<Value>(
        _ body: (Database) throws(SQLiteError) -> Value
    ) throws(AgendaError) -> Value {
        do throws(SQLiteError) {
            return try database.transaction { () throws(SQLiteError) in try body(database) }
        } catch {
            throw AgendaError(error, path: path)
        }
    }

    private static var now: Int { Timestamp.now.seconds }

    // MARK: Reading

    /// What is still to be done, in the order in which it is due; with `all`, also what is done.
    package func items(all: Bool = false) throws(AgendaError) -> [AgendaItem] {
        try read(all ? "ORDER BY due, number" : "WHERE done IS NULL ORDER BY due, number")
    }

    private func read(_ clause: String, _ values: [SQLiteValue] = []) throws(AgendaError) -> [AgendaItem] {
        do throws(SQLiteError) {
            return try Self.items(in: database, clause, values)
        } catch {
            throw AgendaError(error, path: path)
        }
    }

    private static func items(
        in database: Database, _ clause: String, _ values: [SQLiteValue]
    ) throws(SQLiteError) -> [AgendaItem] {
        let select = try database.prepare("SELECT number, title, due, done FROM items \(clause)")
        try select.bind(values)
        var items: [AgendaItem] = []
        while try select.step() {
            items.append(
                AgendaItem(
                    number: Int(select.int(0)), title: select.string(1), due: CivilDay(number: Int(select.int(2))),
                    isDone: !select.isNull(3)))
        }
        return items
    }
}
