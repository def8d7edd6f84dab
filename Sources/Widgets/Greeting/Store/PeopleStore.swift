// SPDX-License-Identifier: MIT
import Files
import SQLite
import TodayKit

/// The people whom the app and the widget know: one SQLite database in the directory of their group. Both programs open it
/// at the same time.
package final class PeopleStore {
    /// The group of the app and the widget.
    package static let group = "group.org.todayd.greeting"
    /// The key of the greeting in the group's defaults.
    package static let textKey = "customKey"
    /// The key of the number of the person whom the widget greets.
    package static let personKey = "person"

    private let database: Database

    /// Opens the database of the group, or makes a new one.
    package static func shared() throws -> PeopleStore {
        try PeopleStore(path: "\(try GroupContainer(suiteName: group).path)/people.sqlite")
    }

    package init(path: String) throws(SQLiteError) {
        database = try Database(path: path, mode: .readWriteCreate)
        // The other program may be writing: wait for it, at most five seconds.
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

/// The pictures of people: PNG files beside the database, which the app writes and the widget reads.
package enum PeoplePictures {
    /// The most bytes that content may have in one picture.
    package static let mostBytes = 192 << 10

    private static func path(of number: Int) throws -> String {
        "\(try GroupContainer(suiteName: PeopleStore.group).path)/person-\(number).png"
    }

    package static func write(_ bytes: [UInt8], of number: Int) throws {
        try NewFile.write(bytes, at: try path(of: number), mode: 0o600)
    }

    /// Nil for a person without a picture.
    package static func read(of number: Int) -> [UInt8]? {
        guard let path = try? path(of: number), case .bytes(let bytes) = FileContents(at: path, limit: mostBytes) else {
            return nil
        }
        return bytes
    }
}

/// A person whom the widget can greet.
package struct Person: Hashable, Sendable {
    /// The number in the person's URL, as in `greeting://person/1`.
    package let number: Int
    package let name: String
    package let note: String
}

/// The URLs that open the app, one for each person.
package enum GreetingURL {
    private static let start = "greeting://person/"

    package static func person(_ number: Int) -> String { "\(start)\(number)" }

    /// The number of the person in a URL, or in a number that the user has typed.
    package static func number(in text: String) -> Int? {
        let digits = text.utf8.starts(with: start.utf8) ? text.dropFirst(start.count) : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(digits)
    }
}
