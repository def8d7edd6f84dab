// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import SQLite

/// A database that is written beside a damaged one and takes its place when it is complete. Until then the damaged one is
/// where it was; from then on a start finds the complete one, whatever has become of the other.
enum Replacement {
    private static func draft(_ path: String) -> String { path + ".new" }
    static func complete(_ path: String) -> String { path + ".next" }

    /// Whether one is complete and has not taken its place: todayd ended before that. What else may have that name is none.
    /// An error where it cannot be looked at: nothing may be written that it would throw away at a later start.
    static func isReady(for path: String) throws(OpeningError) -> Bool {
        let complete = complete(path)
        var status = stat()
        guard lstat(complete, &status) == 0 else {
            if [ENOENT, ENOTDIR, ENAMETOOLONG].contains(errno) { return false }
            throw .unusable(
                SQLiteError(extendedCode: 10, message: "\(complete) cannot be looked at", systemError: errno))
        }
        guard status.st_mode & S_IFMT == S_IFREG else { return false }
        do throws(SQLiteError) {
            let database = try Database(path: complete, mode: .readOnly)
            guard try database.applicationID == Schema.applicationID, try Schema.hasTables(database) else {
                return false
            }
            return try database.integrityCheck().isEmpty
        } catch {
            if error.isCorrupt || error.isMistake { return false }
            throw .unusable(
                SQLiteError(
                    extendedCode: error.extendedCode, message: "\(complete) cannot be read: \(error.message)",
                    systemError: error.systemError))
        }
    }

    static func write(_ rows: [Row], for path: String, _ options: StoreOptions) throws(OpeningError) {
        let draft = draft(path)
        // An earlier one that was not completed, or what stands in its place.
        try removeDraft(of: path)
        try SettingAside.clear(complete(path))
        do throws(OpeningError) {
            try fill(draft, rows, options)
        } catch {
            try removeDraft(of: path)
            throw error
        }
        guard access(draft + "-wal", F_OK) != 0, rename(draft, complete(path)) == 0 else {
            throw .unusable(SQLiteError(extendedCode: 10, message: "\(draft) cannot be completed", systemError: errno))
        }
        syncDirectory(of: path)
    }

    private static func removeDraft(of path: String) throws(OpeningError) {
        for suffix in SettingAside.suffixes { try SettingAside.clear(draft(path) + suffix, keeping: false) }
    }

    /// The database is closed, and without a log, when this returns.
    private static func fill(_ draft: String, _ rows: [Row], _ options: StoreOptions) throws(OpeningError) {
        let file = try StoreFile(path: draft, options: options)
        do throws(SQLiteError) { try file.commit(rows) } catch { throw OpeningError(error) }
        if let reason = file.checkpoint() { throw .damaged(reason) }
    }

    /// Sets the damaged database aside and puts the complete one in its place.
    ///
    /// - Parameter setAside: Where the damaged one is. What was moved before it counts: a new one that is damaged at once
    ///   holds nothing of its own.
    static func exchange(_ path: String, _ options: StoreOptions, _ setAside: inout String?) throws(OpeningError) {
        let moved = try SettingAside.move(path, now: EventLoop.now(.realtime))
        setAside = setAside ?? moved
        guard rename(complete(path), path) == 0 else {
            throw .unusable(
                SQLiteError(extendedCode: 10, message: "\(complete(path)) cannot be renamed", systemError: errno))
        }
        syncDirectory(of: path)
        options.afterExchange?()
    }

    /// A rename is on disk when its directory is: fsync(2).
    private static func syncDirectory(of path: String) {
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
