// SPDX-License-Identifier: MIT
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import QueryService

/// Replies that are kept for the next who asks the same.
@Suite struct ReplyCacheTests {
    init() { TestLoop.start() }

    private let tally = FrameTally()

    private func frame(_ size: Int = 1) -> Frame { Frame([UInt8](repeating: 1, count: size), tally: tally) }

    private func call(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func theSameCallGetsTheSameReplyUntilItExpires() {
        var cache = ReplyCache()
        let call = call("a call")
        let hash = CallScan.hash(of: call)
        let reply = frame()
        cache.store(reply, to: call, hash: hash, until: 10)
        #expect(cache.reply(to: call[...], hash: hash, now: 9) === reply)
        #expect(cache.reply(to: call[...], hash: hash, now: 10) == nil)
        // As much as to say: another call which happens to have the same hash.
        #expect(cache.reply(to: self.call("b call")[...], hash: hash, now: 9) == nil)
        cache.removeAll()
        #expect(cache.reply(to: call[...], hash: hash, now: 9) == nil)
    }

    @Test func itsMemoryIsBounded() {
        var cache = ReplyCache()
        for number in 0..<200 {
            let call = call("call \(number)")
            cache.store(frame(1 << 20), to: call, hash: CallScan.hash(of: call), until: 10)
            #expect(tally.bytes <= 17 << 20)
        }
        #expect(tally.bytes > 0)
        cache.removeAll()
        #expect(tally.bytes == 0)
        let long = [UInt8](repeating: 1, count: 1_000)
        cache.store(frame(), to: long, hash: 1, until: 10)
        #expect(cache.reply(to: long[...], hash: 1, now: 0) == nil)
    }

    @Test func aScanFindsTheEndAndHashesAsTheWholeCallDoes() {
        let bytes = call("first\0second\0rest")
        let first = CallScan(bytes, from: 0, to: bytes.count)
        #expect(first?.end == 5)
        #expect(first?.hash == CallScan.hash(of: call("first")))
        let second = CallScan(bytes, from: 6, to: bytes.count)
        #expect(second?.end == 12)
        #expect(second?.hash == CallScan.hash(of: call("second")))
        #expect(first?.hash != second?.hash)
        #expect(CallScan(bytes, from: 13, to: bytes.count) == nil)
        #expect(CallScan(bytes, from: 0, to: 5) == nil)
    }

    @Test func theBackendIsAskedAgainWhenSomethingHasChanged() async throws {
        let fixture = try await Fixture()
        let client = try fixture.connect()
        let start = ContinuousClock.now
        for _ in 0..<50 { #expect(try client.today("Show").texts == ["42 %"]) }
        // Within a second at most one look is passed on; the machine may be slow, so it may be several seconds.
        let seconds = Int((ContinuousClock.now - start) / .seconds(1))
        #expect(await fixture.backend.looks.count <= seconds + 1)
        let serialisations = await fixture.service.serialisationCount
        #expect(serialisations == 1)
        await fixture.change(.showing("43 %"))
        #expect(try client.today("Show").texts == ["43 %"])
        #expect(await fixture.service.serialisationCount == 2)
    }

    @Test func anItemWhoseTimeHasComeIsAskedForAgain() async throws {
        let fixture = try await Fixture()
        await fixture.with { $0.backend.put(.showing("fresh"), validUntil: .now) }
        let client = try fixture.connect()
        #expect(try client.today("Show").texts == ["fresh"])
        await fixture.with { $0.backend.put(.showing("stale")) }
        try await fixture.eventually("the item's expiry") { $0.service.itemCache.nextExpiry.map { $0 <= .now } ?? true }
        #expect(try client.today("Show").texts == ["stale"])
    }
}

/// What waits to be written.
@Suite struct OutputQueueTests {
    private let tally = FrameTally()

    private func frames(_ texts: String...) -> OutputQueue {
        var queue = OutputQueue()
        for text in texts { queue.append(Frame(Array(text.utf8), tally: tally)) }
        return queue
    }

    /// Writes the queue in pieces and returns what was written.
    private func drain(_ queue: inout OutputQueue, gathering limit: Int, accepting size: Int) -> String {
        var written: [UInt8] = []
        while let (bytes, offset) = queue.next(gathering: limit) {
            let count = min(size, bytes.count - offset)
            written += bytes[offset..<offset + count]
            queue.consume(count)
        }
        return String(decoding: written, as: UTF8.self)
    }

    @Test(arguments: [1, 2, 3, 5, 100], [1, 4, 100])
    func everythingIsWrittenOnceAndInOrder(size: Int, limit: Int) {
        var queue = frames("one", "two", "three", "f")
        #expect(queue.byteCount == 12)
        #expect(drain(&queue, gathering: limit, accepting: size) == "onetwothreef")
        #expect(queue.isEmpty)
        #expect(queue.byteCount == 0)
        #expect(tally.bytes == 0)
    }

    @Test func aSingleFrameIsNotCopied() {
        let frame = Frame([1, 2, 3], tally: tally)
        var queue = OutputQueue()
        queue.append(frame)
        queue.consume(1)
        let next = queue.next(gathering: 100)
        #expect(next?.offset == 1)
        #expect(next?.bytes == frame.bytes)
    }

    @Test func whatSeveralWaitForCountsOnceAndIsShared() {
        let shared = Frame([UInt8](repeating: 1, count: 100), tally: tally)
        var queues = [OutputQueue(), OutputQueue()]
        #expect(tally.waiting == 0)
        for index in queues.indices { queues[index].append(shared) }
        #expect(tally.waiting == 100)
        #expect(queues.map(\.charge) == [50, 50])
        queues[0].consume(100)
        #expect(queues.map(\.charge) == [0, 100])
        queues[1].removeAll()
        #expect(queues[1].isEmpty && queues[1].byteCount == 0)
        #expect(tally.waiting == 0)
        #expect(tally.bytes == 100)
    }

    @Test func gatheringStopsAtItsLimit() {
        let queue = frames("one", "two", "three")
        #expect(queue.next(gathering: 5)?.bytes.count == 6)
        #expect(queue.next(gathering: 100)?.bytes.count == 11)
    }
}
