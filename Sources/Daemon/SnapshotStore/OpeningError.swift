// SPDX-License-Identifier: MIT
import SQLite

/// Why a database cannot be used, sorted by what is to be done about it.
enum OpeningError: Error {
    /// Another process has it.
    case inUse
    /// A later program has written it.
    case newer(MigrationError)
    /// Its parts contradict each other, or its log is not as it was written; some of it can be read, perhaps.
    case damaged(String)
    /// It is no file, or the database of another program: nothing in it is ours.
    case foreign(String)
    /// The disk is full, the file cannot be written …
    case unusable(SQLiteError)

    init(_ error: SQLiteError) {
        if error.isBusy {
            self = .inUse
        } else if error.isCorrupt || error.isMistake || error.isConstraint {
            // A statement that does not fit the tables means that the tables are not what their version says.
            self = .damaged(error.message)
        } else {
            self = .unusable(error)
        }
    }

    init(_ error: MigrationError) {
        switch error {
        case .newer: self = .newer(error)
        case .failed(_, let error): self.init(error)
        }
    }
}

/// There is no store at all: another process has it, or there is no thread to be had.
package struct StoreUnavailable: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
