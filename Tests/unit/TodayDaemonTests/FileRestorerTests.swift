// SPDX-License-Identifier: MIT
import Glibc
import QueryService
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore
@testable import TodayDaemon

/// What the daemon does when others remove its files. `DaemonMainTests` removes those of a running one.
@Suite struct FileRestorerTests: DaemonDeciding {
    init() { TestLoop.start() }

    /// A service manager may have made the socket with another mode than the daemon does.
    @Test @LoopActor func aRemovedSocketIsMadeAgainWithItsMode() async throws {
        let machine = try await machine()
        let socket = machine.daemon.instance.paths.socket
        try machine.daemon.instance.prepareDirectories()
        try machine.daemon.service.listen(at: socket, mode: 0o640)
        machine.daemon.fileRestorer.start()
        _ = machine.lines.taken()
        try machine.directory.delete("run/todayd.sock")
        machine.daemon.fileRestorer.restore()
        machine.daemon.fileRestorer.restore()
        var status = stat()
        #expect(lstat(socket, &status) == 0 && status.st_mode & 0o777 == 0o640)
        #expect(
            machine.lines.taken()
                == ["warning: the socket's file was removed; todayd listens on \(socket) again"])
        await withCheckedContinuation { done in machine.daemon.service.stop { done.resume() } }
    }

    /// A file stands where the directory of the socket was, until somebody removes it.
    @Test @LoopActor func whatCannotBeMadeAgainIsTriedAgain() async throws {
        let machine = try await machine()
        let daemon = machine.daemon
        try daemon.instance.prepareDirectories()
        try daemon.service.listen(at: daemon.instance.paths.socket, mode: 0o600)
        var failures = 0
        let restorer = try FileRestorer(
            instance: daemon.instance, service: daemon.service, store: daemon.store, log: daemon.log,
            pauseAfter: { count in
                failures = count
                return 1_000
            })
        restorer.start()
        _ = machine.lines.taken()
        try machine.directory.delete("run/todayd.sock")
        try machine.directory.delete("run")
        try machine.directory.write("", to: "run")
        try await eventually("twenty attempts") { failures >= 20 }
        let lines = machine.lines.taken()
        #expect(
            lines.count == 1
                && lines[0].hasPrefix("warning: what was removed cannot be made again, and is tried again: "),
            "\(lines)")
        try machine.directory.delete("run")
        try await eventually("the daemon listens again") { machine.directory.exists("run/todayd.sock") }
        restorer.stop()
        await withCheckedContinuation { done in daemon.service.stop { done.resume() } }
    }

    /// The directory of the socket is gone before the daemon watches it.
    @Test @LoopActor func whatCannotBeWatchedIsMadeAgain() async throws {
        let machine = try await machine()
        let daemon = machine.daemon
        try daemon.instance.prepareDirectories()
        try daemon.service.listen(at: daemon.instance.paths.socket, mode: 0o600)
        try machine.directory.delete("run/todayd.sock")
        try machine.directory.delete("run")
        let restorer = try FileRestorer(
            instance: daemon.instance, service: daemon.service, store: daemon.store, log: daemon.log,
            pauseAfter: { _ in 1_000 })
        restorer.start()
        try await eventually("the daemon listens again") { machine.directory.exists("run/todayd.sock") }
        restorer.stop()
        await withCheckedContinuation { done in daemon.service.stop { done.resume() } }
    }

    @Test @LoopActor func aRemovedDatabaseIsMadeAgain() async throws {
        let machine = try await machine()
        for file in ["todayd.sqlite", "todayd.sqlite-wal"] { try machine.directory.delete("state/\(file)") }
        machine.daemon.fileRestorer.restore()
        try await eventually("the database is there") { machine.directory.exists("state/todayd.sqlite-wal") }
        try await crash(machine)
        #expect(try machine.item(widget())?.content?.text == "own")
    }

    /// After 5 s, and then with doubled pauses up to 5 min.
    @Test func thePauseDoublesWithEachFailure() {
        let pauses = [0, 1, 2, 5, 6, 7, 1_000].map { FileRestorer.pause(afterFailures: $0) }
        #expect(pauses == [5, 10, 20, 160, 300, 300, 300].map { $0 * 1_000_000 })
    }
}
