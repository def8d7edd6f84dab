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
    @Test(arguments: 9...Schema.migrations.version)
    @LoopActor func eachVersionIsReadAndWritten(version: Int) async throws {
        try fixture.makeVersion(version)
        var store = try fixture.open()
        try expectContents(of: store)
        #expect(store.condition == .ok)
        try await store.make(.choice(id("weather"), .enabled(true)))
        store.close()
        store = try fixture.open()
        #expect(store.choices(of: id("weather")).enabled == true)
        try expectContents(of: store)
    }

    /// What this version makes has the tables of the fixture.
    @Test @LoopActor func aNewDatabaseHasTheSameTables() throws {
        func tables(_ fixture: StoreFixture) throws -> [String] {
            let database = try Database(path: fixture.path, mode: .readWriteCreate)
            let rows = try database.prepare(
                """
                SELECT m.name, c.name, c.type, c."notnull", c.pk FROM sqlite_schema m, pragma_table_info(m.name) c
                WHERE m.type = 'table' ORDER BY m.name, c.cid
                """)
            var tables: [String] = []
            while try rows.step() { tables.append((0..<5).map { rows.string($0) }.joined(separator: " ")) }
            return tables
        }
        try fixture.makeVersion(9)
        let new = StoreFixture()
        try new.open().close()
        #expect(try tables(new) == tables(fixture))
    }

    @LoopActor private func expectContents(of store: SnapshotStore) throws {
        #expect(store.complaints.isEmpty)
        var choices = Choices()
        (choices.enabled, choices.mode, choices.places[.lockScreen], choices.rank) = (true, .expanded, true, 0)
        #expect(store.choices(of: id("btc")) == choices)
        #expect(store.added == [id("weather@bern")])
        #expect(store.defaults(of: "group.org.example") == ["unit": "celsius"])
        #expect(store.revision(of: "group.org.example") == 12)
        let layers = store.layers(of: id("btc"))
        #expect(layers.own?.content.text == "Bitcoin 37,000")
        #expect(layers.own?.taken == WallTime(microseconds: 1_700_000_000_000_000))
        #expect(layers.own?.confirmed == WallTime(microseconds: 1_700_000_060_000_000))
        #expect(layers.own?.content.timeline?.policy == .never)
        #expect(layers.own?.content.timeline?.entries.first?.content.text == "closed")
        #expect(
            layers.pushed
                == Layers.Pushed(
                    Content(text: "pushed"), taken: WallTime(microseconds: 1_700_000_030_000_000),
                    expires: WallTime(microseconds: 1_700_003_630_000_000), by: "user 1000"))
        let memory = store.memory(of: id("btc"))
        #expect(memory.largestMode == .compact)
        #expect(memory.seen?.groups == ["group.org.example": 11])
        #expect(memory.seen?.size == Size(columns: 60, rows: 4) && memory.seen?.program == 0x539c_2788_a186_24f4)
        #expect(memory.notBefore == WallTime(microseconds: 1_700_001_020_000_000))
        #expect(memory.nextAsk == .never)
        #expect(memory.tried?.groups == ["group.org.example": 12] && memory.tried?.mode == .expanded)
        #expect(
            store.settings(of: id("btc")) == [
                "CURRENCY": SettingValue("CHF"), "TOKEN": SettingValue("hunter2", isSecret: true),
                "CITIES": SettingValue("New York\nBern"),
            ])
        let run = try #require(store.lastUpdate(of: id("btc")))
        #expect(run.result == .failed && run.reason == .retry && run.duration == .seconds(10))
        #expect(run.failure == "rate limited" && run.exit == "exited with status 75" && run.errorOutput == "slow down")
        #expect(run.usage == RunUsage(processor: .milliseconds(35), memory: ByteSize(bytes: 12_582_912)))
        let series = try #require(store.numbers(of: id("btc"))["percentage"])
        #expect(series.first == 1_021)
        #expect(series.samples.map(\.value) == [62, -0.5, 1e308])
        #expect(
            series.samples.map(\.date.microseconds) == [
                1_700_000_000_000_000, 1_700_000_060_000_000, 1_699_000_000_000_000,
            ])
    }

    /// A number of a build before the first release, or one that does not fit the tables. What can be read is kept.
    @Test(arguments: [-1, 0, 1, 7, 8]) @LoopActor func aNumberWithoutAStepIsDamage(number: Int) async throws {
        try fixture.makeVersion(9)
        do {
            let database = try Database(path: fixture.path, mode: .readWriteCreate)
            try database.setUserVersion(number)
        }
        let store = try fixture.open()
        guard case .setAside(let path?, _) = store.condition else {
            Issue.record("the condition is \(store.condition)")
            return
        }
        try expectContents(of: store)
        #expect(access(path, F_OK) == 0)
        try await store.make(.choice(id("a"), .enabled(true)))
        #expect(store.close())
    }

    /// A table that the user has added with other tools is not damage.
    @Test @LoopActor func aTableOfSomebodyElseIsNoMatter() async throws {
        try fixture.makeVersion(9)
        do {
            let database = try Database(path: fixture.path, mode: .readWriteCreate)
            try database.execute("CREATE TABLE notes (note TEXT); ALTER TABLE runs ADD COLUMN note TEXT")
        }
        let store = try fixture.open()
        #expect(store.condition == .ok && store.complaints.isEmpty)
        #expect(store.close())
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
