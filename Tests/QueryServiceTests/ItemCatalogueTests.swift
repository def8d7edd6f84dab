// SPDX-License-Identifier: MIT
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import QueryService

/// What is remembered about which widgets changed when.
@Suite struct ItemCatalogueTests {
    init() { TestLoop.start() }

    @LoopActor private final class Subject {
        let backend = MemoryBackend()
        let catalogue: ItemCatalogue

        init() { catalogue = ItemCatalogue(backend: backend, replyBytes: 12 << 20) }

        func change(_ number: Int, to text: String) {
            backend.put(.showing(text, .numbered(number)))
            announce(number)
        }

        func announce(_ number: Int) {
            catalogue.announce([.numbered(number)])
            catalogue.refreshAnnounced(now: .now)
        }
    }

    @Test @LoopActor func aWidgetChangesOnceHoweverOftenItDid() {
        let subject = Subject()
        let catalogue = subject.catalogue
        catalogue.beginHistory()
        let start = catalogue.version
        for number in 0..<3 { subject.change(number, to: "a") }
        let middle = catalogue.version
        for round in 0..<500 { subject.change(1, to: "\(round)") }
        subject.change(0, to: "a")
        #expect(catalogue.changed(since: start) == [.numbered(0), .numbered(2), .numbered(1)])
        #expect(catalogue.changed(since: middle) == [.numbered(1)])
        #expect(catalogue.changed(since: catalogue.version).isEmpty)
        #expect(catalogue.hasChanged(.numbered(1), since: middle))
        #expect(!catalogue.hasChanged(.numbered(0), since: middle))
    }

    @Test @LoopActor func whatEverybodyHasSeenIsForgotten() {
        let subject = Subject()
        let catalogue = subject.catalogue
        catalogue.beginHistory()
        let start = catalogue.version
        subject.change(0, to: "a")
        let middle = catalogue.version
        subject.change(1, to: "a")
        catalogue.forget(upTo: middle)
        #expect(catalogue.changed(since: start) == [.numbered(1)])
        catalogue.endHistory()
        #expect(catalogue.changed(since: start).isEmpty)
    }

    @Test @LoopActor func whatHasGoneCountsAsChanged() {
        let subject = Subject()
        let catalogue = subject.catalogue
        catalogue.beginHistory()
        subject.change(0, to: "a")
        let before = catalogue.version
        subject.backend.remove(.numbered(0))
        subject.announce(0)
        #expect(catalogue.changed(since: before) == [.numbered(0)])
        #expect(catalogue.entry(for: .numbered(0), now: .now) == nil)
    }

    @Test @LoopActor func withoutSubscribersAnAnnouncementCostsNothing() {
        let subject = Subject()
        let catalogue = subject.catalogue
        subject.backend.put(.showing("a", .numbered(0)))
        _ = catalogue.entry(for: .numbered(0), now: .now)
        #expect(catalogue.serialisations == 1)
        for _ in 0..<100 { catalogue.announce([.numbered(0)]) }
        catalogue.refreshAnnounced(now: .now)
        #expect(catalogue.serialisations == 1)
        _ = catalogue.entry(for: .numbered(0), now: .now)
        #expect(catalogue.serialisations == 2)
    }
}
