// SPDX-License-Identifier: MIT
import Glibc
import SQLite

/// Moves a database that cannot be used out of the way, to be looked into later.
enum SettingAside {
    /// The files that are one database: the log and its index belong to it (sqlite.org/tempfiles.html).
    static let suffixes = ["-wal", "-shm", "-journal", ""]

    /// Renames the database at `path` and returns its new path; that of its log where there is no more, nil where there
    /// is nothing.
    static func move(_ path: String, now: Int64) throws(OpeningError) -> String? {
        let target = unused("\(path).damaged-\(timestamp(now))")
        var moved: String?
        // The log first: a new database that found the old one's log would take it for its own.
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

    /// Renames what has the name of the log or another file beside the database and is none: it has nothing to do with the
    /// database, but a pipe would be waited at for ever. Returns old and new names.
    static func moveOthersThanFiles(beside path: String, now: Int64) throws(OpeningError) -> [(String, String)] {
        var moved: [(String, String)] = []
        for suffix in suffixes where suffix != "" {
            var status = stat()
            guard lstat(path + suffix, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { continue }
            let target = unused("\(path)\(suffix).damaged-\(timestamp(now))")
            guard rename(path + suffix, target) == 0 else { throw obstacle(path + suffix) }
            moved.append((path + suffix, target))
        }
        return moved
    }

    /// Makes a name free. A directory that is not empty stays in the way: it is not todayd's.
    ///
    /// - Parameter keeping: a file stays: it is renamed over.
    static func clear(_ path: String, keeping: Bool = true) throws(OpeningError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        if status.st_mode & S_IFMT == S_IFREG, keeping { return }
        let isDirectory = status.st_mode & S_IFMT == S_IFDIR
        guard (isDirectory ? rmdir(path) : unlink(path)) == 0 else { throw obstacle(path) }
    }

    private static func obstacle(_ path: String) -> OpeningError {
        .unusable(SQLiteError(extendedCode: 10, message: "\(path) is in the way", systemError: errno))
    }

    private static func unused(_ path: String) -> String {
        func isTaken(_ path: String) -> Bool { suffixes.contains { access(path + $0, F_OK) == 0 } }
        guard isTaken(path) else { return path }
        var number = 2
        while isTaken("\(path)-\(number)") { number += 1 }
        return "\(path)-\(number)"
    }

    /// `now` (microseconds since 1970) as YYYYMMDD-HHMMSS in local time, as people remember the day.
    private static func timestamp(_ now: Int64) -> String {
        var seconds = time_t(now / 1_000_000)
        var time = tm()
        localtime_r(&seconds, &time)
        func padded(_ number: Int32, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        let date = padded(time.tm_year + 1900, 4) + padded(time.tm_mon + 1, 2) + padded(time.tm_mday, 2)
        return date + "-" + padded(time.tm_hour, 2) + padded(time.tm_min, 2) + padded(time.tm_sec, 2)
    }
}
