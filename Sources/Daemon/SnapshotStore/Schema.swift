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

    static let migrations = Migrations([
        .init(
            version: 1, name: "choices, defaults, snapshots, runs",
            sql: """
                PRAGMA application_id = \(applicationID);

                -- What the user or the containing app has decided. NULL: never decided.
                CREATE TABLE choices (
                  widget TEXT NOT NULL PRIMARY KEY,
                  enabled INTEGER,
                  has_content INTEGER NOT NULL,
                  mode TEXT,
                  lock_screen INTEGER NOT NULL,
                  rank INTEGER
                ) STRICT, WITHOUT ROWID;

                -- The defaults of app groups. value: JSON.
                CREATE TABLE defaults (
                  app_group TEXT NOT NULL,
                  key TEXT NOT NULL,
                  value TEXT NOT NULL,
                  PRIMARY KEY (app_group, key)
                ) STRICT, WITHOUT ROWID;

                -- The last good content. Times: microseconds since 1970. content: JSON, last because it is large.
                CREATE TABLE snapshots (
                  widget TEXT NOT NULL PRIMARY KEY,
                  taken INTEGER NOT NULL,
                  confirmed INTEGER NOT NULL,
                  expires INTEGER,
                  content TEXT NOT NULL
                ) STRICT;

                -- The update log. number counts up per widget; duration: microseconds.
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
                  PRIMARY KEY (widget, number)
                ) STRICT, WITHOUT ROWID
                """),
        .init(
            version: 2, name: "layers, revisions, memories",
            sql: """
                -- Content from outside, above what the widget says itself. pushed_by: the client in words.
                CREATE TABLE pushed (
                  widget TEXT NOT NULL PRIMARY KEY,
                  taken INTEGER NOT NULL,
                  expires INTEGER,
                  pushed_by TEXT,
                  content TEXT NOT NULL
                ) STRICT;

                -- Until now both were one slot, and a time to live was the sign of pushed content.
                INSERT INTO pushed (widget, taken, expires, content)
                SELECT widget, taken, expires, content FROM snapshots WHERE expires IS NOT NULL;
                DELETE FROM snapshots WHERE expires IS NOT NULL;
                ALTER TABLE snapshots DROP COLUMN expires;

                -- How often the defaults of a group were changed.
                CREATE TABLE revisions (
                  app_group TEXT NOT NULL PRIMARY KEY,
                  revision INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;

                -- largest_mode: the largest display mode, as the widget has said. seen: what its last successful update
                -- was made from (JSON). next_ask: when that update wants the next one (the largest number: never).
                -- not_before: until when a failed update wants none.
                CREATE TABLE memories (
                  widget TEXT NOT NULL PRIMARY KEY,
                  largest_mode TEXT,
                  seen TEXT,
                  not_before INTEGER,
                  next_ask INTEGER
                ) STRICT, WITHOUT ROWID
                """),
        .init(
            version: 3, name: "what was tried",
            sql: """
                -- What the failed update was made from that set not_before (JSON).
                ALTER TABLE memories ADD COLUMN tried TEXT
                """),
        .init(
            version: 4, name: "settings",
            sql: """
                -- What the user has set of widgets' settings. value: as the program gets it. is_secret: whether it was set as
                -- a secret; it stays one when the manifest changes.
                CREATE TABLE settings (
                  widget TEXT NOT NULL,
                  name TEXT NOT NULL,
                  is_secret INTEGER NOT NULL,
                  value TEXT NOT NULL,
                  PRIMARY KEY (widget, name)
                ) STRICT, WITHOUT ROWID
                """),
        .init(
            version: 5, name: "history",
            sql: """
                -- The last values of widgets' numbers. A part has the samples whose numbers divided by 32 are `part`; first is
                -- the number of its first one. samples: for each the microseconds since 1970 and the value, as 64 bits of a
                -- whole number and of a double, the lowest byte first.
                CREATE TABLE history (
                  widget TEXT NOT NULL,
                  name TEXT NOT NULL,
                  part INTEGER NOT NULL,
                  first INTEGER NOT NULL,
                  samples BLOB NOT NULL,
                  PRIMARY KEY (widget, name, part)
                ) STRICT, WITHOUT ROWID
                """),
        .init(
            version: 6, name: "a row for each sample",
            sql: """
                -- The last values of widgets' numbers. number: counts up in each series; taken: microseconds since 1970.
                CREATE TABLE samples (
                  widget TEXT NOT NULL,
                  name TEXT NOT NULL,
                  number INTEGER NOT NULL,
                  taken INTEGER NOT NULL,
                  value REAL NOT NULL,
                  PRIMARY KEY (widget, name, number)
                ) STRICT, WITHOUT ROWID
                """, convert: unpackHistory),
        .init(
            version: 7, name: "places",
            sql: """
                -- Whether the user shows the widget there; NULL: as its manifest says.
                ALTER TABLE choices ADD COLUMN today INTEGER;
                ALTER TABLE choices ADD COLUMN status_bar INTEGER
                """),
        .init(
            version: 8, name: "what runs took",
            sql: """
                -- processor: microseconds, memory: the most bytes at one time; NULL where the kernel does not count them.
                ALTER TABLE runs ADD COLUMN processor INTEGER;
                ALTER TABLE runs ADD COLUMN memory INTEGER
                """),
        .init(
            version: 9, name: "added widgets",
            sql: """
                -- Whether the user has added the widget, of a template or of what is off until then.
                ALTER TABLE choices ADD COLUMN added INTEGER NOT NULL DEFAULT 0
                """),
    ])

    /// Makes a row of each sample of version 5, which had up to 32 in one.
    @Sendable private static func unpackHistory(_ database: Database) throws(SQLiteError) {
        let parts = try database.prepare("SELECT widget, name, first, samples FROM history")
        let insert = try database.prepare("INSERT OR REPLACE INTO samples VALUES (?, ?, ?, ?, ?)")
        while try parts.step() {
            let words = parts.words(3) ?? []
            for place in 0..<words.count / 2 {
                try insert.run(
                    .text(parts.string(0)), .text(parts.string(1)), .integer(parts.int(2) &+ Int64(place)),
                    .integer(Int64(bitPattern: words[2 * place])), .real(Double(bitPattern: words[2 * place + 1])))
            }
        }
        try database.execute("DROP TABLE history")
    }
}
