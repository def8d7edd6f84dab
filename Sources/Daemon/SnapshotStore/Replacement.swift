// SPDX-License-Identifier: MIT
import Glibc
import Platform
import Reactor
import SQLite
import Spelling

/// Writes a new database beside a damaged one, which it replaces when it is complete. Until then the damaged one stays
/// in its place. After that, a starting daemon finds the complete one, even if the exchange was interrupted.
enum Replacement {
    private static func draft(_ path: String) -> String { path + ".new" }
    static func complete(_ path: String) -> String { path + ".next" }

    /// Whether a complete database waits to replace the old one, because the daemon ended before the exchange.
    static func isReady(for path: String) -> Bool {
        StoreFile.size(of: complete(path)) > 0
            && (try? Database(path: complete(path), mode: .readOnly).applicationID) == Schema.applicationID
    }

    static func write(_ rows: [Row], for path: String, _ options: StoreOptions) throws(OpeningError) {
        let draft = draft(path)
        // Of an interrupted attempt.
        removeDraft(of: path)
        do throws(OpeningError) {
            try fill(draft, rows, options)
        } catch {
            removeDraft(of: path)
            throw error
        }
        guard access(draft + "-wal", F_OK) != 0, rename(draft, complete(path)) == 0 else {
            throw .unusable(SQLiteError(extendedCode: 10, message: "\(draft) cannot be completed", systemError: errno))
        }
        syncDirectory(of: path)
    }

    private static func removeDraft(of path: String) {
        for suffix in SettingAside.suffixes { unlink(draft(path) + suffix) }
    }

    /// Writes the rows and closes the database, so that it has no log.
    private static func fill(_ draft: String, _ rows: [Row], _ options: StoreOptions) throws(OpeningError) {
        let file = try StoreFile(path: draft, options: options)
        do throws(SQLiteError) { try file.commit(rows) } catch { throw OpeningError(error) }
        if let reason = file.checkpoint() { throw .damaged(reason) }
    }

    /// Renames the complete database to the path of the old one, which the caller has moved.
    static func putInPlace(_ path: String, _ options: StoreOptions) throws(OpeningError) {
        guard rename(complete(path), path) == 0 else {
            throw .unusable(
                SQLiteError(extendedCode: 10, message: "\(complete(path)) cannot be renamed", systemError: errno))
        }
        syncDirectory(of: path)
        options.afterExchange?()
    }

    /// Syncs the directory, which makes a rename durable: fsync(2).
    private static func syncDirectory(of path: String) {
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

/// Renames an unusable database, so that an administrator can examine it.
enum SettingAside {
    /// The files of one database: the log and its index belong to it (sqlite.org/tempfiles.html).
    static let suffixes = ["-wal", "-shm", "-journal", ""]

    /// Renames the database at `path` and returns its new path; the path of its log if only that exists, nil if nothing
    /// does.
    static func move(_ path: String, now: Int64) throws(OpeningError) -> String? {
        let target = unused("\(path).damaged-\(timestamp(now))")
        var moved: String?
        // The log is moved first, because a new database would take the old log for its own.
        for suffix in suffixes {
            if rename(path + suffix, target + suffix) == 0 {
                if suffix == "" || suffix == "-wal" { moved = target + suffix }
            } else if errno != ENOENT {
                let message = "\(path)\(suffix) is damaged and cannot be set aside as \(target)\(suffix)"
                throw .unusable(SQLiteError(extendedCode: 10, message: message, systemError: errno))
            }
        }
        return moved
    }

    private static func unused(_ path: String) -> String {
        func isTaken(_ path: String) -> Bool { suffixes.contains { access(path + $0, F_OK) == 0 } }
        guard isTaken(path) else { return path }
        var number = 2
        while isTaken("\(path)-\(number)") { number += 1 }
        return "\(path)-\(number)"
    }

    /// `now` (microseconds since 1970) as YYYYMMDD-HHMMSS in local time, which an administrator recognises.
    private static func timestamp(_ now: Int64) -> String {
        let time = tm(local: Int(now / 1_000_000)) ?? tm()
        let date = (time.tm_year + 1900).digits(4) + (time.tm_mon + 1).digits(2) + time.tm_mday.digits(2)
        return date + "-" + [time.tm_hour, time.tm_min, time.tm_sec].map { $0.digits(2) }.joined()
    }
}
