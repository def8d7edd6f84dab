// SPDX-License-Identifier: MIT
import Glibc
import Platform
import Reactor

/// Ensures that one store at a time uses a directory, with flock(2) on the directory itself. SQLite locks only the
/// database's file. After that file is removed or set aside while in use, two stores would not notice each other.
@LoopActor
final class StateLock {
    private let directory: String
    /// Negative where the directory cannot be opened; opening the database then reports the reason.
    private var descriptor: Int32 = -1

    /// - Parameter patience: milliseconds to wait for a daemon that is ending.
    init(of database: String, patience: Int32) throws(StoreUnavailable) {
        directory = database.lastIndex(of: "/").map { String(database[...$0]) } ?? "."
        var rest = patience
        while !acquires() {
            guard rest > 0 else {
                throw StoreUnavailable(
                    "\(database) is in use by another process: is there a todayd with this state directory already?")
            }
            usleep(10_000)
            rest -= 10
        }
    }

    /// Locks the directory that now has the path; it may be another than before. Returns false where another store has
    /// locked it.
    func acquires() -> Bool {
        let opened = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { return true }
        if descriptor >= 0, FileIdentity(of: opened) == FileIdentity(of: descriptor) {
            close(opened)
            return true
        }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            let isTaken = errno == EWOULDBLOCK
            close(opened)
            // Some file systems have no flock(2). SQLite's lock must suffice there.
            return !isTaken
        }
        release()
        descriptor = opened
        return true
    }

    func release() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
