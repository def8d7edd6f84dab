// SPDX-License-Identifier: MIT
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore

/// Acknowledged changes are in the files at that moment, whatever happens to the daemon next. SynchronousTests shows
/// that they are also on disk, whatever happens to the machine.
struct StoreCrashTests {
    let fixture = StoreFixture()

    @Test @LoopActor func everyAcknowledgedChangeIsThereAfterACrash() async throws {
        let store = try fixture.open()
        for round in 0..<10 {
            try await store.make(.move(id("w\(round)"), .first, among: ids("a b w\(round)")))
            try await store.make(.defaults(group: "g.g", key: "round", value: .int(Int64(round))))
            try await store.keep(pushed("round \(round)"), for: id("a")).get()
            let survivor = try fixture.copyAsAfterACrash().open()
            #expect(survivor.condition == .ok)
            #expect(survivor.everything == store.everything)
        }
    }

    @Test @LoopActor func whatWasNotAcknowledgedIsThereWhollyOrNotAtAll() async throws {
        let gate = WriterGate()
        let store = try fixture.open(StoreOptions(beforeCommit: { gate.wait() }))
        let all = ids("a b c d e")
        for widget in all { store.change(.move(widget, .first, among: all)) }
        try await gate.arrivals.next()
        let survivor = try fixture.copyAsAfterACrash().open()
        #expect(survivor.everything == Contents())
        gate.letPass()
        #expect(store.close())
        #expect(try fixture.open().order(of: all) == Array(all.reversed()))
    }

    @Test @LoopActor func aStoreThatIsJustLetGoOfWritesWhatItHad() async throws {
        var store: SnapshotStore? = try fixture.open()
        try await store?.make(.choice(id("a"), .enabled(true)))
        store = nil
        #expect(try fixture.open().choices(of: id("a")).enabled == true)
    }
}
