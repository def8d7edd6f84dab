// SPDX-License-Identifier: MIT
import Reactor
import SQLite
import TestSupport
import Testing

@testable import SnapshotStore

/// The writing connection syncs the log at every commit, whatever was at the path before. Other tests cannot show it,
/// because they read through the page cache, which has unsynced data too.
struct SynchronousTests {
    let fixture = StoreFixture()

    @Test(arguments: ["nothing", "version 9", "damaged", "relaxed"])
    @LoopActor func everyCommitIsSynced(found: String) throws {
        switch found {
        case "version 9": try fixture.makeVersion(9)
        case "damaged": try fixture.write([UInt8](repeating: 0x2a, count: 8_192), to: fixture.path)
        case "relaxed":
            try fixture.makeVersion(9)
            let database = try Database(path: fixture.path, mode: .readWriteCreate)
            try database.execute("PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; PRAGMA user_version = 9")
        default: break
        }
        let database = try #require(Opening(path: fixture.path, options: StoreOptions()).file?.database)
        let mode = try database.prepare("PRAGMA journal_mode")
        #expect(try mode.step())
        #expect(mode.string(0) == "wal")
        // 2 is FULL: sqlite.org/pragma.html#pragma_synchronous
        #expect(try database.integer("PRAGMA synchronous") == 2)
    }
}
