// SPDX-License-Identifier: MIT
import SQLite
import TodayModel

/// How durable changes are at the moment, for `todayctl status` and the journal.
package enum StoreCondition: Hashable, Sendable {
    case ok
    /// A damaged database was moved to `path`, and the store uses a new one. Nil when the old file no longer existed.
    case setAside(path: String?, reason: String)
    /// The store cannot write. It serves what it has read, refuses changes, and keeps snapshots in memory only.
    case readOnly(String)
    /// The disk is full: changes fail, and snapshots wait for room.
    case full(String)
    /// The last commit failed for another reason. The store still tries the next one.
    case failing(String)

    /// A sentence for people; `ok` when all is well. It is made printable, because SQLite quotes bytes of a damaged
    /// file and the sentence goes to status, the journal and clients.
    package var sentence: String { PlainText.line(words) }

    private var words: String {
        switch self {
        case .ok: "ok"
        case .setAside(let path?, let reason):
            """
            the database was damaged (\(reason)); it was set aside as \(path), and what todayd knew or could read of it \
            is in a new one
            """
        case .setAside(nil, let reason): "a new database was begun: \(reason)"
        case .readOnly(let reason), .full(let reason), .failing(let reason): reason
        }
    }

    /// Whether acknowledged changes are on disk.
    package var isDurable: Bool {
        switch self {
        case .ok, .setAside: true
        case .readOnly, .full, .failing: false
        }
    }

    /// The condition after an error with the database at `path`.
    init(_ error: SQLiteError, at path: String) {
        if error.isFull {
            self = .full("there is no room for \(path) (\(error)); changes are refused until there is")
        } else if error.isReadOnly {
            self = .readOnly("\(path) cannot be written (\(error)); changes are refused, snapshots are not kept")
        } else {
            self = .failing("\(path) cannot be written: \(error)")
        }
    }
}

/// Why a database cannot be used; one case for each remedy.
enum OpeningError: Error {
    /// Another process uses it.
    case inUse
    /// A newer version of the program has written it.
    case newer(MigrationError)
    /// Its parts contradict each other, its log was altered, or another program has written it. Some of it may be
    /// readable.
    case damaged(String)
    /// The disk is full, or the file cannot be written.
    case unusable(SQLiteError)

    init(_ error: SQLiteError) {
        if error.isBusy {
            self = .inUse
        } else if error.isCorrupt || error.isMistake || error.isConstraint {
            // A statement that does not fit the tables means that the tables differ from their version.
            self = .damaged(error.message)
        } else {
            self = .unusable(error)
        }
    }

    init(_ error: MigrationError) {
        switch error {
        case .newer: self = .newer(error)
        case .older: self = .damaged("\(error)")
        case .failed(_, let error): self.init(error)
        }
    }
}

/// The store cannot be opened: another process uses it, or the writer thread cannot be started.
package struct StoreUnavailable: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
