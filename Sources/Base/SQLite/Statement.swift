// SPDX-License-Identifier: MIT
import CSQLite

/// A compiled SQL statement, which can be run many times. It is finalised with the last reference.
package final class Statement {
    private let handle: OpaquePointer
    /// The connection must outlive its statements, because it has the text of their errors.
    private let database: Database

    init(_ sql: String, in database: Database) throws(SQLiteError) {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(database.handle, sql, -1, 0, &handle, nil)
        guard code == SQLITE_OK else { throw database.error(code, sql: sql) }
        guard let handle else {
            throw SQLiteError(extendedCode: SQLITE_MISUSE, message: "there is no statement in this text", sql: sql)
        }
        self.handle = handle
        self.database = database
    }

    deinit { sqlite3_finalize(handle) }

    package var sql: String { String(cString: sqlite3_sql(handle)) }

    /// Binds the first parameters, in order; the remaining ones keep their values.
    package func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
    }

    /// Binds one parameter; the first has the number 1.
    package func bind(_ value: SQLiteValue, at position: Int32) throws(SQLiteError) {
        let code =
            switch value {
            case .null: sqlite3_bind_null(handle, position)
            case .integer(let number): sqlite3_bind_int64(handle, position, number)
            case .real(let number): sqlite3_bind_double(handle, position, number)
            case .text(let text): bind(text: text, at: position)
            case .blob(let bytes): bind(blob: bytes, at: position)
            }
        guard code == SQLITE_OK else { throw database.error(code, sql: sql) }
    }

    // SQLITE_TRANSIENT: SQLite copies the bytes before it returns, so the pointers need not outlive the closures.

    private func bind(text: String, at position: Int32) -> Int32 {
        // An empty String may have no pointer, and SQLite takes a null pointer as NULL.
        guard !text.isEmpty else { return sqlite3_bind_text(handle, position, "", 0, csqlite_transient()) }
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                sqlite3_bind_text64(
                    handle, position, characters.baseAddress, UInt64(characters.count), csqlite_transient(),
                    UInt8(SQLITE_UTF8))
            }
        }
    }

    private func bind(blob: [UInt8], at position: Int32) -> Int32 {
        blob.withUnsafeBytes { bytes in
            bytes.isEmpty
                ? sqlite3_bind_zeroblob(handle, position, 0)
                : sqlite3_bind_blob64(handle, position, bytes.baseAddress, UInt64(bytes.count), csqlite_transient())
        }
    }

    /// Goes to the next row; false when there is none. After an error the statement is ready to be run again.
    package func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            let error = database.error(code, sql: sql)
            sqlite3_reset(handle)
            throw error
        }
    }

    /// Goes back to before the first row; bound values stay bound.
    package func reset() { sqlite3_reset(handle) }

    /// Runs the statement once with these values and makes it ready for the next time; rows are ignored.
    package func run(_ values: SQLiteValue...) throws(SQLiteError) { try run(values) }

    package func run(_ values: [SQLiteValue]) throws(SQLiteError) {
        reset()
        try bind(values)
        while try step() {}
        reset()
    }
}

// MARK: - Columns of the current row, the first is 0

extension Statement {
    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    package func int(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    package func bool(_ column: Int32) -> Bool { int(column) != 0 }

    package func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    /// Text as it was stored, including NULs. Invalid UTF-8 gets replacement characters.
    package func string(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(handle, column) else { return "" }
        // sqlite3_column_bytes counts the bytes of the text that the call before it has returned.
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The same text; if it equals the known one, that string itself, so that no new one is allocated.
    package func string(_ column: Int32, orSame known: String) -> String {
        guard let start = sqlite3_column_text(handle, column) else { return "" }
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
        return bytes.elementsEqual(known.utf8) ? known : String(decoding: bytes, as: UTF8.self)
    }

    package func blob(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, column) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    /// How many columns a row has.
    package var columns: Int32 { sqlite3_column_count(handle) }

    /// A column in the storage class that it has.
    package func value(_ column: Int32) -> SQLiteValue {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: .integer(int(column))
        case SQLITE_FLOAT: .real(double(column))
        case SQLITE_TEXT: .text(string(column))
        case SQLITE_BLOB: .blob(blob(column))
        default: .null
        }
    }

    package func optionalInt(_ column: Int32) -> Int64? { isNull(column) ? nil : int(column) }

    package func optionalBool(_ column: Int32) -> Bool? { isNull(column) ? nil : bool(column) }

    package func optionalString(_ column: Int32) -> String? { isNull(column) ? nil : string(column) }
}

/// One value to bind to a statement's parameter: the five storage classes of SQLite.
package enum SQLiteValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    package init(_ value: Int64?) { self = value.map(SQLiteValue.integer) ?? .null }
    package init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
    package init(_ value: String?) { self = value.map(SQLiteValue.text) ?? .null }
    /// SQLite has no truth values: 1 and 0, as its own `TRUE` and `FALSE`.
    package init(_ value: Bool?) { self = value.map { .integer($0 ? 1 : 0) } ?? .null }
}

extension SQLiteValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(stringLiteral value: String) { self = .text(value) }
}
