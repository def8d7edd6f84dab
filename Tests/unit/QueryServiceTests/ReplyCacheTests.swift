// SPDX-License-Identifier: MIT
import JSON
import TestSupport
import Testing
import TodayModel

@testable import QueryService

/// Replies that the service keeps for the next client with the same call.
@Suite struct ReplyCacheTests {
    init() { TestLoop.start() }

    private func frame(_ size: Int = 1) -> Frame { Frame(repeating: 1, count: size) }

    private func call(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func theSameCallGetsTheSameReplyUntilItExpires() {
        var cache = ReplyCache()
        let call = call("a call")
        let hash = CallScan.hash(of: call)
        let reply = frame()
        cache.store(reply, to: call, hash: hash, until: 10)
        #expect(cache.reply(to: call[...], hash: hash, now: 9) == reply)
        #expect(cache.reply(to: call[...], hash: hash, now: 10) == nil)
        // Another call with the same hash.
        #expect(cache.reply(to: self.call("b call")[...], hash: hash, now: 9) == nil)
        cache.removeAll()
        #expect(cache.reply(to: call[...], hash: hash, now: 9) == nil)
    }

    @Test func longCallsAreNotKept() {
        var cache = ReplyCache()
        for (length, isKept) in [(512, true), (513, false)] {
            let call = [UInt8](repeating: 1, count: length)
            cache.store(frame(), to: call, hash: 1, until: 10)
            #expect((cache.reply(to: call[...], hash: 1, now: 0) != nil) == isKept)
        }
    }

    @Test func keptRepliesAreBoundedTogether() {
        let (first, second) = (call("1"), call("2"))
        func isKept(_ call: [UInt8], _ cache: ReplyCache) -> Bool {
            cache.reply(to: call[...], hash: CallScan.hash(of: call), now: 0) != nil
        }
        for (size, keeps) in [((16 << 20) - 1, true), (16 << 20, false)] {
            var cache = ReplyCache()
            cache.store(frame(size), to: first, hash: CallScan.hash(of: first), until: 10)
            #expect(isKept(first, cache) == keeps)
        }
        // Either both fit exactly, or the first one is dropped.
        for (size, keeps) in [((8 << 20) - 1, true), (8 << 20, false)] {
            var cache = ReplyCache()
            cache.store(frame((8 << 20) - 1), to: first, hash: CallScan.hash(of: first), until: 10)
            cache.store(frame(size), to: second, hash: CallScan.hash(of: second), until: 10)
            #expect(isKept(first, cache) == keeps && isKept(second, cache))
        }
    }

    @Test func replacedRepliesTakeNoRoom() {
        var cache = ReplyCache()
        let (small, large) = (call("small"), call("large"))
        func store(_ size: Int, to call: [UInt8]) {
            cache.store(frame(size), to: call, hash: CallScan.hash(of: call), until: 10)
        }
        store(1, to: small)
        for _ in 0..<40 { store(1 << 20, to: large) }
        #expect(cache.reply(to: small[...], hash: CallScan.hash(of: small), now: 0) != nil)
        store(12 << 20, to: large)
        cache.removeAll()
        store(1, to: small)
        store(12 << 20, to: large)
        #expect(cache.reply(to: small[...], hash: CallScan.hash(of: small), now: 0) != nil)
    }

    @Test func aScanFindsTheEndAndHashesAsTheWholeCallDoes() {
        let bytes = call("first\0second\0rest")
        let first = CallScan(bytes[...])
        #expect(first?.end == 5)
        #expect(first?.hash == CallScan.hash(of: call("first")))
        let second = CallScan(bytes[6...])
        #expect(second?.end == 12)
        #expect(second?.hash == CallScan.hash(of: call("second")))
        #expect(first?.hash != second?.hash)
        #expect(CallScan(bytes[13...]) == nil)
        #expect(CallScan(bytes[..<5]) == nil)
    }

    @Test func theBackendIsAskedAgainWhenSomethingHasChanged() async throws {
        let fixture = try await Fixture()
        let client = try fixture.connect()
        let start = ContinuousClock.now
        for _ in 0..<50 { #expect(try client.today("Show").texts == ["42 %"]) }
        // The service passes on at most one look per second. On a slow machine, the test may take several seconds.
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
