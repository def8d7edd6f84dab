// SPDX-License-Identifier: MIT
import SQLite
import TodayKit

/// A person who is greeted.
package struct Person: Hashable, Sendable {
    /// What the URL says that the widget opens: `greeting://person/1`.
    package let number: Int
    package let name: String
    package let note: String
}

/// The people whom app and widget know: one SQLite database in the directory of their group, which both open at once.
package final class PeopleStore {
    /// What the two share.
    package static let group = "group.org.todayd.greeting"
    /// Of the group's defaults: the greeting itself, and the number of the person who is greeted.
    package static let textKey = "customKey"
    package static let personKey = "person"

    private let database: Database

    /// The database of the group; made where there is none.
    package static func shared() throws -> PeopleStore {
        try PeopleStore(path: "\(try GroupContainer(suiteName: group).path)/people.sqlite")
    }

    package init(path: String) throws(SQLiteError) {
        database = try Database(path: path, mode: .readWriteCreate)
        database.setBusyTimeout(milliseconds: 5_000)
        try database.execute(
            "CREATE TABLE IF NOT EXISTS people (number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, note TEXT) STRICT")
    }

    package func add(_ name: String, note: String) throws(SQLiteError) -> Person {
        try database.transaction { () throws(SQLiteError) in
            try database.prepare("INSERT INTO people (name, note) VALUES (?, ?)").run(.text(name), .text(note))
            let number = try database.integer("SELECT last_insert_rowid()") ?? 0
            return Person(number: Int(number), name: name, note: note)
        }
    }

    package func person(_ number: Int) throws(SQLiteError) -> Person? {
        let select = try database.prepare("SELECT name, note FROM people WHERE number = ?")
        try select.bind([SQLiteValue(number)])
        return try select.step() ? Person(number: number, name: select.string(0), note: select.string(1)) : nil
    }
}

/// The URLs that open the app.
package enum GreetingURL {
    private static let start = "greeting://person/"

    package static func person(_ number: Int) -> String { "\(start)\(number)" }

    /// The number of the person; also of a number alone, as a user types it.
    package static func number(_ text: String) -> Int? {
        let digits = text.utf8.starts(with: start.utf8) ? text.dropFirst(start.count) : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(digits)
    }
}
