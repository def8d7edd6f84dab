// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import SQLite
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore

/// On a full disk, the store still serves, and it recovers when there is room again.
struct FullDiskTests {
    let fixture = StoreFixture()

    @Test(.enabled(if: TinyDisk.isPossible, "mounting takes root"))
    @LoopActor func aFullDiskIsSaidAndSurvived() async throws {
        let disk = try #require(TinyDisk(over: fixture.directory.path))
        let store = try fixture.open()
        try await expectService(of: store) {
            try disk.fill()
        } thenWithRoom: {
            disk.makeRoom()
        }
    }

    @Test @LoopActor func aDatabaseAtItsLimitIsSaidAndSurvived() async throws {
        let store = try fixture.open(StoreOptions(pageLimit: 16))
        try await expectService(of: store) {
        } thenWithRoom: {
            store.change(.push(id("large"), pushed("small")))
        }
    }

    @Test(.enabled(if: TinyDisk.isPossible, "mounting takes root"))
    @LoopActor func aDiskThatIsFullAtTheStartIsSurvived() async throws {
        let disk = try #require(TinyDisk(over: fixture.directory.path))
        try disk.fill()
        let store = try fixture.open()
        guard case .full = store.condition else {
            Issue.record("the condition is \(store.condition)")
            return
        }
        store.record(outcome("disk", .newData(Content(text: "100 %"))))
        #expect(try await store.result(of: .choice(id("a"), .enabled(true))).failure?.isNotStored == true)
        #expect(store.layers(of: id("disk")).own?.content.text == "100 %")
        disk.makeRoom()
        try await store.make(.choice(id("a"), .enabled(true)))
        #expect(store.condition == .ok)
        let everything = store.everything
        store.close()
        #expect(try fixture.open().everything == everything)
    }

    @Test(.enabled(if: TinyDisk.isPossible, "mounting takes root"))
    @LoopActor func aDamagedDatabaseOnAFullDiskIsSetAsideOnce() async throws {
        let disk = try #require(TinyDisk(over: fixture.directory.path))
        let store = try fixture.open()
        try await store.make(.choice(id("a"), .enabled(true)))
        #expect(unlink(fixture.path) == 0)
        try disk.fill()
        for _ in 0..<3 {
            #expect(try await store.result(of: .choice(id("b"), .enabled(true))).failure?.isNotStored == true)
        }
        #expect(fixture.setAside.isEmpty, "what is at its place by now is the new one")
        disk.makeRoom()
        try await store.make(.choice(id("b"), .enabled(true)))
        #expect(fixture.setAside.isEmpty)
        store.close()
        let again = try fixture.open()
        #expect(again.choices(of: id("a")).enabled == true)
        #expect(again.choices(of: id("b")).enabled == true)
    }

    /// There is room for one database, not for two: the damaged one stays until the new one has its data.
    @Test(.enabled(if: TinyDisk.isPossible, "mounting takes root"))
    @LoopActor func aDamagedDatabaseStaysUntilThereIsRoomForANewOne() async throws {
        let disk = try #require(TinyDisk(over: fixture.directory.path))
        do {
            let store = try fixture.open()
            try await store.make(.choice(id("a"), .enabled(true)))
            store.close()
        }
        try fixture.overwrite(at: 0, count: 100, with: 0x58)
        let damaged = try fixture.contents()
        try disk.fill()
        let store = try fixture.open()
        #expect(!store.condition.isDurable)
        for _ in 0..<3 {
            #expect(try await store.result(of: .choice(id("b"), .enabled(true))).failure?.isNotStored == true)
        }
        #expect(fixture.setAside.isEmpty)
        #expect(try fixture.contents() == damaged)
        #expect(access(fixture.path + ".new", F_OK) != 0, "what could not be completed takes no room")
        disk.makeRoom()
        try await store.make(.choice(id("a"), .enabled(false)))
        guard case .setAside(let path?, _) = store.lasting else {
            Issue.record("nothing was set aside: \(store.lasting)")
            return
        }
        #expect(try StoreFixture.contents(of: path) == damaged)
        #expect(store.condition == store.lasting)
    }

    /// While nothing can be written, a widget invents a name in each run. What is written later is what is in memory: no row
    /// is left of the names that have gone, those of before included.
    @Test(.enabled(if: TinyDisk.isPossible, "mounting takes root"))
    @LoopActor func namesThatGoOnAFullDiskLeaveNothing() async throws {
        let disk = try #require(TinyDisk(over: fixture.directory.path))
        let store = try fixture.open()
        func update(_ second: Int64, _ name: String) throws {
            var content = Content(text: "x")
            content.metrics = [try #require(Metric(name, 1)), try #require(Metric("a", Double(second)))]
            store.record(outcome("w", .newData(content), start: second))
        }
        for second in 0..<Int64(40) { try update(second, "before\(second)") }
        try await store.make(.choice(id("a"), .enabled(true)))
        try disk.fill()
        var failures = 0
        for second in 40..<Int64(400) {
            try update(second, "during\(second)")
            guard second % 40 == 0 else { continue }
            let result = try await store.result(of: .choice(id("a"), .enabled(false)))
            if result.failure?.isNotStored == true { failures += 1 }
        }
        #expect(failures > 0)
        // One of the names on disk is used again.
        try update(400, "before3")
        disk.makeRoom()
        try await store.make(.choice(id("a"), .enabled(false)))
        let everything = store.everything
        #expect(everything.widgets[id("w")].history.series.count == History.mostNames)
        store.close()
        #expect(try fixture.open().everything.widgets == everything.widgets)
        // A start would leave out what is too much.
        let database = try Database(path: fixture.path, mode: .readOnly)
        #expect(try database.integer("SELECT count(DISTINCT name) FROM samples") == Int64(History.mostNames))
    }

    /// Expects that changes fail with a reason while the disk is full, that reading works, and that everything is
    /// written later.
    @LoopActor private func expectService(
        of store: SnapshotStore, whenFull fill: () throws -> Void, thenWithRoom makeRoom: () throws -> Void
    ) async throws {
        let conditions = Arrivals<StoreCondition>("condition")
        store.onReport = { if case .condition(let condition) = $0 { conditions.send(condition) } }
        try await store.make(.choice(id("a"), .enabled(true)))
        try fill()

        #expect(try await store.keep(large, for: id("large")).failure?.isNotStored == true)
        guard case .full(let reason) = try await conditions.next() else {
            Issue.record("the condition is \(store.condition)")
            return
        }
        #expect(reason.hasPrefix("there is no room for \(fixture.path)"))
        let result = try await store.result(of: .choice(id("a"), .enabled(false)))
        #expect(result.failure == Refusal.notStored(store.condition.sentence))
        #expect(store.choices(of: id("a")).enabled == true)
        #expect(store.layers(of: id("large")).pushed == large)

        try makeRoom()
        try await store.make(.choice(id("a"), .enabled(false)))
        #expect(store.condition == .ok)
        #expect(try await conditions.next() == .ok)
        #expect(store.choices(of: id("a")).enabled == false)
        let everything = store.everything
        store.close()
        #expect(try fixture.open().everything == everything)
    }

    /// A snapshot of half a megabyte.
    private var large: Layers.Pushed {
        var large = pushed("large")
        large.content.tooltip = String(repeating: "x", count: 16_000)
        large.content.compact = .stack(
            .init(
                .vertical, (0..<32).map { .text(.init(String(repeating: "\($0 % 10)", count: 16_000))) }
            ))
        return large
    }
}
