// SPDX-License-Identifier: MIT
import Glibc
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

/// The header that all databases of todayd have (sqlite.org/fileformat2.html, "The Database Header"). SQLite believes what
/// stands there: where one bit of it is another, it takes the file for none of its own, or cuts its pages elsewhere.
enum DatabaseHeader {
    /// Makes a new database such a one, whatever SQLite was compiled with. Of no effect on one that has tables.
    static let pragmas = "PRAGMA page_size = 4096; PRAGMA auto_vacuum = NONE; PRAGMA encoding = 'UTF-8'"

    /// What is the same in all of them.
    private static let constants: [(offset: Int, bytes: [UInt8])] = [
        (0, Array("SQLite format 3\0".utf8)),
        // The size of a page: 4096.
        (16, [16, 0]),
        // Bytes of a page that are left free, and three numbers that may not be others.
        (20, [0, 64, 32, 32]),
        // The format of the schema.
        (44, [0, 0, 0, 4]),
        // No pages are moved when others become free.
        (52, [0, 0, 0, 0]),
        // Text is UTF-8.
        (56, [0, 0, 0, 1]),
        (64, [0, 0, 0, 0]),
    ]

    /// How the file is written and read: 1 is with a journal, 2 with a log.
    private static let modes = 18...19
    /// The number of pages; with 0 there, SQLite counts them.
    private static let pageCount = 28..<32
    private static let size = 100

    /// Sets an image right that has one of these headers, and in which the log is part of the file.
    static func mend(_ image: inout [UInt8]) {
        guard image.count >= size else { return }
        for (offset, bytes) in constants { image.replaceSubrange(offset..<offset + bytes.count, with: bytes) }
        for offset in modes { image[offset] = 1 }
        for offset in pageCount { image[offset] = 0 }
    }

    /// What of the header of the file is wrong without SQLite calling it damaged: with these bytes it would read the file
    /// and never write to it.
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
