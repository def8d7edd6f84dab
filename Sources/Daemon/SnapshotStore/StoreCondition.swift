// SPDX-License-Identifier: MIT
import SQLite
import TodayModel

/// How durable things are at the moment, for `todayctl status` and the journal.
package enum StoreCondition: Hashable, Sendable {
    case ok
    /// A damaged database was moved to `path`; since then a fresh one is used. Nil when there was no file any more.
    case setAside(path: String?, reason: String)
    /// Nothing can be changed; what was there is served, snapshots live in memory only.
    case readOnly(String)
    /// There is no room on the disk: changes fail, snapshots wait for room.
    case full(String)
    /// The last commit failed for another reason; the next one is tried all the same.
    case failing(String)

    /// A sentence for people; `ok` when all is well. SQLite quotes what it has found in a damaged file, and that is any
    /// bytes: the same words are for status, for the journal and for clients whose change is refused.
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

    /// Whether what is acknowledged from now on is on disk.
    package var isDurable: Bool {
        switch self {
        case .ok, .setAside: true
        case .readOnly, .full, .failing: false
        }
    }

    /// What an error means for the database at `path`.
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
