// SPDX-License-Identifier: MIT
import SQLite

/// The tables of todayd.sqlite. A released migration is never edited, because existing databases have already run it.
/// Tests/Fixtures/Databases has one database of every version.
enum Schema {
    /// "TDay". file(1) and the daemon recognise the database by it.
    static let applicationID: Int32 = 0x5444_6179

    /// Whether the database has the tables that all versions have, whatever its header says.
    static func hasTables(_ database: Database) throws(SQLiteError) -> Bool {
        let tables = "'choices', 'defaults', 'snapshots', 'runs'"
        return try database.integer("SELECT count(*) FROM sqlite_schema WHERE name IN (\(tables))") == 4
    }

    /// Versions before 9 belong to builds before the first release.
    static let migrations = Migrations([
        .init(version: 9, name: "the tables", sql: String(decoding: PackageResources.tables_sql, as: UTF8.self))
    ])
}
