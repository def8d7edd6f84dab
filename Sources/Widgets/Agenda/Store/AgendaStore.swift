// SPDX-License-Identifier: MIT
import Platform
import SQLite
import TodayKit

/// The agenda: one SQLite database, which the app and the widget open at the same time.
///
/// Each program opens it for each use and closes it again, so that a user can move the file away at any time.
package final class AgendaStore {
    /// The group whose directory has the database.
    package static let group = "group.org.todayd.agenda"
    package static let fileName = "agenda.sqlite"

    package let path: String
    private let database: Database

    /// The agenda that the app and the widget share.
    package static func shared() throws(AgendaError) -> AgendaStore {
        let directory: String
        do throws(TodayError) {
            directory = try GroupContainer(suiteName: group).path
        } catch {
            throw .noContainer("\(error)")
        }
        return try AgendaStore(directory: directory)
    }

    /// Opens the agenda in a directory, or makes a new one there.
    ///
    /// - Parameter lockTimeout: how long to wait in all for another process's lock, in milliseconds.
    package init(directory: String, lockTimeout: Int = 5_000) throws(AgendaError) {
        path = "\(directory)/\(Self.fileName)"
        database = try AgendaDatabase(path: path, lockTimeout: lockTimeout).open()
    }

    // MARK: Changing

    package func add(_ text: String, due: CivilDay) throws(AgendaError) -> AgendaItem {
        let title = try AgendaTitle.checked(text)
        return try transaction { database throws(SQLiteError) in
            let insert = try database.prepare("INSERT INTO items (title, due, added) VALUES (?, ?, ?)")
            try insert.run(.text(title), SQLiteValue(due.number), SQLiteValue(Self.now))
            let number = try database.integer("SELECT last_insert_rowid()") ?? 0
            return AgendaItem(number: Int(number), title: title, due: due)
        }
    }

    /// Marks an item done. A second call changes nothing: a host may still show the button of an item that is done.
    ///
    /// - Returns: the item as it was before.
    package func markDone(_ number: Int) throws(AgendaError) -> AgendaItem {
        try change(number) { database throws(SQLiteError) in
            try database.prepare("UPDATE items SET done = ? WHERE number = ? AND done IS NULL")
                .run(SQLiteValue(Self.now), SQLiteValue(number))
        }
    }

    /// - Returns: the item that was removed.
    package func remove(_ number: Int) throws(AgendaError) -> AgendaItem {
        try change(number) { database throws(SQLiteError) in
            try database.prepare("DELETE FROM items WHERE number = ?").run(SQLiteValue(number))
        }
    }

    /// Changes one item, and returns it as it was before.
    private func change(
        _ number: Int, _ body: (Database) throws(SQLiteError) -> Void
    ) throws(AgendaError) -> AgendaItem {
        let item = try transaction { database throws(SQLiteError) -> AgendaItem? in
            let item = try Self.items(in: database, "WHERE number = ?", [SQLiteValue(number)]).first
            if item != nil { try body(database) }
            return item
        }
        guard let item else { throw .noSuchItem(number) }
        return item
    }

    private func transaction<Value>(
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

    /// The items that are still to be done, in the order of their days; with `all`, also those that are done.
    package func items(all: Bool = false) throws(AgendaError) -> [AgendaItem] {
        do throws(SQLiteError) {
            let order = "ORDER BY due, number"
            return try Self.items(in: database, all ? order : "WHERE done IS NULL \(order)")
        } catch {
            throw AgendaError(error, path: path)
        }
    }

    private static func items(
        in database: Database, _ clause: String, _ values: [SQLiteValue] = []
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

/// Why the agenda cannot be read or changed, and what the user can do about it.
package enum AgendaError: Error, Hashable, CustomStringConvertible {
    /// The file is not a database, or its pages contradict each other. AgendaStore does not change it.
    case damaged(path: String, reason: String)
    /// The database belongs to another program.
    case foreign(path: String)
    /// A later version of this program has written the database.
    case newer(path: String, reason: String)
    /// Another process kept the database locked until the timeout.
    case busy(path: String)
    /// The disk is full, or the user may not write there.
    case notWritable(path: String, reason: String)
    /// The group has no directory.
    case noContainer(String)
    case noSuchItem(Int)
    case badTitle(String)
    case failed(path: String, reason: String)

    package var description: String {
        switch self {
        case .damaged(let path, let reason):
            """
            the agenda \(path) is damaged (\(reason)). Nothing was changed. To save what can be read: \
            sqlite3 \(path) .recover; to begin anew, move it away
            """
        case .foreign(let path):
            "\(path) is the database of another program. Nothing was changed; move it away to begin an agenda there"
        case .newer(let path, let reason):
            "the agenda \(path) was written by a newer version: \(reason). Nothing was changed; update this program"
        case .busy(let path):
            "the agenda \(path) has been in use by another program all the time; try again when that has ended"
        case .notWritable(let path, let reason):
            "the agenda \(path) cannot be written: \(reason). Make room, or see who may write there"
        case .noContainer(let reason): "there is no place for the agenda: \(reason)"
        case .noSuchItem(let number): "there is no item \(number); 'agenda list --all' shows the numbers"
        case .badTitle(let reason): "this title cannot be used: \(reason)"
        case .failed(let path, let reason): "the agenda \(path) cannot be used: \(reason)"
        }
    }

    init(_ error: SQLiteError, path: String) {
        if error.isCorrupt {
            self = .damaged(path: path, reason: error.message)
        } else if error.isBusy {
            self = .busy(path: path)
        } else if error.isFull || error.isReadOnly {
            self = .notWritable(path: path, reason: error.message)
        } else {
            self = .failed(path: path, reason: "\(error)")
        }
    }
}
