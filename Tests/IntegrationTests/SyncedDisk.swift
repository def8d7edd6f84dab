// SPDX-License-Identifier: MIT
import Glibc
import TestSupport

/// The database of a daemon on a disk whose power can be cut: of each file it has what was there when the daemon synced
/// it last. A library that is preloaded into todayd keeps that aside (Tests/Fixtures/synced_disk.c). A mere SIGKILL
/// leaves everything that was written, because the kernel lives on.
struct SyncedDisk {
    static var isPossible: Bool { BuiltPrograms.isContinuousIntegration || compiler != nil }
    private static let compiler = ["cc", "gcc", "clang"].lazy.compactMap { BuiltPrograms.installed($0) }.first
    private static let database = "todayd.sqlite"

    private let daemon: PrivateDaemon

    /// Of a daemon that is not yet started.
    init(of daemon: PrivateDaemon) throws {
        self.daemon = daemon
        guard let compiler = Self.compiler else { throw Program.Failure(description: "no C compiler") }
        let source = #filePath.split(separator: "/").dropLast(2).map { "/\($0)" }.joined() + "/Fixtures/synced_disk.c"
        let library = daemon.directory("synced_disk.so")
        let result = try run(compiler, ["-shared", "-fPIC", "-O2", "-o", library, source])
        guard result.status == 0 else { throw Program.Failure(description: "synced_disk.c: \(result.errors)") }
        let synced = try daemon.directory.makeDirectory("synced")
        daemon.wrapper = [
            "/usr/bin/env", "LD_PRELOAD=\(library)", "SYNCED_FROM=\(daemon.stateDirectory)", "SYNCED_TO=\(synced)",
        ]
    }

    /// Ends the daemon, and with it all that was not synced.
    func cutPower() throws {
        try daemon.kill()
        for name in try names(in: "state") { try daemon.directory.delete("state/\(name)") }
        for name in try names(in: "synced") {
            try daemon.directory.write(daemon.directory.bytes(of: "synced/\(name)"), to: "state/\(name)", mode: 0o600)
        }
    }

    /// The database and what SQLite has beside it.
    private func names(in directory: String) throws -> [String] {
        try daemon.directory.names(in: directory).filter { $0.hasPrefix(Self.database) }
    }
}
