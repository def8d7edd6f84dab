// SPDX-License-Identifier: MIT
import Glibc
import Reactor

/// What others remove while todayd runs: the directory of its state, the database in it, the socket's file. Everything that
/// was in them is in memory, so they are made again.
extension Daemon {
    /// The directories that are watched, and what to do when something is gone.
    struct Places {
        fileprivate var sources: [DirectorySource] = []
        fileprivate var timer: TimerSource?
        /// As the socket's file was at the start: a service manager may have made it.
        fileprivate var socketMode: mode_t?
        fileprivate var failures = 0

        init() {}

        /// Of a burst, as `rm -r` makes it, the end is waited for.
        fileprivate static let rest: Int64 = 50_000

        /// What cannot be made again is tried after 5 s, and then half as often each time, down to every 5 min.
        static func rest(afterFailures failures: Int) -> Int64 {
            min(5_000_000 << Int64(min(failures, 10)), 300_000_000)
        }
    }

    private static let database = "todayd.sqlite"

    func watchPlaces() {
        if places.timer == nil { places.timer = try? TimerSource(.monotonic) { [unowned self] in restorePlaces() } }
        if places.socketMode == nil { places.socketMode = mode(of: settings.paths.socket) }
        do {
            try beginWatching()
        } catch {
            missPlaces(after: Places.rest(afterFailures: places.failures))
        }
    }

    private func beginWatching() throws(ReactorError) {
        let socket = settings.paths.socket
        let directory = socket.lastIndex(of: "/").map { String(socket[..<$0]) } ?? "."
        let name = socket.split(separator: "/").last.map(String.init) ?? socket
        places.sources = [
            try watch(settings.paths.stateDirectory, [Self.database, "\(Self.database)-wal"]),
            try watch(directory, [name]),
        ]
    }

    private func watch(_ directory: String, _ names: [String]) throws(ReactorError) -> DirectorySource {
        try DirectorySource(path: directory, mask: [.deleted, .movedFrom, .selfDeleted, .selfMoved]) {
            [unowned self] event in
            if event.name.isEmpty || names.contains(event.name) { missPlaces(after: Places.rest) }
        }
    }

    private func missPlaces(after rest: Int64) {
        if !isStopping { places.timer?.arm(after: rest, slack: rest / 4) }
    }

    private func mode(of path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    /// Makes again what is not there. What is removed while this looks is seen by the watches, which begin before.
    func restorePlaces() {
        guard !isStopping else { return }
        var failure: (any Error)?
        do { try settings.prepareDirectories() } catch { failure = error }
        do { try beginWatching() } catch { failure = failure ?? error }
        do {
            let mode = places.socketMode ?? settings.socketMode
            if try service.listenAgain(at: settings.paths.socket, mode: mode) {
                log.warning("the socket's file was removed; todayd listens on \(settings.paths.socket) again")
            }
        } catch {
            failure = failure ?? error
        }
        let state = settings.paths.stateDirectory
        if ["", "-wal"].contains(where: { mode(of: "\(state)/\(Self.database)\($0)") == nil }) { store.checkFile() }
        guard let failure else { return places.failures = 0 }
        if places.failures == 0 { log.warning("what was removed cannot be made again, and is tried again: \(failure)") }
        places.failures += 1
        missPlaces(after: Places.rest(afterFailures: places.failures))
    }
}
