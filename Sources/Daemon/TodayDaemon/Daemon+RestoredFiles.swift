// SPDX-License-Identifier: MIT
import Glibc
import Reactor

/// Restores what others remove while the daemon runs: the state directory, the database and the socket's file. The
/// daemon has their contents in memory.
extension Daemon {
    /// The watched directories and the timer that restores.
    struct RestoredFiles {
        fileprivate var sources: [DirectorySource] = []
        fileprivate var timer: TimerSource?
        /// The mode of the socket's file at the start; the service manager may have created it.
        fileprivate var socketMode: mode_t?
        fileprivate var failures = 0

        init() {}

        /// The pause before restoring, so that a burst of removals (`rm -r`) ends first.
        fileprivate static let pause: Int64 = 50_000

        /// The pause after a failure: 5 s, doubled with every further failure up to 5 min.
        static func pause(afterFailures failures: Int) -> Int64 {
            min(5_000_000 << Int64(min(failures, 10)), 300_000_000)
        }
    }

    private static let database = "todayd.sqlite"

    func watchFiles() {
        if restoredFiles.timer == nil {
            restoredFiles.timer = try? TimerSource(.monotonic) { [unowned self] in restoreFiles() }
        }
        if restoredFiles.socketMode == nil { restoredFiles.socketMode = mode(of: instance.paths.socket) }
        do {
            try beginWatching()
        } catch {
            restoreFilesLater(after: RestoredFiles.pause(afterFailures: restoredFiles.failures))
        }
    }

    private func beginWatching() throws(ReactorError) {
        let socket = instance.paths.socket
        let directory = socket.lastIndex(of: "/").map { String(socket[..<$0]) } ?? "."
        let name = socket.split(separator: "/").last.map(String.init) ?? socket
        restoredFiles.sources = [
            try watch(instance.paths.stateDirectory, [Self.database, "\(Self.database)-wal"]),
            try watch(directory, [name]),
        ]
    }

    private func watch(_ directory: String, _ names: [String]) throws(ReactorError) -> DirectorySource {
        try DirectorySource(path: directory, mask: [.deleted, .movedFrom, .selfDeleted, .selfMoved]) {
            [unowned self] event in
            if event.name.isEmpty || names.contains(event.name) { restoreFilesLater(after: RestoredFiles.pause) }
        }
    }

    private func restoreFilesLater(after pause: Int64) {
        if !isStopping { restoredFiles.timer?.arm(after: pause, slack: pause / 4) }
    }

    private func mode(of path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    /// Restores what is missing. It begins watching first, so it notices removals that happen meanwhile.
    func restoreFiles() {
        guard !isStopping else { return }
        var failure: (any Error)?
        do { try instance.prepareDirectories() } catch { failure = error }
        do { try beginWatching() } catch { failure = failure ?? error }
        do {
            let mode = restoredFiles.socketMode ?? instance.socketMode
            if try service.listenAgain(at: instance.paths.socket, mode: mode) {
                log.warning("the socket's file was removed; todayd listens on \(instance.paths.socket) again")
            }
        } catch {
            failure = failure ?? error
        }
        let state = instance.paths.stateDirectory
        if ["", "-wal"].contains(where: { mode(of: "\(state)/\(Self.database)\($0)") == nil }) { store.checkFile() }
        guard let failure else { return restoredFiles.failures = 0 }
        if restoredFiles.failures == 0 {
            log.warning("what was removed cannot be made again, and is tried again: \(failure)")
        }
        restoredFiles.failures += 1
        restoreFilesLater(after: RestoredFiles.pause(afterFailures: restoredFiles.failures))
    }
}
