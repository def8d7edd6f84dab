// SPDX-License-Identifier: MIT
import Glibc
import Platform
import Reactor
import SQLite

/// Opens the database when the daemon starts, and replaces a damaged one. The daemon can continue in every case but one:
/// another process uses the database.
struct Opening {
    var contents = Contents()
    /// Open for writing; nil while that is impossible.
    var file: StoreFile?
    var health = StoreHealth()
    /// Whether the last new database has replaced the old one, so that no other has to follow.
    private var hasBegun = false
    /// Whether there is a database that could not be opened now but may be later.
    private(set) var isPutOff = false
    /// Whether there was a log, even an empty one: the last daemon did not close the database, or could not.
    var followsCrash = false

    init(path: String, options: StoreOptions) throws(StoreUnavailable) {
        do throws(OpeningError) {
            if Replacement.isReady(for: path) {
                health.noteDamage("it was damaged, and todayd ended before all was written")
                try exchange(path, options)
            }
            try open(path, options)
        } catch .damaged(let reason) {
            // The database is read before it is moved, and stays as it was found.
            contents = Self.salvage(path)
            try beginAnew(path, options, reason)
        } catch .newer(let error) {
            contents = Self.salvage(path)
            if hasBegun { health.noteUse() }
            health.freeze(
                .readOnly(
                    """
                    \(path) was written by a newer todayd: \(error). It is read and not changed; \
                    install that version again, or move the file away to begin anew
                    """))
        } catch {
            try goOnWithout(error, path, options)
        }
    }

    /// Sets the damaged database aside and puts the complete one in its place.
    private mutating func exchange(_ path: String, _ options: StoreOptions) throws(OpeningError) {
        health.noteMove(to: try SettingAside.move(path, now: EventLoop.now(.realtime)))
        try Replacement.putInPlace(path, options)
        health.noteExchange(at: EventLoop.now(.monotonic))
        hasBegun = true
    }

    /// - Parameter isNew: whether the file is a replacement, whose contents are known already.
    private mutating func open(
        _ path: String, _ options: StoreOptions, isNew: Bool = false
    ) throws(OpeningError) {
        let size = StoreFile.size(of: path)
        let exists = access(path, F_OK) == 0
        followsCrash = followsCrash || access(path + "-wal", F_OK) == 0
        // SQLite would delete that log, because a log begins only after the first page of the file is written.
        if size == 0, StoreFile.size(of: path + "-wal") > 0 {
            throw .damaged("it is empty or missing, and its log is not")
        }
        if isNew, size == 0 { throw .damaged("it was removed at once") }
        let opened = try StoreFile(path: path, options: options)
        do throws(SQLiteError) {
            if !isNew { contents = try Contents(reading: opened.database) }
        } catch {
            opened.leaveAsFound()
            throw OpeningError(error)
        }
        file = opened
        health.noteUse()
        if exists, size == 0 {
            health.noteClearing("\(path) was empty, and if it ever held anything, another program has cleared it")
        }
    }

    /// Replaces the old database with a new one that holds everything that could be read. A daemon that starts at any
    /// moment finds one of the two.
    private mutating func beginAnew(_ path: String, _ options: StoreOptions, _ reason: String) throws(StoreUnavailable)
    {
        let salvaged = contents
        hasBegun = false
        health.noteDamage(reason)
        do throws(OpeningError) {
            try Replacement.write(salvaged.rows, for: path, options)
            try exchange(path, options)
            try open(path, options, isNew: true)
        } catch {
            // The old database usually stays in its place. The writer begins a new one as soon as it can.
            try goOnWithout(error, path, options)
        }
        contents = salvaged
    }

    /// Continues without a writable file. At every commit, the writer tries the file again or, if it is damaged, writes a new
    /// one.
    private mutating func goOnWithout(
        _ error: OpeningError, _ path: String, _ options: StoreOptions
    ) throws(StoreUnavailable) {
        switch error {
        case .inUse:
            throw StoreUnavailable(
                "\(path) is in use by another process: is there a todayd with this state directory already?")
        case .unusable(let error):
            if hasBegun { health.noteUse() }
            health.noteFailure(StoreCondition(error, at: path))
            isPutOff = StoreFile.size(of: path) > 0
            contents = Self.salvage(Replacement.isReady(for: path) ? Replacement.complete(path) : path)
        case .damaged(let reason):
            health.noteFailure(.failing("\(path) cannot be recreated: \(reason)"))
        case .newer(let error):
            if hasBegun { health.noteUse() }
            health.noteFailure(.readOnly("\(path): \(error)"))
        }
    }

    /// Reads what can be read, and changes no file.
    private static func salvage(_ path: String) -> Contents {
        var contents = Contents()
        guard StoreFile.size(of: path) > 0 else { return contents }
        do throws(SQLiteError) {
            let database = try Database(path: path, mode: .readOnly)
            var isOurs = try database.applicationID == Schema.applicationID
            if !isOurs { isOurs = try Schema.hasTables(database) }
            guard isOurs else { return contents }
            contents = Contents(salvaging: database)
        } catch {
            contents.complain("\(path) cannot be read: \(error)")
        }
        return contents
    }
}

/// Ensures that one store at a time uses a directory, with flock(2) on the directory itself. SQLite locks only the
/// database's file. After that file is removed or set aside while in use, two stores would not notice each other.
@LoopActor
final class StateLock {
    private let directory: String
    /// Negative if the directory cannot be opened; opening the database then reports the reason.
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

    /// Locks the directory that the path leads to now, which may have changed. Returns false if another store has locked it.
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
