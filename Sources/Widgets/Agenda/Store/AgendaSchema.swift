// SPDX-License-Identifier: MIT
import SQLite

/// The tables of agenda.sqlite. A step that has been released is never edited: databases out there have taken it.
enum AgendaSchema {
    /// "AGND", so that file(1) and this program can tell whose database it is.
    static let applicationID: Int32 = 0x4147_4e44

    static let migrations = Migrations([
        .init(
            version: 1, name: "items",
            sql: """
                PRAGMA application_id = \(applicationID);

                -- due: days since 1970; added, done: seconds since 1970. AUTOINCREMENT: a number is never used twice.
                CREATE TABLE items (
                  number INTEGER PRIMARY KEY AUTOINCREMENT,
                  title TEXT NOT NULL,
                  due INTEGER NOT NULL,
                  added INTEGER NOT NULL,
                  done INTEGER
                ) STRICT;

                CREATE INDEX items_open ON items (due, number) WHERE done IS NULL
                """)
    ])
}
