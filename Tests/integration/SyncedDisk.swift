// SPDX-License-Identifier: MIT
import Glibc
import TestSupport

/// The database of a daemon on a disk whose power can be cut. After a cut, each file has the bytes of its last fsync(2),
/// which a library in todayd copies (LD_PRELOAD, Tests/Fixtures/synced_disk.c). After SIGKILL alone all writes survive,
/// because the kernel keeps them.
struct SyncedDisk {
    static var isPossible: Bool { BuiltPrograms.isContinuousIntegration || compiler != nil }
    private static let compiler = ["cc", "gcc", "clang"].lazy.compactMap { BuiltPrograms.installed($0) }.first
    private static let database = "todayd.sqlite"

    private let daemon: PrivateDaemon

    /// - Parameter daemon: not started yet.
    init(of daemon: PrivateDaemon) throws {
        self.daemon = daemon
        guard let compiler = Self.compiler else { throw BuiltProgram.Failure(description: "no C compiler") }
        let source = #filePath.split(separator: "/").dropLast(2).map { "/\($0)" }.joined() + "/Fixtures/synced_disk.c"
        let library = daemon.directory("synced_disk.so")
        let result = try run(compiler, ["-shared", "-fPIC", "-O2", "-o", library, source])
        guard result.status == 0 else { throw BuiltProgram.Failure(description: "synced_disk.c: \(result.errors)") }
        let synced = try daemon.directory.makeDirectory("synced")
        daemon.wrapper = [
            "/usr/bin/env", "LD_PRELOAD=\(library)", "SYNCED_FROM=\(daemon.stateDirectory)", "SYNCED_TO=\(synced)",
        ]
    }

    /// Ends the daemon and drops all writes that it has not synced.
    func cutPower() throws {
        try daemon.kill()
        for name in try names(in: "state") { try daemon.directory.delete("state/\(name)") }
        for name in try names(in: "synced") {
            try daemon.directory.write(daemon.directory.bytes(of: "synced/\(name)"), to: "state/\(name)", mode: 0o600)
        }
    }

    /// The database and SQLite's files beside it.
    private func names(in directory: String) throws -> [String] {
        try daemon.directory.names(in: directory).filter { $0.hasPrefix(Self.database) }
    }
}
