// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import SQLite
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore

/// Databases of earlier and later versions.
struct OtherVersionsTests {
    let fixture = StoreFixture()

    /// Every version has a fixture, including this one, which will be an earlier version some day.
    @Test(arguments: 1...Schema.migrations.version)
    @LoopActor func eachVersionIsReadAndWritten(version: Int) async throws {
        try fixture.makeVersion(version)
        var store = try fixture.open()
        #expect(store.condition == .ok)
        #expect(store.complaints.isEmpty)
        var choices = Choices()
        (choices.enabled, choices.mode, choices.places[.lockScreen], choices.rank) = (true, .expanded, true, 0)
        #expect(store.choices(of: id("btc")) == choices)
        #expect(store.defaults(of: "group.org.example")["unit"] == "celsius")
        #expect(store.layers(of: id("btc")).own?.content.text == "Bitcoin 37,000")
        #expect(store.lastUpdate(of: id("btc"))?.errorOutput.isEmpty == false)
        try await store.make(.choice(id("weather"), .enabled(true)))
        store.close()
        store = try fixture.open()
        #expect(store.choices(of: id("btc")) == choices)
        #expect(store.choices(of: id("weather")).enabled == true)
        #expect(store.layers(of: id("btc")).own?.content.text == "Bitcoin 37,000")
    }

    @Test @LoopActor func version1HasOneSlotForAllLayers() throws {
        try fixture.makeVersion(1)
        try expectVersion1(try fixture.open())
    }

    /// On a disk that cannot be written, an older database is read from a copy that is migrated in memory.
    @Test(.enabled(if: TinyDisk.isPossible, "mounting takes root"), arguments: 1..<Schema.migrations.version)
    @LoopActor func anOlderDatabaseOnAReadOnlyDiskIsRead(version: Int) throws {
        let disk = try #require(TinyDisk(over: fixture.directory.path))
        try fixture.makeVersion(version)
        let before = try fixture.contents()
        try disk.setReadOnly(true)
        let store = try fixture.open()
        #expect(store.complaints.isEmpty)
        #expect(!store.condition.isDurable)
        let found = store.everything
        store.close()
        #expect(try fixture.contents() == before)
        try disk.setReadOnly(false)
        #expect(try fixture.open().everything == found)
    }

    @Test @LoopActor func version2IsRead() throws {
        try fixture.makeVersion(2)
        let store = try fixture.open()
        #expect(store.condition == .ok && store.complaints.isEmpty)
        let layers = store.layers(of: id("btc"))
        #expect(layers.own?.content.timeline?.policy == .never)
        #expect(layers.own?.content.timeline?.entries.first?.content.text == "closed")
        #expect(
            layers.pushed
                == Layers.Pushed(
                    Content(text: "pushed"), taken: WallTime(microseconds: 1_700_000_030_000_000),
                    expires: WallTime(microseconds: 1_700_003_630_000_000), by: "user 1000"))
        #expect(store.revision(of: "group.org.example") == 12)
        let memory = store.memory(of: id("btc"))
        #expect(memory.largestMode == .compact)
        #expect(memory.seen?.groups == ["group.org.example": 11])
        #expect(memory.seen?.size == Size(columns: 60, rows: 4) && memory.seen?.program == 0x539c_2788_a186_24f4)
        #expect(memory.notBefore == WallTime(microseconds: 1_700_001_020_000_000))
        #expect(memory.nextAsk == .never)
    }

    @Test @LoopActor func version9KnowsWhatWasAdded() throws {
        for version in 8...9 {
            let fixture = StoreFixture()
            try fixture.makeVersion(version)
            #expect(try fixture.open().added == (version == 9 ? [id("weather@bern")] : []))
        }
    }

    @Test @LoopActor func version3KnowsWhatWasTried() throws {
        try fixture.makeVersion(3)
        let memory = try fixture.open().memory(of: id("btc"))
        #expect(memory.tried?.groups == ["group.org.example": 12])
        #expect(memory.tried?.mode == .expanded)
    }

    @Test @LoopActor func version4HasSettings() throws {
        try fixture.makeVersion(4)
        #expect(
            try fixture.open().settings(of: id("btc")) == [
                "CURRENCY": SettingValue("CHF"), "TOKEN": SettingValue("hunter2", isSecret: true),
                "CITIES": SettingValue("New York\nBern"),
            ])
    }

    @Test(arguments: [5, 6]) @LoopActor func version5HasHistories(version: Int) throws {
        try fixture.makeVersion(version)
        let series = try fixture.open().numbers(of: id("btc"))["percentage"]
        #expect(series?.first == 1_021)
        #expect(series?.samples.map(\.value) == [62, -0.5, 1e308])
        #expect(
            series?.samples.map(\.date.microseconds) == [
                1_700_000_000_000_000, 1_700_000_060_000_000, 1_699_000_000_000_000,
            ])
    }

    /// The number in the header does not fit the tables. What every version has is read.
    @Test(arguments: [(1, 2), (1, 3), (2, 1), (2, 3), (3, 4), (4, 5), (2, 0), (2, -1)])
    @LoopActor func aNumberThatDoesNotFitTheTablesIsDamage(version: Int, number: Int) async throws {
        try fixture.makeVersion(version)
        do {
            let database = try Database(path: fixture.path, mode: .readWriteCreate)
            try database.setUserVersion(number)
        }
        let store = try fixture.open()
        guard case .setAside(let path?, _) = store.condition else {
            Issue.record("the condition is \(store.condition)")
            return
        }
        #expect(store.choices(of: id("btc")).mode == .expanded)
        #expect(store.defaults(of: "group.org.example")["unit"] == "celsius")
        #expect(access(path, F_OK) == 0)
        try await store.make(.choice(id("a"), .enabled(true)))
        #expect(store.close())
    }

    /// A table that the user has added with other tools is not damage.
    @Test @LoopActor func aTableOfSomebodyElseIsNoMatter() async throws {
        try fixture.makeVersion(2)
        do {
            let database = try Database(path: fixture.path, mode: .readWriteCreate)
            try database.execute("CREATE TABLE notes (note TEXT); ALTER TABLE runs ADD COLUMN note TEXT")
        }
        let store = try fixture.open()
        #expect(store.condition == .ok && store.complaints.isEmpty)
        #expect(store.close())
    }

    @LoopActor private func expectVersion1(_ store: SnapshotStore) throws {
        let bitcoin = store.choices(of: id("btc"))
        #expect(bitcoin.enabled == true)
        #expect(bitcoin.hasContent)
        #expect(bitcoin.mode == .expanded)
        #expect(bitcoin.places == [.lockScreen: true])
        #expect(bitcoin.rank == 0)
        let weather = store.choices(of: id("weather"))
        #expect(weather.enabled == false)
        #expect(!weather.hasContent)
        #expect(weather.mode == nil)
        #expect(weather.places == [:])
        #expect(weather.rank == nil)
        #expect(store.defaults(of: "group.org.example") == ["cities": ["Köln", "Wien"], "unit": "celsius"])
        let snapshot = try #require(store.layers(of: id("btc")).own)
        #expect(snapshot.content.text == "Bitcoin 37,000")
        #expect(snapshot.content.severity == .good)
        #expect(snapshot.content.percentage == 12.5)
        #expect(snapshot.taken == WallTime(microseconds: 1_700_000_000_000_000))
        #expect(snapshot.confirmed == WallTime(microseconds: 1_700_000_060_000_000))
        // Content with a time to live was pushed.
        #expect(store.layers(of: id("btc")).pushed == nil)
        #expect(store.layers(of: id("weather")).own == nil)
        let pushed = try #require(store.layers(of: id("weather")).pushed)
        #expect(pushed.content.text == "12 °C")
        #expect(pushed.expires == WallTime(microseconds: 1_700_003_600_000_000))
        #expect(store.memory(of: id("btc")) == WidgetMemory())
        #expect(store.revision(of: "group.org.example") == 0)
        let history = store.history(of: id("btc"))
        #expect(history.map(\.result) == [.newData, .failed])
        #expect(history.last?.reason == .retry)
        #expect(history.last?.duration == .seconds(10))
        #expect(history.last?.failure == "timed out after 10 s (Timeout=10s)")
        #expect(history.last?.exit == "killed by SIGKILL")
        #expect(history.last?.errorOutput == "curl: (28) timeout")
    }

    @Test(arguments: [false, true])
    @LoopActor func aNewerDatabaseIsServedAndLeftUntouched(withLog: Bool) async throws {
        try fixture.makeVersion(Schema.migrations.version)
        do {
            let database = try Database(path: fixture.path, mode: .readWriteCreate)
            try database.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL")
            if withLog { database.keepLogOnClose() }
            try database.execute(
                """
                ALTER TABLE choices ADD COLUMN colour TEXT; CREATE TABLE themes (name TEXT);
                DROP TABLE runs; PRAGMA user_version = 77
                """)
        }
        let files = ["", "-wal"].filter { access(fixture.path + $0, F_OK) == 0 }
        #expect(files.count == (withLog ? 2 : 1))
        let before = try files.map(fixture.contents)

        let store = try fixture.open()
        #expect(!store.condition.isDurable)
        #expect(store.condition.sentence.contains("written by a newer todayd"))
        #expect(
            store.condition.sentence.contains(
                "version 77, this program knows versions up to \(Schema.migrations.version)"))
        #expect(store.choices(of: id("btc")).mode == .expanded)
        #expect(store.layers(of: id("btc")).pushed?.content.text == "pushed")
        #expect(store.complaints.contains { $0.hasPrefix("update logs cannot be read") })
        let result = try await store.result(of: .choice(id("btc"), .enabled(false)))
        #expect(result.failure == Refusal.notStored(store.condition.sentence))
        #expect(store.choices(of: id("btc")).enabled == true)
        store.record(outcome("btc", .newData(Content(text: "new"))))
        #expect(store.layers(of: id("btc")).own?.content.text == "new")
        #expect(try await store.keep(pushed("pushed"), for: id("btc")).failure?.isNotStored == true)
        store.close()

        #expect(try files.map(fixture.contents) == before)
        #expect(fixture.setAside.isEmpty)
    }
}
