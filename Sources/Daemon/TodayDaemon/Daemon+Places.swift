// SPDX-License-Identifier: MIT
import Glibc
import Reactor

/// What others remove while todayd runs: the directory of its state, the database in it, the socket's file. Everything that
/// was in them is in memory, so they are made again.
extension Daemon {
    /// The directories that are watched, and what to do when something is gone.
    struct Places {
        fileprivate var sources: [DirectorySource] = []
        /// Of a burst, as `rm -r` makes it, the end is waited for.
        fileprivate(set) var timer: TimerSource?
        fileprivate var hasFailed = false

        static let rest: Int64 = 50_000
        static let restAfterFailure: Int64 = 5_000_000

        init() {}
    }

    func watchPlaces() {
        if places.timer == nil { places.timer = try? TimerSource(.monotonic) { [unowned self] in restorePlaces() } }
        let socket = settings.paths.socket
        let directory = socket.lastIndex(of: "/").map { String(socket[..<$0]) } ?? "."
        places.sources = [(settings.paths.stateDirectory, "todayd.sqlite"), (directory, socket)].compactMap {
            path, file in
            let name = file.split(separator: "/").last.map(String.init) ?? file
            return try? DirectorySource(path: path, mask: [.deleted, .movedFrom, .selfDeleted, .selfMoved]) {
                [unowned self] event in
                // Of files in it only these, and what the database has beside it.
                if event.name.isEmpty || event.name == name || event.name == "\(name)-wal" { missPlaces() }
            }
        }
    }

    private func missPlaces() {
        if !isStopping { places.timer?.arm(after: Places.rest, slack: Places.rest) }
    }

    /// Makes again what is not there.
    func restorePlaces() {
        guard !isStopping else { return }
        do {
            try settings.prepareDirectories()
            if try service.listenAgain(at: settings.paths.socket, mode: settings.socketMode) {
                log.warning("the socket's file was removed; todayd listens on \(settings.paths.socket) again")
            }
            places.hasFailed = false
        } catch {
            if !places.hasFailed { log.warning("what was removed cannot be made again, and is tried again: \(error)") }
            places.hasFailed = true
            places.timer?.arm(after: Places.restAfterFailure, slack: Places.rest)
        }
        watchPlaces()
        store.checkFile()
    }
}
