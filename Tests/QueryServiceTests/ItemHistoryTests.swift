// SPDX-License-Identifier: MIT
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import QueryService

/// What the cache remembers of widgets: how long, in which order, and only while a subscriber needs it.
@Suite struct ItemHistoryTests {
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

        func announce(_ number: Int, at seconds: Int64 = 0) {
            cache.announce([.numbered(number)])
            cache.refreshAnnounced(now: start + .seconds(seconds))
        }

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
        cache.beginHistory()
        let version = cache.version
        subject.put(1, "b")
        cache.refreshAnnounced(now: Self.start + TimeSpan(microseconds: 2_999_999))
        #expect(cache.version == version)
        cache.refreshAnnounced(now: Self.start + .seconds(3))
        #expect(cache.changed(since: version) == [.numbered(1)])
        #expect(cache.nextExpiry == Self.start + .seconds(5))
        subject.put(0, "b")
        subject.put(2, "b", until: 9)
        cache.refreshAnnounced(now: Self.start + .seconds(8))
        #expect(Set(cache.changed(since: version)) == [.numbered(0), .numbered(1), .numbered(2)])
        #expect(cache.nextExpiry == Self.start + .seconds(9))
        subject.put(2, "b")
        cache.refreshAnnounced(now: Self.start + .seconds(9))
        #expect(cache.nextExpiry == nil)
    }

    @Test @LoopActor func everyVersionKnowsWhatCameAfterIt() {
        let subject = Subject()
        let cache = subject.cache
        cache.beginHistory()
        var versions = [cache.version]
        for number in 0..<20 {
            subject.put(number)
            subject.announce(number)
            versions.append(cache.version)
        }
        for (index, version) in versions.enumerated() {
            #expect(cache.changed(since: version) == (index..<20).map { .numbered($0) })
            for number in 0..<20 {
                #expect(cache.hasChanged(.numbered(number), since: version) == (number >= index))
            }
            // Few of many changes, and many of few.
            let some: Set<WidgetID> = [.numbered(3), .numbered(17), .disk]
            #expect(
                Set(cache.changed(since: version, among: some)) == some.filter { cache.hasChanged($0, since: version) })
            let all = Set((0..<100).map { WidgetID.numbered($0) })
            #expect(cache.changed(since: version, among: all) == cache.changed(since: version))
        }
        #expect(!cache.hasChanged(.disk, since: 0))
    }

    @Test @LoopActor func changesThatASubscriberNeedsAreKept() {
        let subject = Subject()
        let cache = subject.cache
        cache.beginHistory()
        var versions: [UInt64] = []
        for (number, text) in [(0, "a"), (1, "a"), (2, "a"), (0, "b")] {
            subject.put(number, text)
            subject.announce(number)
            versions.append(cache.version)
        }
        let before = versions[0] - 1
        cache.forget(upTo: before)
        #expect(cache.changed(since: before) == [.numbered(1), .numbered(2), .numbered(0)])
        cache.forget(upTo: versions[1])
        #expect(cache.changed(since: before) == [.numbered(2), .numbered(0)])
        #expect(cache.hasChanged(.numbered(0), since: versions[2]))
        #expect(!cache.hasChanged(.numbered(1), since: before))
        cache.forget(upTo: versions[3])
        #expect(cache.changed(since: 0).isEmpty)
        #expect(!cache.hasChanged(.numbered(0), since: 0))
    }

    @Test @LoopActor func withTheLastSubscriberTheHistoryEnds() {
        let subject = Subject()
        let cache = subject.cache
        subject.put(0)
        subject.announce(0)
        #expect(cache.changed(since: 0).isEmpty)
        cache.beginHistory()
        subject.put(0, "b")
        subject.announce(0)
        #expect(cache.changed(since: 0) == [.numbered(0)])
        cache.announce([.numbered(0)])
        cache.endHistory()
        let before = cache.serialisations
        cache.refreshAnnounced(now: Self.start)
        #expect(cache.serialisations == before)
        cache.beginHistory()
        #expect(cache.changed(since: 0).isEmpty)
        #expect(!cache.hasChanged(.numbered(0), since: 0))
        cache.endHistory()
        subject.put(0, "c")
        _ = cache.entry(for: .numbered(0), now: Self.start)
        #expect(cache.changed(since: 0).isEmpty)
    }

    /// A subscriber that does not read keeps the history from being forgotten. The cache then keeps little more than
    /// the latest change of each widget.
    @Test @LoopActor func theHistoryOfAFewWidgetsIsShort() {
        for (widgets, longest) in [(1, 66), (3, 70)] {
            let subject = Subject()
            let cache = subject.cache
            cache.beginHistory()
            let start = cache.version
            var lengths: [Int] = []
            for round in 0..<300 {
                subject.put(round % widgets, "\(round)")
                subject.announce(round % widgets)
                lengths.append(cache.historyLength)
            }
            #expect(lengths.max() == longest)
            #expect(lengths[longest - 1] == longest && lengths[longest] == widgets)
            #expect(Set(cache.changed(since: start)) == Set((0..<widgets).map { .numbered($0) }))
            cache.forget(upTo: cache.version)
            #expect(cache.historyLength == 0)
            subject.put(0)
            subject.announce(0)
            #expect(cache.historyLength == 1)
            cache.endHistory()
            #expect(cache.historyLength == 0)
            subject.announce(0)
            #expect(cache.historyLength == 0)
        }
    }

    @Test @LoopActor func anUnknownWidgetIsNoChangeAndIsAskedForOnce() {
        let subject = Subject()
        let cache = subject.cache
        cache.beginHistory()
        let version = cache.version
        subject.announce(0)
        #expect(cache.version == version)
        let asked = subject.backend.itemQuestions
        cache.refreshAnnounced(now: Self.start)
        #expect(subject.backend.itemQuestions == asked)
    }

    @Test @LoopActor func aWidgetThatReturnsUnchangedCountsAsChanged() {
        let subject = Subject()
        let cache = subject.cache
        cache.beginHistory()
        subject.put(0)
        subject.announce(0)
        subject.backend.remove(.numbered(0))
        subject.announce(0)
        let gone = cache.version
        subject.put(0)
        subject.announce(0)
        #expect(cache.changed(since: gone) == [.numbered(0)])
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
