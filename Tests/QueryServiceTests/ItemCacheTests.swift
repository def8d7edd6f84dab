// SPDX-License-Identifier: MIT
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import QueryService

/// Which widgets the cache reports as changed since a version.
@Suite struct ItemCacheTests {
    init() { TestLoop.start() }

    @LoopActor private final class Subject {
        let backend = MemoryBackend()
        let itemCache: ItemCache

        init() { itemCache = ItemCache(backend: backend, replyBytes: 12 << 20) }

        func change(_ number: Int, to text: String) {
            backend.put(.showing(text, .numbered(number)))
            announce(number)
        }

        func announce(_ number: Int) {
            itemCache.announce([.numbered(number)])
            itemCache.refreshAnnounced(now: .now)
        }
    }

    @Test @LoopActor func aWidgetChangesOnceHoweverOftenItDid() {
        let subject = Subject()
        let itemCache = subject.itemCache
        itemCache.beginHistory()
        let start = itemCache.version
        for number in 0..<3 { subject.change(number, to: "a") }
        let middle = itemCache.version
        for round in 0..<500 { subject.change(1, to: "\(round)") }
        subject.change(0, to: "a")
        #expect(itemCache.changed(since: start) == [.numbered(0), .numbered(2), .numbered(1)])
        #expect(itemCache.changed(since: middle) == [.numbered(1)])
        #expect(itemCache.changed(since: itemCache.version).isEmpty)
        #expect(itemCache.hasChanged(.numbered(1), since: middle))
        #expect(!itemCache.hasChanged(.numbered(0), since: middle))
    }

    @Test @LoopActor func changesThatEverySubscriberHasSeenAreForgotten() {
        let subject = Subject()
        let itemCache = subject.itemCache
        itemCache.beginHistory()
        let start = itemCache.version
        subject.change(0, to: "a")
        let middle = itemCache.version
        subject.change(1, to: "a")
        itemCache.forget(upTo: middle)
        #expect(itemCache.changed(since: start) == [.numbered(1)])
        itemCache.endHistory()
        #expect(itemCache.changed(since: start).isEmpty)
    }

    /// With and without subscribers.
    @Test(arguments: [false, true]) @LoopActor func aRemovedWidgetIsNotKept(hasSubscribers: Bool) {
        let subject = Subject()
        let itemCache = subject.itemCache
        if hasSubscribers { itemCache.beginHistory() }
        for number in 0..<3 { subject.change(number, to: "a") }
        #expect(itemCache.entries(of: itemCache.order, now: .now).count == itemCache.count)
        let before = itemCache.count
        subject.backend.remove(.numbered(1))
        itemCache.announceAll()
        itemCache.refreshAnnounced(now: .now)
        #expect(itemCache.count == before - 1)
    }

    @Test @LoopActor func aRemovedWidgetCountsAsChanged() {
        let subject = Subject()
        let itemCache = subject.itemCache
        itemCache.beginHistory()
        subject.change(0, to: "a")
        let before = itemCache.version
        subject.backend.remove(.numbered(0))
        subject.announce(0)
        #expect(itemCache.changed(since: before) == [.numbered(0)])
        #expect(itemCache.entry(for: .numbered(0), now: .now) == nil)
    }

    @Test @LoopActor func withoutSubscribersAnAnnouncementCostsNothing() {
        let subject = Subject()
        let itemCache = subject.itemCache
        subject.backend.put(.showing("a", .numbered(0)))
        _ = itemCache.entry(for: .numbered(0), now: .now)
        #expect(itemCache.serialisations == 1)
        for _ in 0..<100 { itemCache.announce([.numbered(0)]) }
        itemCache.refreshAnnounced(now: .now)
        #expect(itemCache.serialisations == 1)
        _ = itemCache.entry(for: .numbered(0), now: .now)
        #expect(itemCache.serialisations == 2)
    }
}
