// SPDX-License-Identifier: MIT
import TodayDatabase
import TodayKit

/// Something to do by a certain day.
package struct AgendaItem: Hashable, Sendable {
    /// The number by which the user and the buttons refer to it. No other item ever gets the number, so an old button cannot
    /// act on a new one.
    package let number: Int
    package let title: String
    package let due: CivilDay
    package let isDone: Bool

    package init(number: Int, title: String, due: CivilDay, isDone: Bool = false) {
        (self.number, self.title, self.due, self.isDone) = (number, title, due, isDone)
    }

    /// Whether the widget shows the item: it is to be done today, or overdue.
    package func isDue(on today: CivilDay) -> Bool { !isDone && due <= today }

    package func isOverdue(on today: CivilDay) -> Bool { !isDone && due < today }

    /// When the item is due, in words.
    package func dueText(on today: CivilDay) -> String {
        if isDone { return "done" }
        switch today.distance(to: due) {
        case 0: return "today"
        case 1: return "tomorrow"
        case -1: return "since yesterday"
        case ..<0: return "since \(due.text)"
        default: return due.text
        }
    }
}

/// The agenda: one database, which the app and the widget open at the same time. Each program opens it for each use, so that
/// a user can move the file away at any time.
package struct AgendaStore {
    /// The group whose directory has the database.
    package static let group = "group.org.todayd.agenda"

    private let database: GroupDatabase

    package init() throws {
        database = try GroupDatabase(
            "agenda.sqlite", suiteName: Self.group,
            versions: [
                // Days since 1970. AUTOINCREMENT: a number is never used twice.
                """
                CREATE TABLE items (
                  number INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, due INTEGER NOT NULL,
                  done INTEGER NOT NULL DEFAULT FALSE
                ) STRICT
                """
            ])
    }

    /// Adds an item. Refuses a title that todayd would not show.
    package func add(_ title: String, due: CivilDay) throws -> AgendaItem {
        let reason = title.allSatisfy(\.isWhitespace) ? "is empty" : Text.complaint(aboutLine: title)
        if let reason { throw WidgetFailure("this title cannot be used: it \(reason)") }
        return try items(
            "INSERT INTO items (title, due) VALUES (?, ?) RETURNING *", .string(title), .int(due.number))[0]
    }

    /// Marks an item done. Marking it again changes nothing, because a host may still show the button of an item that is done.
    ///
    /// - Returns: nil if there is no such item.
    package func markDone(_ number: Int) throws -> AgendaItem? {
        try items("UPDATE items SET done = TRUE WHERE number = ? RETURNING *", .int(number)).first
    }

    /// - Returns: the item that was removed; nil if there is none.
    package func remove(_ number: Int) throws -> AgendaItem? {
        try items("DELETE FROM items WHERE number = ? RETURNING *", .int(number)).first
    }

    /// The items in the order of their days; with `all`, including those that are done.
    package func items(all: Bool = false) throws -> [AgendaItem] {
        try items("SELECT * FROM items \(all ? "" : "WHERE NOT done") ORDER BY due, number")
    }

    private func items(_ sql: String, _ values: DatabaseValue...) throws -> [AgendaItem] {
        try database.rows(sql, values).map { row in
            // Another program may have written any title.
            let title = Text.complaint(aboutLine: row[1].string) == nil ? row[1].string : "item \(row[0].int)"
            return AgendaItem(
                number: row[0].int, title: title, due: CivilDay(number: row[2].int), isDone: row[3].int != 0)
        }
    }
}
