// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import SnapshotStore

/// The store as the rest of the daemon uses it.
struct SnapshotStoreTests {
    let fixture = StoreFixture()

    /// A button, another display mode or editing only draws again, and does not make the content fresher.
    @Test @LoopActor func interactionsMakeNothingFresh() async throws {
        let store = try fixture.open()
        store.record(outcome("disk", .newData(Content(text: "40 %")), start: 100))
        store.record(outcome("disk", .failed("no network"), start: 200))
        let old = store.layers(of: id("disk")).own
        for reason in [RunReason.action, .mode, .editing] {
            store.record(outcome("disk", .noData, start: 300, reason: reason))
            #expect(store.layers(of: id("disk")).own == old)
            #expect(store.lastUpdate(of: id("disk"))?.failure == "no network")
        }
        store.record(outcome("disk", .newData(Content(text: "40 % of 1 TB")), start: 400, reason: .mode))
        #expect(store.layers(of: id("disk")).own?.content.text == "40 % of 1 TB")
        #expect(store.layers(of: id("disk")).own?.taken == old?.taken)
        store.record(outcome("disk", .newData(Content(text: "41 %")), start: 500, reason: .action))
        #expect(store.layers(of: id("disk")).own?.content.text == "41 %")
        #expect(store.layers(of: id("disk")).own?.taken == old?.taken)
        #expect(store.layers(of: id("disk")).own?.confirmed == old?.confirmed)
        #expect(store.lastUpdate(of: id("disk"))?.result == .failed)
        store.record(outcome("disk", .noData, start: 600))
        #expect(store.lastUpdate(of: id("disk"))?.result == .noData)
        store.close()
    }

    @Test @LoopActor func whatHappensBetweenRunsIsAnEntryOfTheLogAlone() throws {
        let store = try fixture.open()
        store.record(outcome("disk", .newData(Content(text: "40 %")), start: 100))
        let own = store.layers(of: id("disk")).own
        let changes = Counter()
        store.onReport = { if case .widgets(let widgets) = $0, widgets.contains(id("disk")) { changes.add() } }
        store.log(outcome("disk", .failed("killed"), start: 200))
        #expect(changes.value == 1, "who follows the log learns of it")
        #expect(store.layers(of: id("disk")).own == own)
        #expect(store.history(of: id("disk")).map(\.failure) == [nil, "killed"])
        #expect(store.close())
        #expect(try fixture.open().history(of: id("disk")).map(\.failure) == [nil, "killed"])
    }

    /// A run that ends right after a commit is written at the end of a pause, each time.
    @Test @LoopActor func everyPauseEndsWithACommit() async throws {
        let store = try fixture.open()
        for number in 1...4 {
            try await store.make(.choice(id("a"), .enabled(number % 2 == 0)))
            store.record(outcome("a", .newData(Content(text: "\(number)"))))
            try await eventually("run \(number) is on disk") {
                guard let copy = try? fixture.copyAsAfterACrash(), let again = try? copy.open() else { return false }
                defer { again.close() }
                return again.layers(of: id("a")).own?.content.text == "\(number)"
            }
        }
        #expect(store.close())
    }

    @Test @LoopActor func aNewStoreIsEmptyAndFine() throws {
        let store = try fixture.open()
        #expect(store.state == StoredState())
        #expect(store.condition == .ok)
        #expect(store.condition.sentence == "ok")
        #expect(store.complaints.isEmpty)
        #expect(store.close())
    }

    @Test @LoopActor func aChangeIsVisibleWhenItIsAcknowledged() async throws {
        let store = try fixture.open()
        let changes = Arrivals<Set<WidgetID>>("change")
        store.onReport = { if case .widgets(let widgets) = $0 { changes.send(widgets) } }
        let ends = Arrivals<Void>("end")
        store.change(.choice(id("disk"), .hasContent(false))) { _ in ends.send() }
        #expect(store.choices(of: id("disk")).hasContent)
        try await ends.next()
        #expect(!store.choices(of: id("disk")).hasContent)
        #expect(try await changes.next() == [id("disk")])
        store.close()
        #expect(try !fixture.open().choices(of: id("disk")).hasContent)
    }

    @Test @LoopActor func movesInOneTurnBuildOnEachOther() async throws {
        let store = try fixture.open()
        let all = ids("a b c d")
        store.change(.move(id("d"), .up, among: all))
        store.change(.move(id("d"), .up, among: all))
        try await store.make(.move(id("a"), .last, among: all))
        #expect(store.order(of: all) == ids("d b c a"))
        store.close()
        #expect(try fixture.open().order(of: all) == ids("d b c a"))
    }

    @Test @LoopActor func whatAWidgetGivesIsVisibleAtOnceAndStays() throws {
        var store = try fixture.open()
        store.record(outcome("disk", .newData(Content(text: "40 %"))))
        store.record(outcome("disk", .noData, start: 200))
        store.record(outcome("disk", .failed("timed out"), start: 300, errorOutput: "oh\n"))
        for _ in 0..<2 {
            let snapshot = try #require(store.layers(of: id("disk")).own)
            #expect(snapshot.content == Content(text: "40 %"))
            #expect(snapshot.taken == WallTime(microseconds: 101_000_000))
            #expect(snapshot.confirmed == WallTime(microseconds: 201_000_000))
            #expect(store.history(of: id("disk")).map(\.result) == [.newData, .noData, .failed])
            #expect(store.lastUpdate(of: id("disk"))?.failure == "timed out")
            #expect(store.lastUpdate(of: id("disk"))?.errorOutput == "oh\n")
            #expect(store.close())
            store = try fixture.open()
        }
    }

    @Test @LoopActor func pushedContentIsAcknowledgedAndCanBeTakenBack() async throws {
        var store = try fixture.open()
        try await store.keep(pushed("pushed", expires: 160), for: id("a")).get()
        try await store.keep(pushed("gone"), for: id("b")).get()
        try await store.keep(nil, for: id("b")).get()
        store.close()
        store = try fixture.open()
        #expect(store.layers(of: id("a")) == Layers(pushed: pushed("pushed", expires: 160)))
        #expect(store.layers(of: id("b")) == Layers())
    }

    /// What the store remembers of a widget after each run.
    @Test @LoopActor func whatAWidgetHasSeenAndAskedForIsRemembered() throws {
        var store = try fixture.open()
        var seen = UpdateInputs()
        (seen.mode, seen.size, seen.program) = (.compact, Size(columns: 60, rows: 4), 0xabc)
        seen.groups["g.g"] = 7
        store.record(outcome("a", .newData(Content(text: "x")), start: 99), seen: seen)
        store.remember(id("a")) { $0.largestMode = .expanded }
        var failed = outcome("a", .failed("rate limited"), start: 199)
        failed.nextAsk = .wait(.minutes(16))
        store.record(failed)
        let memory = WidgetMemory(
            largestMode: .expanded, seen: seen, notBefore: WallTime(microseconds: 200_000_000) + .minutes(16))
        for _ in 0..<2 {
            #expect(store.memory(of: id("a")) == memory)
            store.close()
            store = try fixture.open()
        }
        // A button does not change it; the next update does.
        store.record(outcome("a", .newData(Content(text: "y")), start: 299, reason: .action))
        #expect(store.memory(of: id("a")) == memory)
        store.record(outcome("a", .failed("no network"), start: 399))
        #expect(store.memory(of: id("a")) == WidgetMemory(largestMode: .expanded, seen: seen))
    }

    /// Drafts and placeholders are never written.
    @Test @LoopActor func whatIsASketchIsNotKept() throws {
        var store = try fixture.open()
        store.record(outcome("a", .newData(Content(text: "own"))))
        let kept = store.layers(of: id("a"))
        store.changeInMemory(id("a")) {
            $0.edit(at: BootTime(microseconds: 5))
            $0.draft?.content = Content(text: "editor")
        }
        store.changeInMemory(id("b")) { $0.placeholder = Content(text: "--") }
        store.record(outcome("a", .noData, start: 300))
        store.close()
        store = try fixture.open()
        #expect(store.layers(of: id("a")).draft == nil)
        #expect(store.layers(of: id("a")).own?.content == kept.own?.content)
        #expect(store.layers(of: id("b")).isEmpty)
    }

    @Test @LoopActor func aConfirmedSnapshotKeepsItsContentOnDisk() async throws {
        var store = try fixture.open()
        store.record(outcome("a", .newData(Content(text: "x")), start: 99))
        store.close()
        store = try fixture.open()
        store.record(outcome("a", .noData, start: 899))
        var confirmed = own("x")
        confirmed.confirmed = WallTime(microseconds: 900_000_000)
        store.close()
        store = try fixture.open()
        #expect(store.layers(of: id("a")).own == confirmed)
    }

    @Test @LoopActor func defaultsAreKeptByGroup() async throws {
        var store = try fixture.open()
        let groups = Arrivals<[AppGroup: [WidgetID?]]>("defaults")
        store.onReport = { if case .defaults(let all) = $0 { groups.send(all) } }
        store.change(.defaults(group: "g.g", key: "b", value: ["x": [1, 2.5, .null]]))
        store.change(.defaults(group: "g.g", key: "a", value: "ü"))
        store.change(.defaults(group: "g.g", key: "c", value: 1))
        try await store.make(.defaults(group: "g.g", key: "c", value: nil))
        #expect(try await groups.next() == ["g.g": [nil, nil, nil, nil]])
        #expect(store.revision(of: "g.g") == 4)
        for _ in 0..<2 {
            #expect(store.defaults(of: "g.g").keys == ["a", "b"])
            #expect(store.defaults(of: "g.g") == ["a": "ü", "b": ["x": [1, 2.5, .null]]])
            #expect(store.defaults(of: "g.other").isEmpty)
            store.close()
            store = try fixture.open()
        }
    }

    @Test @LoopActor func aTurnOfTheLoopIsOneCommit() async throws {
        let counter = Counter()
        let store = try fixture.open(StoreOptions(beforeCommit: { counter.add() }))
        for number in 0..<100 { store.record(outcome("w\(number)", .newData(Content(text: "x")))) }
        try await store.make(.choice(id("a"), .enabled(true)))
        #expect(counter.value == 1)
    }

    @Test @LoopActor func whatIsOnDiskAlreadyNeedsNoCommit() async throws {
        let counter = Counter()
        let store = try fixture.open(StoreOptions(beforeCommit: { counter.add() }))
        try await store.make(.choice(id("a"), .hasContent(true)))
        #expect(counter.value == 0)
    }

    @Test @LoopActor func theUpdateLogIsBoundedOnDiskToo() throws {
        var store = try fixture.open()
        for number in 1...70 {
            store.record(outcome("a", .failed("run \(number)"), errorOutput: "oops"))
        }
        let history = store.history(of: id("a"))
        store.close()
        store = try fixture.open()
        #expect(history.count == 50)
        #expect(store.history(of: id("a")) == history)
        #expect(store.everything.widgets[id("a")].log.entries.first?.number == 21)
    }

    @Test @LoopActor func theLastUpdateIsKeptOnDiskHoweverManyButtonsArePressed() throws {
        var store = try fixture.open()
        store.record(outcome("a", .failed("old")))
        store.record(outcome("a", .failed("no route to host")))
        for _ in 0..<120 {
            store.record(outcome("a", .newData(Content(text: "x")), reason: .action))
            store.commits.startCommits()
        }
        store.close()
        store = try fixture.open()
        #expect(store.lastUpdate(of: id("a"))?.failure == "no route to host")
        #expect(store.history(of: id("a")).count == 50)
        // The next update replaces it.
        store.record(outcome("a", .noData))
        store.close()
        store = try fixture.open()
        #expect(store.lastUpdate(of: id("a"))?.result == .noData)
        #expect(store.history(of: id("a")).allSatisfy { $0.failure == nil })
    }

    @Test @LoopActor func ofWidgetsThatHaveGoneTheNewestAreKept() async throws {
        var store = try fixture.open()
        for number in 0..<80 {
            store.record(outcome("w\(number)", .newData(Content(text: "x")), start: Int64(1_000 + number)))
        }
        try await store.make(.choice(id("w3"), .enabled(false)))
        store.forgetDeparted { $0 == id("w0") || $0 == id("w1") }
        func kept(_ store: SnapshotStore) -> [Int] {
            (0..<80).filter { store.layers(of: id("w\($0)")).own != nil && !store.history(of: id("w\($0)")).isEmpty }
        }
        #expect(kept(store) == [0, 1] + Array(30..<80))
        // A widget that returns begins again.
        store.record(outcome("w2", .newData(Content(text: "again")), start: 5_000))
        store.close()
        store = try fixture.open()
        #expect(kept(store) == [0, 1, 2] + Array(30..<80))
        #expect(store.history(of: id("w2")).count == 1)
        #expect(store.choices(of: id("w3")).enabled == false)
    }

    /// A push counts as recent activity, and a memory is forgotten with its widget.
    @Test @LoopActor func whatWasPushedLatelyIsNotForgotten() async throws {
        let store = try fixture.open()
        for number in 0...StoreLimits.departedWidgets {
            store.record(outcome("w\(number)", .newData(Content(text: "x")), start: Int64(1_000 + number)))
            store.remember(id("w\(number)")) { $0.largestMode = .compact }
        }
        store.change(.push(id("w0"), pushed("late", taken: 9_000)))
        store.forgetDeparted { _ in false }
        #expect(store.layers(of: id("w0")).pushed != nil)
        #expect(store.layers(of: id("w1")).isEmpty)
        #expect(store.memory(of: id("w1")) == WidgetMemory())
        #expect(store.memory(of: id("w2")) == WidgetMemory(largestMode: .compact))
    }

    @Test @LoopActor func anEndedStoreTakesNoChanges() async throws {
        let store = try fixture.open()
        store.close()
        let result = try await store.result(of: .choice(id("a"), .enabled(true)))
        #expect(result.failure == Refusal.notStored("the daemon is ending"))
    }

    @Test @LoopActor func aRefusedChangeSaysWhy() async throws {
        let store = try fixture.open()
        let result = try await store.result(of: .defaults(group: "g.g", key: "", value: 1))
        #expect(result.failure == Refusal.refused("the key is empty"))
    }

    @Test @LoopActor func aSecondStoreOnTheSameFileIsAnError() throws {
        let store = try fixture.open()
        #expect {
            _ = try fixture.open(StoreOptions(lockTimeout: 0))
        } throws: { error in
            error is StoreUnavailable && "\(error)".contains("in use by another process")
        }
        store.close()
    }
}
