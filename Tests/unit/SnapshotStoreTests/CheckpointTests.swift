// SPDX-License-Identifier: MIT
import Glibc
import JSON
import Reactor
import SQLite
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import SnapshotStore

/// Damage of the log while the store is open, and data that only the log has.
struct CheckpointTests {
    let fixture = StoreFixture()

    private func options(_ rest: TimeSpan) -> StoreOptions {
        var options = StoreOptions()
        options.restBeforeCheckpoint = rest
        return options
    }

    @LoopActor private func logIsEmptied(of fixture: StoreFixture) async throws -> Bool {
        for _ in 0..<300 {
            if try fixture.contents("-wal").isEmpty { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return false
    }

    @Test @LoopActor func whatOnlyTheLogHoldsIsMovedSoon() async throws {
        let store = try fixture.open(options(.milliseconds(50)))
        for round in 0..<3 {
            try await store.make(.defaults(group: "g.g", key: "\(round)", value: 1))
            #expect(try !fixture.contents("-wal").isEmpty)
            #expect(try await logIsEmptied(of: fixture))
        }
        // As after a crash: nothing was lost.
        let copy = try fixture.copyAsAfterACrash()
        let crashed = try copy.open()
        #expect(crashed.defaults(of: "g.g").count == 3)
        // The log is empty, but the daemon did not stop normally.
        #expect(crashed.followsCrash)
        #expect(store.condition == .ok)
        #expect(store.close())
        let again = try fixture.open()
        #expect(!again.followsCrash)
        #expect(again.close())
    }

    @Test @LoopActor func aLongLogIsMovedAtOnce() async throws {
        let store = try fixture.open(options(.seconds(3_600)))
        var longest = 0
        for round in 0..<120 {
            let text = "\(round)" + String(repeating: "x", count: 60_000)
            try await store.make(.defaults(group: "g.g", key: "\(round % 10)", value: .string(text)))
            var status = stat()
            stat(fixture.path + "-wal", &status)
            longest = max(longest, Int(status.st_size))
        }
        #expect(longest > 1 << 20)
        #expect(longest <= StoreLimits.logBytes + 1 << 20)
        #expect(store.close())
    }

    /// Pages of a failed transaction stay in the log, behind those of the next transaction.
    @Test @LoopActor func whatFailedIsNotTakenForDamage() async throws {
        var limited = options(.seconds(3_600))
        limited.pageLimit = 400
        let store = try fixture.open(limited)
        try await store.make(.choice(id("a"), .enabled(true)))
        let text = String(repeating: "x", count: 60_000)
        for number in 0..<60 {
            var content = Content(text: "\(number)")
            content.tooltip = text
            store.record(outcome("w\(number)", .newData(content)))
        }
        // More than the page cache holds, so that SQLite writes pages before it finds the disk full.
        let result = try await store.result(of: .choice(id("a"), .enabled(false)))
        if case .success = result { Issue.record("there was room") }
        let copy = try fixture.copyAsAfterACrash()
        let again = try copy.open()
        #expect(again.condition == .ok)
        #expect(again.choices(of: id("a")).enabled == true)
        #expect(again.close())
        _ = store.close()
    }

    @Test @LoopActor func aCheckpointThatIsDueDuringACommitFollowsIt() async throws {
        let gate = WriterGate()
        var slow = options(.seconds(3_600))
        slow.beforeCommit = { gate.wait() }
        let store = try fixture.open(slow)
        let ends = Arrivals<Bool>("end")
        store.change(.choice(id("a"), .enabled(true))) {
            if case .success = $0 { ends.send(true) } else { ends.send(false) }
        }
        try await gate.arrivals.next()
        store.checkFile()
        gate.letPass()
        #expect(try await ends.next())
        #expect(try await logIsEmptied(of: fixture))
        gate.letPass(5)
        #expect(store.close())
    }

    /// Further commits do not postpone the checkpoint.
    @Test @LoopActor func commitsThatFollowPutNoCheckpointOff() async throws {
        let store = try fixture.open(options(.milliseconds(200)))
        var shortest = Int.max
        for number in 0..<60 {
            try await store.make(.defaults(group: "g.g", key: "\(number)", value: 1))
            try await Task.sleep(for: .milliseconds(20))
            if number > 5 { shortest = min(shortest, try fixture.contents("-wal").count) }
        }
        #expect(shortest < 4_152 * 5)
        #expect(store.close())
    }

    /// A checkpoint does not show whether commits succeed.
    @Test @LoopActor func aCheckpointForgetsNoFault() async throws {
        var limited = options(.milliseconds(50))
        limited.pageLimit = 40
        let store = try fixture.open(limited)
        try await store.make(.choice(id("a"), .enabled(true)))
        let text = String(repeating: "x", count: 60_000)
        var result: Result<Void, Refusal> = .success(())
        for number in 0..<20 where (try? result.get()) != nil {
            result = try await store.result(of: .defaults(group: "g.g", key: "\(number)", value: .string(text)))
        }
        #expect(!store.condition.isDurable)
        store.checkFile()
        #expect(try await logIsEmptied(of: fixture))
        try await Task.sleep(for: .milliseconds(100))
        #expect(!store.condition.isDurable)
        _ = store.close()
    }
}
