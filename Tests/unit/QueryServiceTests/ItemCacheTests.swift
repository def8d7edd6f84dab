// SPDX-License-Identifier: MIT
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import QueryService

/// How long an item is kept, which widgets have changed since the last look, and what fits into one reply.
@Suite struct ItemCacheTests {
    init() { TestLoop.start() }

    private static let start = BootTime(microseconds: 1_000_000_000)

    @LoopActor private final class Subject {
        let backend = MemoryBackend()
        let cache: ItemCache

        init(replyBytes: Int = 12 << 20) {
            cache = ItemCache(backend: backend, replyBytes: replyBytes)
        }

        func put(_ number: Int, _ text: String = "a", until seconds: Int64? = nil) {
            backend.put(.showing(text, .numbered(number)), validUntil: seconds.map { start + .seconds($0) })
        }

        /// The numbers of the widgets that have changed, after these were announced.
        func changes(_ announced: [Int] = [], at seconds: Int64 = 0) -> [Int] {
            cache.announce(Set(announced.map { .numbered($0) }))
            let changed = cache.takeChanges(now: start + .seconds(seconds))
            return (0..<100).filter { changed.contains(.numbered($0)) }
        }

        func version(_ number: Int) -> UInt64? { cache.entry(for: .numbered(number), now: start)?.version }

        /// How many times the item was encoded after it is asked for at this time.
        func serialisations(_ number: Int, at time: BootTime) -> Int {
            _ = cache.entry(for: .numbered(number), now: time)
            return cache.serialisations
        }
    }

    @Test @LoopActor func anItemIsAskedForAgainWhenItsTimeHasCome() {
        let subject = Subject()
        subject.put(0, until: 5)
        subject.put(1)
        let times = [0, 0, 4, 5, 5, 100].map { Self.start + .seconds($0) }
        // After its expiry, an item is valid for one more millisecond, because the backend's clock may be slightly
        // behind.
        #expect(times.map { subject.serialisations(0, at: $0) } == [1, 1, 1, 2, 2, 3])
        #expect(times.map { subject.serialisations(1, at: $0) } == [4, 4, 4, 4, 4, 4])
    }

    @Test @LoopActor func anExpiryThatHasPassedIsCheckedOnce() {
        let subject = Subject()
        subject.put(0, until: -1)
        let times = [0, 0, 999, 1_000].map { Self.start + TimeSpan(microseconds: $0) }
        #expect(times.map { subject.serialisations(0, at: $0) } == [1, 1, 1, 2])
    }

    @Test @LoopActor func theNextTimeIsTheEarliest() {
        let subject = Subject()
        let cache = subject.cache
        #expect(cache.nextExpiry == nil)
        for (number, until) in [(0, 5), (1, 3), (2, 7)] as [(Int, Int64)] { subject.put(number, until: until) }
        subject.put(3)
        var next: [Int64?] = []
        for number in 0..<4 {
            _ = cache.entry(for: .numbered(number), now: Self.start)
            next.append(cache.nextExpiry.map { ($0 - Self.start).microseconds / 1_000_000 })
        }
        #expect(next == [5, 3, 3, 3])
        #expect(subject.changes([], at: 2) == [0, 1, 2, 3])
        subject.put(1, "b")
        #expect(subject.changes([], at: 2) == [])
        #expect(subject.changes([], at: 3) == [1])
        #expect(cache.nextExpiry == Self.start + .seconds(5))
        subject.put(0, "b")
        subject.put(2, "b", until: 9)
        #expect(subject.changes([], at: 8) == [0, 2])
        #expect(cache.nextExpiry == Self.start + .seconds(9))
        subject.put(2, "b")
        #expect(subject.changes([], at: 9) == [])
        #expect(cache.nextExpiry == nil)
    }

    /// Each item has the version of its last change, which is newer than that of every earlier one.
    @Test @LoopActor func anItemHasTheVersionOfItsLastChange() {
        let subject = Subject()
        var versions: [UInt64] = []
        for number in 0..<20 {
            subject.put(number)
            #expect(subject.changes([number]) == [number])
            versions.append(subject.version(number) ?? 0)
        }
        subject.put(3, "b")
        #expect(subject.changes([3, 4]) == [3])
        #expect(subject.version(3) == subject.cache.version)
        #expect(subject.version(4) == versions[4])
    }

    @Test @LoopActor func aChangeThatAReaderHasSeenFirstIsAChange() {
        let subject = Subject()
        subject.put(0)
        #expect(subject.changes([0]) == [0])
        subject.put(0, "b")
        subject.cache.announce([.numbered(0)])
        _ = subject.cache.entry(for: .numbered(0), now: Self.start)
        #expect(subject.changes() == [0])
        #expect(subject.changes() == [])
    }

    /// The time of the last answer is no news, but readers get it.
    @Test @LoopActor func aConfirmationIsNoChange() {
        let subject = Subject()
        subject.put(0)
        #expect(subject.changes([0]) == [0])
        var item = Item.showing("a", .numbered(0))
        item.confirmed = WallTime(microseconds: 5)
        subject.backend.put(item)
        #expect(subject.changes([0]) == [])
        let bytes = subject.cache.entry(for: .numbered(0), now: Self.start)?.bytes ?? []
        #expect(String(decoding: bytes, as: UTF8.self).contains(#""confirmed":5"#))
    }

    @Test(arguments: [false, true]) @LoopActor func aRemovedWidgetIsAChangeAndIsNotKept(isAll: Bool) {
        let subject = Subject()
        for number in 0..<3 { subject.put(number) }
        _ = subject.changes([0, 1, 2])
        let count = subject.cache.count
        let before = subject.cache.version
        subject.backend.remove(.numbered(1))
        if isAll { subject.cache.announceAll() }
        #expect(subject.changes(isAll ? [] : [1]) == [1])
        #expect(subject.cache.entry(for: .numbered(1), now: Self.start) == nil)
        #expect(subject.cache.count == count - 1 && subject.cache.version == before + 1)
        subject.put(1)
        subject.cache.announceAll()
        #expect(subject.changes() == [1])
    }

    @Test @LoopActor func anAnnouncementCostsNothingUntilAHostAsks() {
        let subject = Subject()
        subject.put(0)
        #expect(subject.serialisations(0, at: Self.start) == 1)
        for _ in 0..<100 { subject.cache.announce([.numbered(0)]) }
        #expect(subject.cache.serialisations == 1)
        #expect(subject.serialisations(0, at: Self.start) == 2)
    }

    @Test @LoopActor func anUnknownWidgetIsNoChange() {
        let subject = Subject()
        let version = subject.cache.version
        #expect(subject.changes([0]) == [])
        #expect(subject.cache.version == version)
    }

    /// When a reply is too long, the largest items lose their content one by one, until the reply fits.
    @Test @LoopActor func asFewItemsAsPossibleLoseTheirContent() {
        let items = [100, 3_000, 90, 1_500].enumerated().map { number, count in
            Item.showing(String(repeating: "x", count: count), .numbered(number))
        }
        /// The sizes of the items within this limit, and which of them have lost their content.
        func reply(_ limit: Int) -> (sizes: [Int], bare: [Int]) {
            let subject = Subject(replyBytes: limit)
            for item in items { subject.backend.put(item) }
            let bytes = subject.cache.bytes(of: subject.cache.entries(of: subject.backend.order, now: Self.start))
            let isBare = bytes.map { String(decoding: $0, as: UTF8.self).contains("\"failure\":\"its content of ") }
            return (bytes.map(\.count), items.indices.filter { isBare[$0] })
        }
        let whole = reply(.max).sizes.reduce(0, +)
        #expect(reply(whole).bare == [])
        #expect(reply(whole - 1).bare == [1])
        let withoutOne = reply(whole - 1).sizes.reduce(0, +)
        #expect(withoutOne < whole - 2_000)
        #expect(reply(withoutOne).bare == [1])
        #expect(reply(withoutOne - 1).bare == [1, 3])
        #expect(reply(0).bare == [0, 1, 2, 3])
    }
}
