// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import SQLite
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore

/// Which files may be in the way of a new database, and which store may use the directory.
struct ReplacementTests {
    let fixture = StoreFixture()

    /// Leaves a damaged database, and a complete one that was about to replace it.
    @LoopActor private func leaveComplete() async throws {
        let store = try fixture.open()
        try await store.make(.choice(id("a"), .hasContent(false)))
        #expect(store.close())
        try fixture.write(fixture.contents(), to: fixture.path + ".next")
        try fixture.overwrite(at: 0, count: 8_000, with: 0x58)
    }

    /// The store reads the complete database even if it cannot be renamed, and acknowledges nothing that the next start
    /// would discard.
    @Test(.enabled(if: TinyDisk.isPossible, "mounting takes root"))
    @LoopActor func aCompleteOneIsServedWhereItCannotTakeItsPlace() async throws {
        let disk = try #require(TinyDisk(over: fixture.directory.path))
        try await leaveComplete()
        try disk.setReadOnly(true)
        var store = try fixture.open()
        #expect(!store.condition.isDurable)
        #expect(!store.choices(of: id("a")).hasContent)
        #expect(try await store.result(of: .choice(id("b"), .enabled(true))).failure?.isNotStored == true)
        try disk.setReadOnly(false)
        try await store.make(.choice(id("c"), .enabled(true)))
        #expect(access(fixture.path + ".next", F_OK) != 0)
        #expect(store.close())
        for _ in 0..<2 {
            store = try fixture.open()
            #expect(store.condition == .ok)
            #expect(!store.choices(of: id("a")).hasContent && store.choices(of: id("c")).enabled == true)
            #expect(store.close())
        }
    }

    private static let strangers = ["empty", "text", "foreign", "directory", "pipe", "link"]

    /// A file that only has the name of a complete database replaces nothing.
    @Test(arguments: strangers) @LoopActor func onlyACompleteOneOfOursTakesAPlace(what: String) async throws {
        var store = try fixture.open()
        try await store.make(.choice(id("a"), .hasContent(false)))
        #expect(store.close())
        try plant(what, at: fixture.path + ".next")
        store = try fixture.open()
        #expect(store.condition == .ok)
        #expect(!store.choices(of: id("a")).hasContent)
        #expect(store.close())
    }

    @Test(arguments: [".new", ".new-wal", ".new-journal", ".next"], ["empty", "text", "foreign", "pipe", "link"])
    @LoopActor func nothingIsInTheWayOfANewOne(suffix: String, what: String) async throws {
        let store = try fixture.open()
        try await store.make(.choice(id("a"), .hasContent(false)))
        try plant(what, at: fixture.path + suffix)
        #expect(unlink(fixture.path) == 0)
        try await store.make(.choice(id("b"), .enabled(true)))
        #expect(store.condition.isDurable)
        #expect(store.close())
        let again = try fixture.open()
        #expect(!again.choices(of: id("a")).hasContent && again.choices(of: id("b")).enabled == true)
    }

    private func plant(_ what: String, at path: String) throws {
        switch what {
        case "empty": try fixture.write([], to: path)
        case "text": try fixture.write(Array("text".utf8), to: path)
        case "foreign":
            let foreign = try Database(path: path, mode: .readWriteCreate)
            try foreign.execute("CREATE TABLE recipes (name TEXT)")
        case "directory": #expect(mkdir(path, 0o700) == 0)
        case "pipe": #expect(mkfifo(path, 0o600) == 0)
        default: #expect(symlink("nowhere", path) == 0)
        }
    }

    /// A directory stays, because it is not the daemon's, and changes are refused.
    @Test @LoopActor func aDirectoryInTheWayIsAnError() async throws {
        let store = try fixture.open()
        try await store.make(.choice(id("a"), .hasContent(false)))
        #expect(mkdir(fixture.path + ".new", 0o700) == 0)
        #expect(unlink(fixture.path) == 0)
        let failure = try await store.result(of: .choice(id("b"), .enabled(true))).failure
        #expect(
            failure?.description.contains("\(fixture.path) cannot be written") == true, "\(String(describing: failure))"
        )
        #expect(rmdir(fixture.path + ".new") == 0)
        try await store.make(.choice(id("b"), .enabled(true)))
        #expect(store.close())
    }

    // MARK: One store at a time

    /// The database's own lock disappears with its file.
    @Test @LoopActor func aSecondStoreIsRefusedWhateverHasBecomeOfTheFile() async throws {
        var impatient = StoreOptions()
        impatient.lockTimeout = 30
        let store = try fixture.open()
        #expect(unlink(fixture.path) == 0)
        #expect {
            _ = try fixture.open(impatient)
        } throws: { error in
            "\(error)".contains("in use by another process")
        }
        #expect(store.close())
        #expect(try fixture.open(impatient).close())
    }

    /// The directory was removed and created again: the store locks it before it begins a new database there.
    @Test @LoopActor func aDirectoryThatIsMadeAgainHasOneStore() async throws {
        let directory = TemporaryDirectory()
        let path = directory("state/todayd.sqlite")
        try directory.makeDirectory("state")
        let store = try SnapshotStore(path: path)
        try await store.make(.choice(id("a"), .enabled(true)))
        #expect(rename(directory("state"), directory("away")) == 0)
        try directory.makeDirectory("state")
        let other = try SnapshotStore(path: path)
        try await other.make(.choice(id("b"), .enabled(true)))
        let failure = try await store.result(of: .choice(id("c"), .enabled(true))).failure
        #expect(failure?.description.contains("another todayd uses the state directory") == true)
        #expect(other.close())
        try await store.make(.choice(id("c"), .enabled(true)))
        #expect(store.close())
    }

    @Test @LoopActor func aLogThatIsTooLongIsNotRead() async throws {
        var store = try fixture.open()
        try await store.make(.choice(id("a"), .hasContent(false)))
        let copy = try fixture.copyAsAfterACrash()
        #expect(store.close())
        #expect(truncate(copy.path + "-wal", 8 << 30) == 0)
        store = try copy.open()
        guard case .setAside(_, let reason) = store.condition else {
            Issue.record("the condition is \(store.condition)")
            return
        }
        #expect(reason == "its log is longer than 1073741824 bytes")
        #expect(!store.choices(of: id("a")).hasContent)
        #expect(store.close())
    }
}
