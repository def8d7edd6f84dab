// SPDX-License-Identifier: MIT
import Glibc
import JSON
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore

/// When a new database cannot replace the old one, no database has the refused changes, and one has all acknowledged
/// ones.
struct RefusedChangeTests {
    let fixture = StoreFixture()

    /// The complete database stays beside the damaged one, and the next start uses it.
    @Test(.enabled(if: TinyDisk.isPossible, "mounting takes root"))
    @LoopActor func oneThatCannotTakeItsPlaceHasWhatWasAcknowledged() async throws {
        let store = try fixture.open()
        try await store.make(.choice(id("a"), .hasContent(false)))
        // A mount cannot be renamed.
        #expect(mount(fixture.path, fixture.path, nil, UInt(MS_BIND), nil) == 0)
        defer { umount2(fixture.path, Int32(MNT_DETACH)) }
        #expect(unlink(fixture.path + "-wal") == 0)
        store.change(.push(id("a"), pushed("kept")))
        #expect(try await store.result(of: .choice(id("b"), .enabled(true))).failure?.isNotStored == true)
        #expect(store.choices(of: id("b")).enabled == nil)

        let copy = try fixture.copyAsAfterACrash()
        try copy.write(fixture.contents(".next"), to: copy.path + ".next")
        _ = store.close()
        let again = try copy.open()
        if case .setAside = again.condition {} else { Issue.record("the condition is \(again.condition)") }
        #expect(!again.choices(of: id("a")).hasContent)
        #expect(again.layers(of: id("a")).pushed == pushed("kept"))
        #expect(again.choices(of: id("b")).enabled == nil)
        #expect(again.close())
    }

    /// The new database is in place, but cannot be written for now.
    @Test @LoopActor func oneThatCannotBeOpenedHasWhatWasAcknowledged() async throws {
        let (path, counter) = (fixture.path, Counter())
        var options = StoreOptions()
        options.afterExchange = {
            counter.add()
            mkdir(path + "-wal", 0o700)
        }
        let store = try fixture.open(options)
        try await store.make(.choice(id("a"), .hasContent(false)))
        try fixture.replace()
        let failure = try await store.result(of: .choice(id("b"), .enabled(true))).failure
        #expect(failure?.isNotStored == true && counter.value == 1)

        let copy = try fixture.copyAsAfterACrash()
        #expect(rmdir(path + "-wal") == 0)
        let again = try copy.open()
        #expect(!again.choices(of: id("a")).hasContent && again.choices(of: id("b")).enabled == nil)
        #expect(again.close())

        // The new database is sound: the next change goes into it, and no third one begins.
        try await store.make(.choice(id("c"), .enabled(true)))
        #expect(counter.value == 1 && fixture.setAside.count == 1)
        if case .setAside = store.condition {} else { Issue.record("the condition is \(store.condition)") }
        #expect(store.close())
    }

    /// Another process removes the new database before it is opened, or while it cannot be. SQLite would begin an empty one.
    @Test(arguments: [false, true])
    @LoopActor func oneThatIsRemovedAtOnceIsWrittenAgain(afterAFailure: Bool) async throws {
        let (path, counter) = (fixture.path, Counter())
        var options = StoreOptions()
        options.afterExchange = {
            counter.add()
            if counter.value > 1 { return }
            if afterAFailure { mkdir(path + "-wal", 0o700) } else { unlink(path) }
        }
        let store = try fixture.open(options)
        try await store.make(.choice(id("a"), .hasContent(false)))
        try fixture.replace()
        let failure = try await store.result(of: .choice(id("b"), .enabled(true))).failure
        #expect(failure?.isNotStored == true)
        if afterAFailure { #expect(rmdir(path + "-wal") == 0 && unlink(path) == 0) }
        try await store.make(.choice(id("c"), .enabled(true)))
        #expect(store.close())
        let again = try fixture.open()
        #expect(!again.choices(of: id("a")).hasContent && again.choices(of: id("c")).enabled == true)
        #expect(again.close())
    }

    /// The new database is in use, and only the change that caused it does not fit.
    @Test @LoopActor func aChangeThatCannotBeWrittenToTheNewOneIsRefusedAlone() async throws {
        var store = try fixture.open()
        try await store.make(.choice(id("a"), .hasContent(false)))
        #expect(store.close())
        // A table that is damaged, and a new database that cannot be begun at the start.
        try fixture.overwrite(at: 4_096 * 2, count: 16, with: 0xff)
        #expect(mkdir(fixture.path + ".new", 0o700) == 0)
        store = try fixture.open(StoreOptions(pageLimit: 40))
        #expect(!store.condition.isDurable)
        #expect(rmdir(fixture.path + ".new") == 0)
        let large = JSON.string(String(repeating: "x", count: 60_000))
        var results: [Result<Void, Refusal>] = []
        let ends = Arrivals<Result<Void, Refusal>>("end of a change")
        for number in 0..<4 {
            store.change(.defaults(group: "g.g", key: "\(number)", value: large)) { ends.send($0) }
        }
        for _ in 0..<4 { results.append(try await ends.next()) }
        #expect(results.allSatisfy { $0.failure?.isNotStored == true })
        guard case .full = store.condition, case .setAside = store.lasting else {
            Issue.record("the condition is \(store.condition), and \(store.lasting)")
            return
        }
        try await store.make(.choice(id("b"), .enabled(true)))
        #expect(fixture.setAside.count == 1)
        #expect(store.close())
        let again = try fixture.open()
        #expect(again.condition == .ok && again.defaults(of: "g.g").count == 0)
        #expect(!again.choices(of: id("a")).hasContent && again.choices(of: id("b")).enabled == true)
        #expect(again.close())
    }
}
