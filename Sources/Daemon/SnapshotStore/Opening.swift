// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import SQLite

/// Opens the database when the daemon starts, and repairs or replaces a bad one. The daemon can continue in every case
/// but one: another process uses the database.
struct Opening {
    var contents = Contents()
    /// Open for writing; nil while that is impossible.
    var file: StoreFile?
    var health = StoreHealth()
    /// Whether the last new database was put in the place of the old one, and no other has to follow it.
    private var hasBegun = false
    /// Whether there is a database that could not be opened, and may be later.
    private(set) var isPutOff = false
    /// Whether there was a log, even an empty one: the last daemon did not close the database, or could not.
    var followsCrash = false

    init(path: String, options: StoreOptions) throws(StoreUnavailable) {
        do throws(OpeningError) {
            if try Replacement.isReady(for: path) { try finish(path, options) }
            try open(path, options)
        } catch .foreign(let reason) {
            try beginAnew(path, options, reason)
        } catch .damaged(let reason) {
            // The database is read before it is moved, and stays as it was found.
            contents = Self.salvage(path, steps: options.stepsPerTable)
            try beginAnew(path, options, reason)
        } catch .newer(let error) {
            contents = Self.salvage(path, mending: false, steps: options.stepsPerTable)
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

    /// Completes a replacement that a killed daemon began. If the complete database cannot be put in its place, the
    /// store reads from it, and the next commit writes everything into a new one.
    private mutating func finish(_ path: String, _ options: StoreOptions) throws(OpeningError) {
        health.noteDamage("it was damaged, and todayd ended before all was written")
        try exchange(path, options)
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
        if Self.isOther(path) { throw .foreign("\(path) is not a file") }
        let odd = try SettingAside.moveOthersThanFiles(beside: path, now: EventLoop.now(.realtime))
        let log = StoreFile.size(of: path + "-wal")
        followsCrash = followsCrash || access(path + "-wal", F_OK) == 0
        // SQLite would delete that log, because a log begins only after the first page of the file is written.
        if StoreFile.size(of: path) == 0, log > 0 { throw .foreign("it is empty or missing, and its log is not") }
        if isNew, StoreFile.size(of: path) == 0 { throw .damaged("it was removed at once") }
        let isCleared = access(path, F_OK) == 0 && StoreFile.size(of: path) == 0
        let opened = try StoreFile(path: path, options: options)
        do throws(SQLiteError) {
            if !isNew { contents = try opened.load(steps: options.stepsPerTable) }
        } catch {
            opened.leaveAsFound()
            // A table that needs too many steps to read counts as damaged.
            guard !error.isInterrupted else {
                throw .damaged("a table is not at its end after \(options.stepsPerTable) steps")
            }
            throw OpeningError(error)
        }
        file = opened
        health.noteUse()
        if isCleared {
            health.noteClearing("\(path) was empty, and if it ever held anything, another program has cleared it")
        }
        for (path, target) in odd {
            contents.complain("\(path) was not a file and had to go: it is \(target) now")
        }
    }

    /// Whether the path is not a regular file. Opening a pipe would block until a writer comes.
    private static func isOther(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
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

    /// Continues without a writable file. At every commit, the writer tries the file again or, where it is damaged,
    /// writes a new one.
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
            let complete = (try? Replacement.isReady(for: path)) ?? false
            contents = Self.salvage(complete ? Replacement.complete(path) : path, steps: options.stepsPerTable)
        case .damaged(let reason), .foreign(let reason):
            health.noteFailure(.failing("\(path) cannot be made anew: \(reason)"))
        case .newer(let error):
            if hasBegun { health.noteUse() }
            health.noteFailure(.readOnly("\(path): \(error)"))
        }
    }

    /// - Parameters:
    ///   - mending: whether to read it with a corrected header; a newer version's header may differ on purpose.
    ///   - steps: the most steps for each table.
    private static func salvage(_ path: String, mending: Bool = true, steps: Int32) -> Contents {
        var contents = Contents()
        do throws(SQLiteError) {
            let database = try open(path, mending: mending)
            // Damaged pages may form a cycle.
            database.limitSteps(steps)
            // A database without version and tables has nothing to read.
            var isBegun = try database.userVersion > 0
            if !isBegun { isBegun = try Schema.hasTables(database) }
            if isBegun { contents = Contents(salvaging: database) }
        } catch {
            contents.complain("\(path) cannot be read: \(error)")
        }
        return contents
    }

    /// Opens the database for reading. Mending reads an image of it with a corrected header, if it is small enough for
    /// that.
    private static func open(_ path: String, mending: Bool) throws(SQLiteError) -> Database {
        guard mending, var image = DatabaseImage(of: path, mostBytes: StoreLimits.checkedBytes) else {
            return try Database(path: path, mode: .readOnly)
        }
        DatabaseHeader.mend(&image.bytes)
        return try image.open()
    }
}
