// SPDX-License-Identifier: MIT
import SQLite
import TodayModel

/// The table `choices`: how each decision is read and written. A new decision needs a field in `Choices`, a migration that adds
/// its column, and one line here.
enum ChoicesTable {
    struct Column: Sendable {
        let name: String
        /// Reads the column at the given index of a row.
        let read: @Sendable (Statement, Int32, inout Choices) -> Void
        let write: @Sendable (Choices) -> SQLiteValue
    }

    static let columns: [Column] = [
        Column(name: "enabled", read: { $2.enabled = $0.optionalBool($1) }, write: { SQLiteValue($0.enabled) }),
        Column(name: "has_content", read: { $2.hasContent = $0.bool($1) }, write: { SQLiteValue($0.hasContent) }),
        Column(name: "mode", read: { $2.mode = mode($0, $1) }, write: { SQLiteValue($0.mode?.rawValue) }),
        // The column is NOT NULL: 0 also stands for no decision, because it means the same.
        Column(
            name: "lock_screen", read: { if $0.bool($1) { $2.places[.lockScreen] = true } },
            write: { SQLiteValue($0.places[.lockScreen] ?? false) }),
        Column(
            name: "today", read: { $2.places[.today] = $0.optionalBool($1) },
            write: { SQLiteValue($0.places[.today]) }),
        Column(
            name: "status_bar", read: { $2.places[.statusBar] = $0.optionalBool($1) },
            write: { SQLiteValue($0.places[.statusBar]) }),
        Column(
            name: "rank", read: { $2.rank = $0.optionalInt($1).flatMap(Int.init(exactly:)) },
            write: { SQLiteValue($0.rank) }),
        Column(name: "added", read: { $2.isAdded = $0.bool($1) }, write: { SQLiteValue($0.isAdded) }),
    ]

    /// A display mode that this version does not know counts as no decision.
    private static func mode(_ row: Statement, _ place: Int32) -> DisplayMode? {
        row.optionalString(place).flatMap { $0.utf8.count <= 32 ? DisplayMode(rawValue: $0) : nil }
    }

    /// Calls `body` with each row and its widget's identifier as the row spells it.
    static func read(_ database: Database, _ body: (String, Choices) -> Void) throws(SQLiteError) {
        // The tables of a damaged database may be those of an earlier version.
        let named = try database.prepare("SELECT name FROM pragma_table_info('choices')")
        var present: Set<String> = []
        while try named.step() { present.insert(named.string(0)) }
        let columns = columns.filter { present.contains($0.name) }
        let names = ["widget"] + columns.map(\.name)
        let rows = try database.prepare("SELECT \(names.joined(separator: ", ")) FROM choices")
        while try rows.step() {
            var choices = Choices()
            for (place, column) in zip(Int32(1)..., columns) { column.read(rows, place, &choices) }
            body(rows.string(0), choices)
        }
    }

    static func insertion(into database: Database) throws(SQLiteError) -> Statement {
        let names = (["widget"] + columns.map(\.name)).joined(separator: ", ")
        let places = Array(repeating: "?", count: columns.count + 1).joined(separator: ", ")
        return try database.prepare("INSERT OR REPLACE INTO choices (\(names)) VALUES (\(places))")
    }

    static func values(_ choices: Choices, of id: WidgetID) -> [SQLiteValue] {
        [.text(id.text)] + columns.map { $0.write(choices) }
    }
}
