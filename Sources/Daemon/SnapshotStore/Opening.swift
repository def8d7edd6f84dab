// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import SQLite

/// What is found at the path of the database when the daemon starts, and what is made of it. Whatever state it is in,
/// there is something to go on with; only a database that another process is using is an error.
struct Opening {
    var contents = Contents()
    /// Open for writing; nil when that is not possible now.
    var file: StoreFile?
    /// What became of what was there: `ok`, or set aside.
    var lasting = StoreCondition.ok
    /// Why there is nothing to write to at present.
    var writeFailure: StoreCondition?
    /// From a newer version: not to be written even if it can be.
    var isFrozen = false
    /// Why the next commit has to begin a new database with everything.
    var unwritten: String?
    /// Where the old one is, once it was moved.
    var setAside: String?
    /// How many databases have taken the place of another.
    var beginnings = 0
    /// There was a log, maybe an empty one: the last one to write did not close the database, or could not.
    var wasCut = false

    init(path: String, options: StoreOptions) throws(StoreUnavailable) {
        do throws(OpeningError) {
            if try Replacement.isReady(for: path) { try finish(path, options) }
            try open(path, options)
        } catch .foreign(let reason) {
            try beginAnew(path, options, reason)
        } catch .damaged(let reason) {
            // It is read before it is moved, and the moved one stays as it was found.
            contents = Self.salvage(path, steps: options.stepsPerTable)
            try beginAnew(path, options, reason)
        } catch .newer(let error) {
            isFrozen = true
            contents = Self.salvage(path, mending: false, steps: options.stepsPerTable)
            writeFailure = .readOnly(
                """
                \(path) was written by a newer todayd: \(error). It is read and not changed; \
                install that version again, or move the file away to begin anew
                """)
        } catch {
            try goOnWithout(error, path, options)
        }
    }

    /// Ends what a todayd that was killed has begun. Where the complete database cannot take its place, it is what is known,
    /// and nothing may be written beside it.
    private mutating func finish(_ path: String, _ options: StoreOptions) throws(OpeningError) {
        let reason = "it was damaged, and todayd ended before all was written"
        do throws(OpeningError) {
            try exchange(path, options, reason)
        } catch {
            unwritten = reason
            throw error
        }
    }

    private mutating func exchange(
        _ path: String, _ options: StoreOptions, _ reason: String
    ) throws(OpeningError) {
        try Replacement.exchange(path, options, &setAside)
        beginnings += 1
        // A new one that was damaged at once is not what the user wants to know of.
        if case .setAside(_, let first) = lasting {
            lasting = .setAside(path: setAside, reason: first)
        } else {
            lasting = .setAside(path: setAside, reason: reason)
        }
    }

    /// - Parameter isNew: it holds what is known already.
    private mutating func open(
        _ path: String, _ options: StoreOptions, isNew: Bool = false
    ) throws(OpeningError) {
        if Self.isOther(path) { throw .foreign("\(path) is not a file") }
        let odd = try SettingAside.moveOthersThanFiles(beside: path, now: EventLoop.now(.realtime))
        let log = Self.size(of: path + "-wal")
        wasCut = wasCut || access(path + "-wal", F_OK) == 0
        // SQLite would remove that log: it begins one after the file's first page is written.
        if Self.size(of: path) == 0, log > 0 { throw .foreign("it is empty or missing, and its log is not") }
        let isCleared = access(path, F_OK) == 0 && Self.size(of: path) == 0
        let opened = try StoreFile(path: path, options: options)
        do throws(SQLiteError) {
            if !isNew { contents = try opened.load(steps: options.stepsPerTable) }
        } catch {
            opened.leaveAsFound()
            // What reads on without end is no database that one could go on with.
            guard !error.isInterrupted else {
                throw .damaged("a table is not at its end after \(options.stepsPerTable) steps")
            }
            throw OpeningError(error)
        }
        file = opened
        if isCleared {
            let reason = "\(path) was empty, and if it ever held anything, another program has cleared it"
            lasting = .setAside(path: nil, reason: reason)
        }
        for (path, target) in odd {
            contents.complain("\(path) was not a file and had to go: it is \(target) now")
        }
    }

    /// 0 where there is none.
    private static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Whether something stands in the place of the database that is no file. A process that opens a pipe waits for a writer.
    private static func isOther(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    /// A new database takes the place of the old one once all that was read is in it: at no moment is a start without it.
    private mutating func beginAnew(_ path: String, _ options: StoreOptions, _ reason: String) throws(StoreUnavailable)
    {
        let salvaged = contents
        do throws(OpeningError) {
            try Replacement.write(salvaged.rows, for: path, options)
            try exchange(path, options, reason)
            try open(path, options, isNew: true)
        } catch {
            // The old one is where it was, mostly. The writer begins anew with everything as soon as it can.
            unwritten = reason
            try goOnWithout(error, path, options)
        }
        contents = salvaged
    }

    /// Serves what can be read. With every commit, the writer tries the file again or, where there is something `unwritten`,
    /// begins a new one.
    private mutating func goOnWithout(
        _ error: OpeningError, _ path: String, _ options: StoreOptions
    ) throws(StoreUnavailable) {
        switch error {
        case .inUse:
            throw StoreUnavailable(
                "\(path) is in use by another process: is there a todayd with this state directory already?")
        case .unusable(let error):
            writeFailure = StoreCondition(error, at: path)
            let complete = (try? Replacement.isReady(for: path)) ?? false
            contents = Self.salvage(complete ? Replacement.complete(path) : path, steps: options.stepsPerTable)
        case .damaged(let reason), .foreign(let reason):
            writeFailure = .failing("\(path) cannot be made anew: \(reason)")
        case .newer(let error):
            writeFailure = .readOnly("\(path): \(error)")
        }
    }

    /// - Parameters:
    ///   - mending: reads it with the header that it should have, which a newer version's need not be.
    ///   - steps: for each table.
    private static func salvage(_ path: String, mending: Bool = true, steps: Int32) -> Contents {
        var contents = Contents()
        do throws(SQLiteError) {
            let database = try open(path, mending: mending)
            // Pages that point in a circle are read without end.
            database.limitSteps(steps)
            // Otherwise it is a file in which nothing has been created yet.
            var isBegun = try database.userVersion > 0
            if !isBegun { isBegun = try Schema.hasTables(database) }
            if isBegun { contents = Contents(salvaging: database) }
        } catch {
            contents.complain("\(path) cannot be read: \(error)")
        }
        return contents
    }

    /// Mended is an image of it, with the header that it should have; where it is too large for that, it is read as it is.
    private static func open(_ path: String, mending: Bool) throws(SQLiteError) -> Database {
        guard mending, var image = DatabaseImage(of: path, mostBytes: StoreLimits.checkedBytes) else {
            return try Database(path: path, mode: .readOnly)
        }
        DatabaseHeader.mend(&image.bytes)
        return try image.open()
    }
}
