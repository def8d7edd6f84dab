// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore

/// A slow commit delays only the clients that wait for it.
struct SlowDiskTests {
    let fixture = StoreFixture()

    @Test @LoopActor func readersAreAnsweredWhileACommitTakesHalfASecond() async throws {
        let store = try fixture.open(StoreOptions(beforeCommit: { usleep(500_000) }))
        store.record(outcome("disk", .newData(Content(text: "40 %"))))
        let began = EventLoop.now(.monotonic)
        var waited: Int64?
        store.change(.choice(id("disk"), .hasContent(false))) { _ in waited = EventLoop.now(.monotonic) - began }
        // Each reading is timed as a whole, because the loop may run other tests between two of them.
        var longest: Int64 = 0
        while waited == nil {
            let start = EventLoop.now(.monotonic)
            for _ in 0..<100 {
                #expect(store.layers(of: id("disk")).own?.content.text == "40 %")
                #expect(store.order(of: ids("b a disk")) == ids("a b disk"))
            }
            longest = max(longest, EventLoop.now(.monotonic) - start)
            await Task.yield()
        }
        #expect(try #require(waited) >= 500_000)
        #expect(longest > 0 && longest < 250_000)
        #expect(!store.choices(of: id("disk")).hasContent)
    }

    @Test @LoopActor func whatArrivesDuringACommitIsTheNextOne() async throws {
        let gate = WriterGate()
        var store = try fixture.open(StoreOptions(beforeCommit: { gate.wait() }))
        let ends = Arrivals<Int>("end")
        store.change(.choice(id("first"), .enabled(true))) { _ in ends.send(0) }
        try await gate.arrivals.next()
        for number in 1...20 {
            store.change(.choice(id("w\(number)"), .enabled(true))) { _ in ends.send(number) }
            store.record(outcome("w\(number)", .newData(Content(text: "\(number)"))))
            await Task.yield()
        }
        #expect(store.layers(of: id("w20")).own?.content.text == "20")
        #expect(store.choices(of: id("w20")).enabled == nil)
        #expect(ends.taken().isEmpty)
        gate.letPass(2)
        #expect(try await ends.next(21) == Array(0...20))
        #expect(gate.arrivals.taken().count == 1)
        #expect(store.choices(of: id("w20")).enabled == true)
        store.close()
        store = try fixture.open()
        #expect(store.everything.widgets.table.dictionary.count == 20)
    }

    @Test @LoopActor func runsInQuickSuccessionShareCommits() async throws {
        let counter = Counter()
        let options = StoreOptions(beforeCommit: { counter.add() })
        let store = try fixture.open(options)
        let began = EventLoop.now(.monotonic)
        for number in 1...200 {
            store.record(outcome("w\(number)", .newData(Content(text: "\(number)"))))
            await Task.yield()
        }
        let fixture = fixture
        try await eventually("all on disk, and not because of the end") { @LoopActor in
            try fixture.copyAsAfterACrash().open().everything.widgets.table.dictionary.count == 200
        }
        let elapsed = EventLoop.now(.monotonic) - began
        #expect(counter.value <= Int(elapsed / options.restBetweenCommits.microseconds) + 2)
        store.close()
    }

    @Test @LoopActor func whoWaitsForAChangeDoesNotWaitForARest() async throws {
        var options = StoreOptions()
        options.restBetweenCommits = .hours(1)
        let store = try fixture.open(options)
        let ends = Arrivals<Int>("end")
        for number in 1...5 {
            store.record(outcome("disk", .newData(Content(text: "\(number)"))))
            store.change(.choice(id("w\(number)"), .enabled(true))) { _ in ends.send(number) }
            _ = try await ends.next()
        }
        store.record(outcome("last", .newData(Content(text: "x"))))
        await Task.yield()
        store.close()
        #expect(try fixture.open().layers(of: id("last")).own?.content.text == "x")
    }

    @Test @LoopActor func anOrderlyEndWaitsForTheDisk() throws {
        let counter = Counter()
        let store = try fixture.open(
            StoreOptions(beforeCommit: {
                usleep(50_000)
                counter.add()
            }))
        var ends: [Bool] = []
        store.change(.choice(id("a"), .enabled(true))) { ends.append($0.failure == nil) }
        store.record(outcome("a", .newData(Content(text: "x"))))
        #expect(store.close())
        #expect(ends == [true])
        #expect(counter.value == 1)
        #expect(try fixture.open().layers(of: id("a")).own?.content.text == "x")
    }

    @Test @LoopActor func anOrderlyEndDoesNotWaitForEver() throws {
        let gate = WriterGate()
        let store = try fixture.open(StoreOptions(beforeCommit: { gate.wait() }))
        var failure: Refusal?
        store.change(.choice(id("a"), .enabled(true))) { failure = $0.failure }
        #expect(!store.close(within: .milliseconds(50)))
        #expect(failure == Refusal.notStored("the daemon has ended"))
        gate.letPass(2)
    }
}
