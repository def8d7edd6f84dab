// SPDX-License-Identifier: MIT
import SQLite

/// Which tables and columns a database has. Each migration changes some, so they say of which version it is; the number in
/// its header says so as well, and one of its bits may be flipped.
struct SchemaShape: Equatable, Sendable {
    /// As `table.column`.
    private let columns: Set<String>

    init(of database: Database) throws(SQLiteError) {
        let rows = try database.prepare(
            """
            SELECT t.name || '.' || c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
            WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite~_%' ESCAPE '~'
            """)
        var columns: Set<String> = []
        while try rows.step() { columns.insert(rows.string(0)) }
        self.columns = columns
    }

    /// That of every version, from the first on.
    static func ofVersions() throws -> [SchemaShape] { if let made { made } else { try make() } }

    private static let made = try? make()

    private static func make() throws -> [SchemaShape] {
        let database = try Database(path: ":memory:", mode: .memory)
        return try (1...Schema.migrations.version).map { version in
            try Schema.migrations.apply(to: database, upTo: version)
            return try SchemaShape(of: database)
        }
    }

    func has(_ column: String) -> Bool { columns.contains(column) }

    /// Of which of the versions a database is that has all this; what another program has added does not matter. Nil: of none.
    func version(of shapes: [SchemaShape]) -> Int? {
        shapes.lastIndex { $0.columns.isSubset(of: columns) }.map { $0 + 1 }
    }
}
