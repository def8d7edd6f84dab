// SPDX-License-Identifier: MIT
import Glibc
import Platform
import TestSupport
import Testing

@testable import Reactor

@Suite struct EventLoopTests {
    init() { TestLoop.start() }

    @Test @LoopActor func anIsolatedTestRunsOnTheLoop() {
        #expect(EventLoop.shared.isCurrent)
        #expect(LoopActor.assumeIsolated { EventLoop.shared.isCurrent })
    }

    @Test func otherThreadsAreNotTheLoop() {
        #expect(!EventLoop.shared.isCurrent)
    }

    @Test @LoopActor func anAwaitReturnsToTheLoop() async {
        let elsewhere = await Task.detached { EventLoop.shared.isCurrent }.value
        #expect(!elsewhere)
        #expect(EventLoop.shared.isCurrent)
    }

    @Test func postedWorkRunsInOrderOnTheLoop() async throws {
        let arrivals = Arrivals<Int>("posted work")
        for number in 0..<100 {
            EventLoop.shared.post { arrivals.send(EventLoop.shared.isCurrent ? number : -1) }
        }
        #expect(try await arrivals.next(100) == Array(0..<100))
    }

    @Test func nothingPostedFromManyThreadsIsLost() async throws {
        let arrivals = Arrivals<Int>("posted work")
        await withTaskGroup(of: Void.self) { group in
            for start in stride(from: 0, to: 8_000, by: 1_000) {
                group.addTask {
                    for number in start..<start + 1_000 { EventLoop.shared.post { arrivals.send(number) } }
                }
            }
        }
        #expect(try await arrivals.next(8_000).sorted() == Array(0..<8_000))
    }

    /// Work that posts itself again and again must not keep the loop from its descriptors.
    @Test @LoopActor func workThatBegetsWorkLetsDescriptorsThrough() async throws {
        let flood = Flood()
        flood.repost()
        let pipe = try Pipe()
        let arrivals = Arrivals<IOEvents>("byte")
        let source = try IOSource(descriptor: pipe.reading, events: .readable) { arrivals.send($0) }
        pipe.write("x")
        #expect(try await arrivals.next().contains(.readable))
        flood.isOver = true
        source.cancel()
    }

    /// The signal would end the process.
    @Test @LoopActor func writingToAPeerThatIsGoneIsAnError() throws {
        let pipe = try Pipe()
        pipe.closeReading()
        #expect(write(pipe.writing, "x", 1) == -1)
        #expect(errno == EPIPE)
    }

    /// On a loop of its own: the shared one must go on.
    @Test @LoopActor func theLoopReturnsTheCodeItWasEndedWith() throws {
        let loop = EventLoop()
        try loop.open()
        loop.end(3)
        #expect(try loop.loop() == 3)
    }

    @Test(arguments: SystemClock.allCases)
    func clocksCountMicroseconds(clock: SystemClock) {
        let before = EventLoop.now(clock)
        usleep(2_000)
        let elapsed = EventLoop.now(clock) - before
        #expect(elapsed >= 2_000)
        #expect(elapsed < 10_000_000)
    }
}

/// Work that keeps the inbox from ever being empty.
@LoopActor
private final class Flood {
    var isOver = false

    func repost() {
        if !isOver { EventLoop.shared.post { self.repost() } }
    }
}
