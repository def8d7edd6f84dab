// SPDX-License-Identifier: MIT
import Glibc
import QueryService
import Reactor
import SnapshotStore

/// Restores what others remove while the daemon runs: the state directory, the database and the socket's file. The
/// daemon has their contents in memory.
@LoopActor
final class FileRestorer {
    private static let database = "todayd.sqlite"

    /// The pause before restoring, so that a burst of removals (`rm -r`) ends first.
    private static let pause: Int64 = 50_000

    /// The pause after a failure: 5 s, doubled with every further failure up to 5 min.
    nonisolated static func pause(afterFailures failures: Int) -> Int64 {
        min(5_000_000 << Int64(min(failures, 10)), 300_000_000)
    }

    private let instance: DaemonInstance
    private let service: QueryService
    private let store: SnapshotStore
    private let log: Log
    private var directories: [DirectorySource] = []
    private var timer: TimerSource?
    /// The mode of the socket's file at the start; the service manager may have created it.
    private var socketMode: mode_t?
    private var failures = 0
    private let pauseAfter: (Int) -> Int64
    private var isStopped = false

    init(
        instance: DaemonInstance, service: QueryService, store: SnapshotStore, log: Log,
        pauseAfter: @escaping (Int) -> Int64 = FileRestorer.pause(afterFailures:)
    ) throws(ReactorError) {
        self.pauseAfter = pauseAfter
        self.instance = instance
        self.service = service
        self.store = store
        self.log = log
        timer = try TimerSource(.monotonic) { [unowned self] in restore() }
    }

    /// Begins to watch the files. The service listens already.
    func start() {
        socketMode = mode(of: instance.paths.socket)
        do {
            try watchAll()
        } catch {
            restoreLater(after: pauseAfter(failures))
        }
    }

    /// The daemon removes its socket itself when it stops.
    func stop() { isStopped = true }

    /// Restores what is missing. It begins watching first, so it notices removals that happen meanwhile.
    func restore() {
        guard !isStopped else { return }
        var failure: (any Error)?
        do { try instance.prepareDirectories() } catch { failure = error }
        do { try watchAll() } catch { failure = failure ?? error }
        do {
            if try service.listenAgain(at: instance.paths.socket, mode: socketMode ?? instance.socketMode) {
                log.warning("the socket's file was removed; todayd listens on \(instance.paths.socket) again")
            }
        } catch {
            failure = failure ?? error
        }
        let state = instance.paths.stateDirectory
        if ["", "-wal"].contains(where: { mode(of: "\(state)/\(Self.database)\($0)") == nil }) { store.checkFile() }
        guard let failure else { return failures = 0 }
        if failures == 0 { log.warning("what was removed cannot be made again, and is tried again: \(failure)") }
        failures += 1
        restoreLater(after: pauseAfter(failures))
    }

    private func restoreLater(after pause: Int64) {
        if !isStopped { timer?.arm(after: pause, slack: pause / 4) }
    }

    // MARK: Watching

    private func watchAll() throws(ReactorError) {
        let socket = instance.paths.socket
        let directory = socket.lastIndex(of: "/").map { String(socket[..<$0]) } ?? "."
        let name = socket.split(separator: "/").last.map(String.init) ?? socket
        directories = [
            try watch(instance.paths.stateDirectory, [Self.database, "\(Self.database)-wal"]),
            try watch(directory, [name]),
        ]
    }

    private func watch(_ directory: String, _ names: [String]) throws(ReactorError) -> DirectorySource {
        try DirectorySource(path: directory, mask: [.deleted, .movedFrom, .selfDeleted, .selfMoved]) {
            [unowned self] event in
            if event.name.isEmpty || names.contains(event.name) { restoreLater(after: Self.pause) }
        }
    }

    private func mode(of path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }
}
