// SPDX-License-Identifier: MIT
import Glibc
import TodayDatabase
import TodayKit

/// A person whom the widget can greet.
package struct Person: Hashable {
    /// The number in the person's URL, as in `greeting://person/1`.
    package let number: Int
    package let name: String
    package let note: String

    package var url: String { "greeting://person/\(number)" }

    /// The number of the person in a URL, or in a number that the user has typed.
    package static func number(in text: String) -> Int? {
        let start = "greeting://person/"
        return Int(text.hasPrefix(start) ? text.dropFirst(start.count) : text[...])
    }
}

/// The people whom the app and the widget know: a database in the directory of their group, and a picture of each beside it.
package struct PeopleStore {
    /// The group of the app and the widget.
    package static let group = "group.org.todayd.greeting"
    /// The key of the greeting in the group's defaults.
    package static let textKey = "customKey"
    /// The key of the number of the person whom the widget greets.
    package static let personKey = "person"
    /// The most bytes of one picture in content.
    package static let pictureLimit = 192 << 10

    private let database: GroupDatabase

    package init() throws {
        database = try GroupDatabase(
            "people.sqlite", suiteName: Self.group,
            versions: ["CREATE TABLE people (number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, note TEXT) STRICT"])
    }

    package func add(_ name: String, note: String) throws -> Person {
        let added = try database.rows(
            "INSERT INTO people (name, note) VALUES (?, ?) RETURNING number", .string(name), .string(note))
        return Person(number: added[0][0].int, name: name, note: note)
    }

    package func person(_ number: Int) throws -> Person? {
        try database.rows("SELECT name, note FROM people WHERE number = ?", .int(number)).first
            .map { Person(number: number, name: $0[0].string, note: $0[1].string) }
    }

    /// The path of the picture of a person, a PNG file.
    package static func picture(of number: Int) throws -> String {
        "\(try GroupContainer(suiteName: group).path)/person-\(number).png"
    }

    /// The bytes of a picture; nil for a file that cannot be read, or is too large for content.
    package static func bytes(ofPicture path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: pictureLimit + 1)
        let count = fread(&bytes, 1, pictureLimit + 1, file)
        return (1...pictureLimit).contains(count) ? Array(bytes.prefix(count)) : nil
    }
}
