// SPDX-License-Identifier: MIT
import Files
import Glibc
import TestSupport
import Testing

@Suite struct SecretFileTests {
    private static let rows: [(owner: UInt32, mode: mode_t, readers: SecretFile.Readers, isSecret: Bool)] = [
        (1_000, 0o600, .none, true), (1_000, 0o400, .none, true), (0, 0o400, .none, true), (1_001, 0o600, .none, false),
        (1_000, 0o640, .none, false), (1_000, 0o604, .none, false), (1_000, 0o620, .none, false),
        (1_000, 0o601, .none, false), (0, 0o440, .none, false), (0, 0o440, .credential, true),
        (0, 0o460, .credential, false), (0, 0o444, .credential, false), (1_001, 0o400, .credential, false),
        (0, 0o640, .group, true), (0, 0o660, .group, false), (0, 0o644, .group, false), (1_001, 0o600, .group, false),
    ]

    @Test(arguments: rows.indices) func belongsToItsUserAlone(_ index: Int) {
        let row = Self.rows[index]
        let fault = SecretFile.fault(owner: row.owner, mode: S_IFREG | row.mode, row.readers, user: 1_000)
        #expect((fault == nil) == row.isSecret, "\(row)")
    }

    @Test func isReadUpToALimit() throws {
        let directory = TemporaryDirectory()
        func reading(_ name: String) -> (bytes: [UInt8]?, reason: String) {
            do throws(SecretFile.Fault) { return (try SecretFile.read(directory(name), .none), "") } catch {
                return (nil, error.reason)
            }
        }
        try directory.write("secret\n", to: "secret", mode: 0o600)
        try directory.write(String(repeating: "x", count: 5_000), to: "long", mode: 0o600)
        try directory.write("", to: "open", mode: 0o644)
        mkfifo(directory("pipe"), 0o600)
        #expect(reading("secret").bytes == Array("secret\n".utf8))
        #expect(reading("long").bytes?.count == 4_096)
        #expect(reading("open").reason.contains("chmod 600"))
        #expect(reading("missing").reason == "No such file or directory")
        #expect(reading("pipe").reason == "is not a file")
    }
}
