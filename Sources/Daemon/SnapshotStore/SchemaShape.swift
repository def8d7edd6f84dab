// SPDX-License-Identifier: MIT
import Glibc
import SQLite

/// The tables and columns of a database. Every migration changes some of them, so they show the version of the
/// database. The header has the version too, but one bit of it may be damaged.
struct SchemaShape: Equatable, Sendable {
    /// In the form `table.column`.
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

    /// The shapes of all versions, from version 1 on.
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

    /// The newest version whose tables and columns the database has; columns that another program has added do not
    /// matter. Nil: none.
    func version(of shapes: [SchemaShape]) -> Int? {
        shapes.lastIndex { $0.columns.isSubset(of: columns) }.map { $0 + 1 }
    }
}

/// The header that all databases of todayd share (sqlite.org/fileformat2.html, "The Database Header"). SQLite trusts
/// these bytes: with one wrong bit it rejects the file or splits its pages at wrong places.
enum DatabaseHeader {
    /// Gives a new database this header, independent of SQLite's compile-time defaults. No effect on a database with
    /// tables.
    static let pragmas = "PRAGMA page_size = 4096; PRAGMA auto_vacuum = NONE; PRAGMA encoding = 'UTF-8'"

    /// The bytes that are equal in all of them.
    private static let constants: [(offset: Int, bytes: [UInt8])] = [
        (0, Array("SQLite format 3\0".utf8)),
        // The size of a page: 4096.
        (16, [16, 0]),
        // The reserved bytes per page, and three payload fractions, which SQLite fixes.
        (20, [0, 64, 32, 32]),
        // The schema format.
        (44, [0, 0, 0, 4]),
        // Auto-vacuum is off.
        (52, [0, 0, 0, 0]),
        // Text is UTF-8.
        (56, [0, 0, 0, 1]),
        (64, [0, 0, 0, 0]),
    ]

    /// The write and read versions: 1 for a rollback journal, 2 for a write-ahead log.
    private static let modes = 18...19
    /// The number of pages; SQLite counts them if it is 0.
    private static let pageCount = 28..<32
    private static let size = 100

    /// Corrects the header of an image whose log has been merged into the file.
    static func mend(_ image: inout [UInt8]) {
        guard image.count >= size else { return }
        for (offset, bytes) in constants { image.replaceSubrange(offset..<offset + bytes.count, with: bytes) }
        for offset in modes { image[offset] = 1 }
        for offset in pageCount { image[offset] = 0 }
    }

    /// The damage in the file's header that SQLite does not report: with these bytes, SQLite reads the file but never
    /// writes it.
    static func damage(of path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: size)
        guard pread(file, &bytes, size, 0) == size, bytes[modes].contains(where: { !(1...2).contains($0) }) else {
            return nil
        }
        return "its header does not say how it is written and read"
    }
}
