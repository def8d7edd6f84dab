// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import SQLite
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore

/// The history of widgets' numbers on disk.
struct StoredHistoryTests {
    let fixture = StoreFixture()

    private func content(_ numbers: [String: Double], _ text: String = "x") throws -> Content {
        var content = Content(text: text)
        content.metrics = try numbers.sorted { $0.key < $1.key }.map { try #require(Metric($0.key, $0.value)) }
        return content
    }

    @LoopActor private func update(
        _ store: SnapshotStore, of name: String = "btc", _ numbers: [String: Double], second: Int64
    ) throws {
        store.record(outcome(name, .newData(try content(numbers, "\(second)")), start: second))
    }

    /// Waits until everything is on disk.
    @LoopActor private func settle(_ store: SnapshotStore) async throws {
        try await store.make(.choice(id("settled"), .enabled(Bool.random())))
        try await store.make(.choice(id("settled"), .hasContent(Bool.random())))
    }

    @LoopActor private func values(_ store: SnapshotStore, _ number: String = "a", of name: String = "btc") -> [Double]
    {
        store.numbers(of: id(name))[number]?.samples.map(\.value) ?? []
    }

    // MARK: What is a value

    @Test @LoopActor func updatesAndPushesGiveValues() async throws {
        let store = try fixture.open()
        try update(store, ["a": 1], second: 100)
        #expect(values(store) == [1])
        #expect(store.numbers(of: id("btc"))["a"]?.samples.first?.date.microseconds == 101_000_000)
        var content = try content(["a": 2])
        content.percentage = 62
        _ = try await store.keep(
            Layers.Pushed(content, taken: WallTime(microseconds: 200_000_000)), for: id("btc"))
        _ = try await store.keep(nil, for: id("btc"))
        #expect(values(store) == [1, 2] && values(store, "percentage") == [62])
        // A draft, a button, a failure and an answer without news give none.
        var pressed = outcome("btc", .newData(try self.content(["a": 3])), start: 300, reason: .action)
        pressed.interaction = .action("press")
        store.record(pressed)
        var edited = outcome("btc", .newData(try self.content(["a": 4])), start: 310)
        edited.isEditing = true
        store.record(edited)
        store.record(outcome("btc", .noData, start: 320))
        store.record(outcome("btc", .failed("no"), start: 330))
        store.changeInMemory(id("btc")) { $0.placeholder = content }
        #expect(values(store) == [1, 2])
        // The same content again is the same value again.
        store.renew(outcome("btc", .newData(try self.content(["a": 5])), start: 400))
        var again = outcome("btc", .noData, start: 500)
        again.isRepeated = true
        store.record(again)
        #expect(values(store) == [1, 2, 5, 5])
    }

    @Test @LoopActor func aChangeIsAnnouncedWithItsValues() throws {
        let store = try fixture.open()
        var seen: [[Double]] = []
        store.onReport = { [unowned store] in if case .widgets = $0 { seen.append(values(store)) } }
        try update(store, ["a": 1], second: 100)
        store.change(.push(id("btc"), Layers.Pushed(try content(["a": 2]), taken: WallTime(microseconds: 0))))
        #expect(seen.contains([1]) && seen.last == [1, 2] && !seen.contains([]))
    }

    // MARK: On disk

    @Test @LoopActor func valuesSurviveARestartAndACrash() async throws {
        var store = try fixture.open()
        for second in 0..<Int64(40) { try update(store, ["a": Double(second), "b": 1], second: second) }
        try await settle(store)
        let crashed = try fixture.copyAsAfterACrash().open()
        #expect(values(crashed) == (0..<40).map(Double.init))
        #expect(
            crashed.everything.widgets.table.dictionary.mapValues(\.history)
                == store.everything.widgets.table.dictionary.mapValues(\.history)
        )
        for second in 40..<Int64(2_100) { try update(store, ["a": Double(second)], second: second) }
        #expect(store.close())
        store = try fixture.open()
        #expect(store.complaints.isEmpty)
        #expect(values(store) == (1_100..<2_100).map(Double.init))
        #expect(store.numbers(of: id("btc"))["a"]?.end == 2_100)
        #expect(values(store, "b").count == 40)
        // No row is left of what has gone.
        store.close()
        let database = try Database(path: fixture.path, mode: .readOnly)
        #expect(try database.integer("SELECT min(number) FROM samples WHERE name = 'a'") == 1_100)
        #expect(try database.integer("SELECT count(*) FROM samples WHERE name = 'a'") == 1_000)
    }

    @Test @LoopActor func damagedRowsAreLostAndNamed() throws {
        try fixture.makeVersion(9)
        do {
            let database = try Database(path: fixture.path, mode: .readWriteCreate)
            try database.execute(
                """
                INSERT INTO samples VALUES ('nobody', 'a', 0, 0, 1);
                INSERT INTO samples VALUES ('org.example.btc', 'a' || char(27), 0, 0, 1);
                INSERT INTO samples VALUES ('org.example.btc', 'percentage', -1, 0, 1);
                INSERT INTO samples VALUES ('org.example.btc', 'b', 0, 0, 0), ('org.example.btc', 'b', 1, 0, 0)
                """)
        }
        let store = try fixture.open()
        let lost = "a value in the history of org.example.btc is lost: its numbers cannot have it"
        #expect(store.complaints.sorted() == ["a row of history is lost: nobody is not a widget", lost, lost])
        #expect(values(store, "percentage") == [62, -0.5, 1e308] && values(store, "b") == [0, 0])
        // The series goes on.
        store.record(outcome("btc", .newData(try content(["percentage": 7])), start: 100))
        #expect(store.numbers(of: id("btc"))["percentage"]?.end == 1_025)
    }

    @Test func aDamagedDatabaseKeepsItsHistories() throws {
        try fixture.makeVersion(9)
        let contents = Contents(salvaging: try Database(path: fixture.path, mode: .readOnly))
        let series = try #require(contents.widgets[id("btc")].history["percentage"])
        #expect(series.samples.count == 3 && series.first == 1_021)
        #expect(contents.rows.contains(.samples(id("btc"), name: "percentage", series, from: 1_021)))
    }

    /// A database that is written anew from memory has all values.
    @Test @LoopActor func aRemovedDatabaseIsWrittenWithHistories() async throws {
        let store = try fixture.open()
        for second in 0..<Int64(70) { try update(store, ["a": Double(second)], second: second) }
        try await settle(store)
        unlink(fixture.path)
        unlink(fixture.path + "-wal")
        try await settle(store)
        #expect(store.close())
        #expect(values(try fixture.open()) == (0..<70).map(Double.init))
    }

    // MARK: Widgets that go, names that give way

    @Test @LoopActor func aForgottenWidgetLosesItsHistory() async throws {
        let store = try fixture.open()
        for number in 0..<60 {
            try update(store, of: "w\(number)", ["a": 1], second: Int64(number))
        }
        store.forgetDeparted { $0 == id("w0") }
        #expect(values(store, of: "w0") == [1] && values(store, of: "w1").isEmpty && values(store, of: "w59") == [1])
        // It may come back before that is on disk.
        try update(store, of: "w1", ["a": 2], second: 1_000)
        #expect(store.close())
        let next = try fixture.open()
        #expect(values(next, of: "w0") == [1] && values(next, of: "w1") == [2] && values(next, of: "w2").isEmpty)
        #expect(values(next, of: "w59") == [1])
    }

    /// A widget that invents a name in each update.
    @Test @LoopActor func inventedNamesGiveWay() async throws {
        let store = try fixture.open()
        for second in 0..<Int64(500) { try update(store, ["n\(second)": 1, "a": 1], second: second) }
        #expect(store.numbers(of: id("btc")).series.count == History.mostNames)
        // A name that has gone comes back before the next commit, and has one value.
        try update(store, ["n0": 7], second: 500)
        #expect(store.close())
        let next = try fixture.open()
        #expect(next.numbers(of: id("btc")).series.count == History.mostNames)
        #expect(values(next).count == 500 && values(next, "n0") == [7] && values(next, "n499") == [1])
        next.close()
        let database = try Database(path: fixture.path, mode: .readOnly)
        #expect(try database.integer("SELECT count(DISTINCT name) FROM samples") == Int64(History.mostNames))
    }

    /// Names on disk go wherever they are: before, between and after those that stay.
    @Test @LoopActor func namesOnDiskGiveWay() async throws {
        let store = try fixture.open()
        let old = ["0", "A", "a", "a b", "m", "z", "zz", "\u{e9}", "e\u{301}", "\u{ffff}", "\u{1f344}"]
        for (second, name) in old.enumerated() { try update(store, [name: 1], second: Int64(second)) }
        for name in old { try update(store, of: "other", [name: 1], second: 0) }
        try await settle(store)
        // These stay because they have values again.
        try update(store, ["a": 2, "m": 2, "\u{e9}": 2], second: 100)
        for number in 0..<History.mostNames - 3 {
            try update(store, ["\(number % 2 == 0 ? "b" : "y")\(number)": 1], second: Int64(200 + number))
        }
        try await settle(store)
        let names = store.numbers(of: id("btc")).names
        #expect(names.count == History.mostNames && Set(names).isSuperset(of: ["a", "m", "\u{e9}"]))
        #expect(store.close())
        let next = try fixture.open()
        #expect(next.complaints.isEmpty && next.numbers(of: id("btc")).names == names)
        #expect(values(next) == [1, 2] && values(next, "m") == [1, 2])
        #expect(next.numbers(of: id("other")).series.count == old.count, "the names of another widget stay")
        next.close()
        // A start would leave out what is too much.
        let database = try Database(path: fixture.path, mode: .readOnly)
        let rows = try database.prepare(
            "SELECT DISTINCT name FROM samples WHERE widget = 'org.example.btc' ORDER BY name")
        var written: [String] = []
        while try rows.step() { written.append(rows.string(0)) }
        #expect(written.map { Array($0.utf8) } == names.map { Array($0.utf8) })
    }

    // MARK: The limit of all values

    @Test(
        arguments: [
            (0, 1_000), (1_000, 1_000), (1_001, 999), (2_000, 500), (10_000, 100), (650_000, 1), (10_000_000, 1),
        ])
    func manySeriesShareTheValues(series: Int, limit: Int) {
        #expect(KeptWidgets.limit(forSeries: series) == limit)
        #expect(series * limit <= KeptWidgets.mostSamples || limit == 1)
    }

    @Test func oneSeriesMoreShortensTheOthersWithTheirNextValues() throws {
        let full = Series((0..<1_000).map { Sample(Double($0), at: WallTime(microseconds: $0 * 1_000_000)) })
        let names = (0..<50).map { "m\($0)" }
        let history = History(Dictionary(uniqueKeysWithValues: names.map { (.init($0), full) }))
        var histories = KeptWidgets()
        histories.adopt(Dictionary(uniqueKeysWithValues: (0..<20).map { (id("w\($0)"), history) }))
        #expect(histories.limit == 1_000)
        for number in 0..<10 {
            let hasDropped = histories.append(
                [try #require(Metric("new", 1))], of: id("w\(number)"), at: WallTime(microseconds: 0))
            #expect(!hasDropped)
        }
        #expect(histories.limit == 990)
        #expect(histories[id("w1")].history["m0"]?.samples.count == 1_000)
        _ = histories.append([try #require(Metric("m0", 1))], of: id("w1"), at: WallTime(microseconds: 2_000_000_000))
        #expect(
            histories[id("w1")].history["m0"]?.samples.count == 990 && histories[id("w1")].history["m0"]?.first == 11)
        // A restart shortens all.
        var restarted = KeptWidgets()
        restarted.adopt(histories.table.dictionary.mapValues(\.history))
        #expect(restarted.limit == 990)
        #expect(
            restarted.table.dictionary.values.allSatisfy {
                $0.history.series.values.allSatisfy { $0.samples.count <= 990 }
            }
        )
        for number in 0..<10 { histories.forget(id("w\(number)")) }
        #expect(histories.limit == 1_000)
    }

    /// Otherwise it would count among the departed ones, of which the oldest are forgotten.
    @Test func aWidgetOfWhichNothingIsKeptIsInNoTable() throws {
        let id = try #require(WidgetID("org.example.a"))
        var kept = KeptWidgets()
        kept.update(id) { $0.memory.largestMode = .expanded }
        #expect(kept.table.ids == [id])
        kept.update(id) { $0.memory = WidgetMemory() }
        #expect(kept.table.ids.isEmpty)
    }
}
