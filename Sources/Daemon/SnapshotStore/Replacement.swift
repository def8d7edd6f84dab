// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import SQLite

/// A database that is written beside a damaged one and takes its place when it is complete. Until then the damaged one is
/// where it was; from then on a start finds the complete one, whatever has become of the other.
enum Replacement {
    private static func draft(_ path: String) -> String { path + ".new" }
    private static func complete(_ path: String) -> String { path + ".next" }

    /// Whether one is complete and has not taken its place: todayd ended before that.
    static func isReady(for path: String) -> Bool { access(complete(path), F_OK) == 0 }

    static func write(_ rows: [Row], for path: String, _ options: StoreOptions) throws(OpeningError) {
        let draft = draft(path)
        // An earlier one that was not completed.
        for suffix in SettingAside.suffixes { unlink(draft + suffix) }
        try fill(draft, rows, options)
        guard access(draft + "-wal", F_OK) != 0, rename(draft, complete(path)) == 0 else {
            throw .unusable(SQLiteError(extendedCode: 10, message: "\(draft) cannot be completed", systemError: errno))
        }
        syncDirectory(of: path)
    }

    /// The database is closed, and without a log, when this returns.
    private static func fill(_ draft: String, _ rows: [Row], _ options: StoreOptions) throws(OpeningError) {
        let file = try StoreFile(path: draft, options: options)
        do throws(SQLiteError) { try file.commit(rows) } catch { throw OpeningError(error) }
        if let reason = file.checkpoint() { throw .damaged(reason) }
    }

    /// Sets the damaged database aside and puts the complete one in its place. Returns where the damaged one is.
    static func exchange(_ path: String) throws(StoreFailure) -> String? {
        let target = try SettingAside.move(path, now: EventLoop.now(.realtime))
        guard rename(complete(path), path) == 0 else {
            throw StoreFailure(.notStored, "\(complete(path)) cannot be renamed: \(String(cString: strerror(errno)))")
        }
        syncDirectory(of: path)
        return target
    }

    /// Forgets one that is complete: another database has taken the place, with all that it holds and more.
    static func discard(for path: String) { unlink(complete(path)) }

    /// A rename is on disk when its directory is: fsync(2).
    private static func syncDirectory(of path: String) {
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
