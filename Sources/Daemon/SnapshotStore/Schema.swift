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

    /// Versions before 9 were of builds before the first release.
    static let migrations = Migrations([
        .init(
            version: 9, name: "the tables",
            sql: """
                PRAGMA application_id = \(applicationID);
                -- What the user or the containing app has decided. NULL: never decided. today, lock_screen, status_bar: whether
                -- the user shows the widget there. added: of a template, or of what is off until then.
                CREATE TABLE choices (
                  widget TEXT NOT NULL PRIMARY KEY,
                  enabled INTEGER,
                  has_content INTEGER NOT NULL,
                  mode TEXT,
                  lock_screen INTEGER NOT NULL,
                  rank INTEGER,
                  today INTEGER,
                  status_bar INTEGER,
                  added INTEGER NOT NULL DEFAULT 0
                ) STRICT, WITHOUT ROWID;
                -- What the user has set of widgets' settings. value: as the program gets it. is_secret: whether it was set as
                -- a secret; it stays one when the manifest changes.
                CREATE TABLE settings (
                  widget TEXT NOT NULL,
                  name TEXT NOT NULL,
                  is_secret INTEGER NOT NULL,
                  value TEXT NOT NULL,
                  PRIMARY KEY (widget, name)
                ) STRICT, WITHOUT ROWID;
                -- The defaults of app groups. value: JSON.
                CREATE TABLE defaults (
                  app_group TEXT NOT NULL,
                  key TEXT NOT NULL,
                  value TEXT NOT NULL,
                  PRIMARY KEY (app_group, key)
                ) STRICT, WITHOUT ROWID;
                -- How often the defaults of a group were changed.
                CREATE TABLE revisions (
                  app_group TEXT NOT NULL PRIMARY KEY,
                  revision INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                -- The last good content. Times: microseconds since 1970. content: JSON, last because it is large.
                CREATE TABLE snapshots (
                  widget TEXT NOT NULL PRIMARY KEY,
                  taken INTEGER NOT NULL,
                  confirmed INTEGER NOT NULL,
                  content TEXT NOT NULL
                ) STRICT;
                -- Content from outside, above what the widget says itself. pushed_by: the client in words.
                CREATE TABLE pushed (
                  widget TEXT NOT NULL PRIMARY KEY,
                  taken INTEGER NOT NULL,
                  expires INTEGER,
                  pushed_by TEXT,
                  content TEXT NOT NULL
                ) STRICT;
                -- largest_mode: the largest display mode, as the widget has said. seen: what its last successful update
                -- was made from (JSON). next_ask: when that update wants the next one (the largest number: never).
                -- not_before: until when a failed update wants none. tried: what that one was made from (JSON).
                CREATE TABLE memories (
                  widget TEXT NOT NULL PRIMARY KEY,
                  largest_mode TEXT,
                  seen TEXT,
                  not_before INTEGER,
                  next_ask INTEGER,
                  tried TEXT
                ) STRICT, WITHOUT ROWID;
                -- The update log. number counts up per widget; duration, processor: microseconds; memory: the most bytes at
                -- one time. NULL where the kernel does not count them.
                CREATE TABLE runs (
                  widget TEXT NOT NULL,
                  number INTEGER NOT NULL,
                  started INTEGER NOT NULL,
                  duration INTEGER NOT NULL,
                  reason TEXT NOT NULL,
                  result TEXT NOT NULL,
                  failure TEXT,
                  exit TEXT,
                  error_output TEXT NOT NULL,
                  processor INTEGER,
                  memory INTEGER,
                  PRIMARY KEY (widget, number)
                ) STRICT, WITHOUT ROWID;
                -- The last values of widgets' numbers. number: counts up in each series; taken: microseconds since 1970.
                CREATE TABLE samples (
                  widget TEXT NOT NULL,
                  name TEXT NOT NULL,
                  number INTEGER NOT NULL,
                  taken INTEGER NOT NULL,
                  value REAL NOT NULL,
                  PRIMARY KEY (widget, name, number)
                ) STRICT, WITHOUT ROWID
                """)
    ])
}
