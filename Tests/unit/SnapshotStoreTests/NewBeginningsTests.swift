// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore

/// How often a new database replaces a damaged one, which is kept.
struct NewBeginningsTests {
    let fixture = StoreFixture()

    /// A disk that damages every database must not fill up: of nine damaged databases within an hour, eight are
    /// replaced.
    @Test @LoopActor func newOnesAreBegunEightTimesAnHour() async throws {
        let store = try fixture.open()
        for number in 1...NewBeginnings.most {
            #expect(unlink(fixture.path) == 0)
            try await store.make(.choice(id("b"), .enabled(number % 2 == 0)))
        }
        #expect(unlink(fixture.path) == 0)
        let failure = try await store.result(of: .choice(id("b"), .enabled(false))).failure
        #expect(
            failure?.description.contains("after 8 new ones within an hour: is the disk sound?") == true,
            "\(String(describing: failure))")
        #expect(store.choices(of: id("b")).enabled == true)
        #expect(!store.condition.isDurable)
        store.close()
    }

    @Test func anHourIsCountedFromTheFirstOfEight() {
        var beginnings = NewBeginnings()
        for time in 0..<20 {
            #expect(!beginnings.areTooMany(at: Int64(time) * NewBeginnings.span / 8))
            beginnings.add(at: Int64(time) * NewBeginnings.span / 8)
        }
        #expect(beginnings.areTooMany(at: 20 * NewBeginnings.span / 8 - 1))
        #expect(!beginnings.areTooMany(at: 20 * NewBeginnings.span / 8))
    }

    /// Damages the first `count` databases as soon as they are in place.
    private func spoiling(_ count: Int) -> StoreOptions {
        let (path, counter) = (fixture.path, Counter())
        var options = StoreOptions()
        options.afterExchange = {
            counter.add()
            if counter.value <= count { truncate(path, 5_000) }
        }
        return options
    }

    /// Each of them has replaced another, although nothing was written to it.
    @Test(arguments: [false, true])
    @LoopActor func newOnesThatAreDamagedAtOnceAreCounted(fromTheStart: Bool) async throws {
        var store = try fixture.open(spoiling(.max))
        try await store.make(.choice(id("a"), .hasContent(false)))
        if fromTheStart {
            #expect(store.close())
            #expect(truncate(fixture.path, 5_000) == 0)
            store = try fixture.open(spoiling(.max))
            #expect(fixture.setAside.count == 1)
        } else {
            try fixture.replace()
        }
        var failure: Refusal?
        for _ in 0..<12 { failure = try await store.result(of: .choice(id("b"), .enabled(true))).failure }
        #expect(fixture.setAside.count == NewBeginnings.most)
        #expect(failure?.description.contains("after 8 new ones within an hour") == true, "\(failure as Any)")
        store.close()
    }

    /// The message names the database that has the lost data.
    @Test(arguments: [false, true])
    @LoopActor func theFirstThatWasSetAsideIsNamed(atTheStart: Bool) async throws {
        var store = try fixture.open(spoiling(1))
        try await store.make(.choice(id("a"), .hasContent(false)))
        if atTheStart { #expect(store.close()) }
        try fixture.replace()
        let damaged = try fixture.contents()
        if atTheStart { store = try fixture.open(spoiling(1)) }
        #expect(try await store.result(of: .choice(id("b"), .enabled(true))).failure == nil || !atTheStart)
        try await store.make(.choice(id("b"), .enabled(true)))
        guard case .setAside(let path?, _) = store.condition else {
            Issue.record("the condition is \(store.condition)")
            return
        }
        #expect(try StoreFixture.contents(of: path) == damaged)
        #expect(fixture.setAside.count == 2)
        #expect(store.close())
    }
}
