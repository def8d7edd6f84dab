// SPDX-License-Identifier: MIT
import SQLite

/// Why the agenda cannot be read or changed, with what to do about it.
package enum AgendaError: Error, Hashable, CustomStringConvertible {
    /// The file is no database, or its pages contradict each other. It is left as it is.
    case damaged(path: String, reason: String)
    /// Some other program's database.
    case foreign(path: String)
    /// From a later version of this program.
    case newer(path: String, reason: String)
    /// Another process has kept it locked all the time.
    case busy(path: String)
    /// It cannot be written: a full disk, permissions.
    case notWritable(path: String, reason: String)
    /// There is no place for it.
    case noContainer(String)
    case noSuchItem(Int)
    case badTitle(String)
    case failed(path: String, reason: String)

    package var description: String {
        switch self {
        case .damaged(let path, let reason):
            """
            the agenda \(path) is damaged (\(reason)). Nothing was changed. To save what can be read: \
            sqlite3 \(path) .recover; to begin anew, move it away
            """
        case .foreign(let path):
            "\(path) is the database of another program. Nothing was changed; move it away to begin an agenda there"
        case .newer(let path, let reason):
            "the agenda \(path) was written by a newer version: \(reason). Nothing was changed; update this program"
        case .busy(let path):
            "the agenda \(path) has been in use by another program all the time; try again when that has ended"
        case .notWritable(let path, let reason):
            "the agenda \(path) cannot be written: \(reason). Make room, or see who may write there"
        case .noContainer(let reason): "there is no place for the agenda: \(reason)"
        case .noSuchItem(let number): "there is no item \(number); 'agenda list --all' shows the numbers"
        case .badTitle(let reason): "this title cannot be used: \(reason)"
        case .failed(let path, let reason): "the agenda \(path) cannot be used: \(reason)"
        }
    }

    init(_ error: SQLiteError, path: String) {
        if error.isCorrupt {
            self = .damaged(path: path, reason: error.message)
        } else if error.isBusy {
            self = .busy(path: path)
        } else if error.isFull || error.isReadOnly {
            self = .notWritable(path: path, reason: error.message)
        } else {
            self = .failed(path: path, reason: "\(error)")
        }
    }
}
