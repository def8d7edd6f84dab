// SPDX-License-Identifier: MIT
import Glibc
import Platform
import Reactor

/// That one store at a time has a directory: flock(2) on the directory itself. SQLite's lock goes with the database's file,
/// which may be removed or set aside while it is used, and no store would know of the other then.
@LoopActor
final class StateLock {
    private let directory: String
    /// Negative where the directory cannot be opened; what is wrong then is said of the database.
    private var descriptor: Int32 = -1

    /// - Parameter patience: milliseconds to wait for a daemon that is just ending.
    init(of database: String, patience: Int32) throws(StoreUnavailable) {
        directory = database.lastIndex(of: "/").map { String(database[...$0]) } ?? "."
        var rest = patience
        while !takesPlace() {
            guard rest > 0 else {
                throw StoreUnavailable(
                    "\(database) is in use by another process: is there a todayd with this state directory already?")
            }
            usleep(10_000)
            rest -= 10
        }
    }

    /// Takes the directory that is there now, which may be another than before. False where another store has it.
    func takesPlace() -> Bool {
        let opened = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { return true }
        if descriptor >= 0, FileIdentity(of: opened) == FileIdentity(of: descriptor) {
            close(opened)
            return true
        }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            let isTaken = errno == EWOULDBLOCK
            close(opened)
            // Some file systems have no locks. Then there is SQLite's alone.
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
