// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import SQLite
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore

/// What users set of widgets' settings.
struct StoredSettingsTests {
    let fixture = StoreFixture()
    private static let bern = SettingValue("Bern")
    private static let token = SettingValue("hunter2", isSecret: true)

    private func set(_ values: [String: SettingValue?], _ name: String = "btc") -> Change {
        .settings(id(name), values)
    }

    @Test func aChangeSetsReplacesAndRemoves() throws {
        var state = StoredState()
        #expect(
            try set(["CITY": Self.bern, "TOKEN": Self.token]).apply(to: &state) == [
                .setting(id("btc"), name: "CITY", Self.bern), .setting(id("btc"), name: "TOKEN", Self.token),
            ])
        #expect(try set(["CITY": Self.bern]).apply(to: &state) == [])
        // A value that becomes a secret is another one.
        let secret = SettingValue("Bern", isSecret: true)
        #expect(try set(["CITY": secret]).apply(to: &state) == [.setting(id("btc"), name: "CITY", secret)])
        #expect(state.settings == [id("btc"): ["CITY": secret, "TOKEN": Self.token]])
        #expect(try set(["CITY": nil]).apply(to: &state) == [.setting(id("btc"), name: "CITY", nil)])
        #expect(try set(["CITY": nil]).apply(to: &state) == [])
        #expect(try set(["TOKEN": nil]).apply(to: &state).count == 1)
        #expect(state == StoredState())
    }

    @Test func waitingValuesCountForTheLimitOfMemory() {
        let value = SettingValue(String(repeating: "x", count: Setting.valueBytes))
        #expect(set(["A": value, "B": value]).bytes > 2 * Setting.valueBytes)
    }

    @Test @LoopActor func valuesAreOnDiskBeforeTheAnswerAndVisibleAfterIt() async throws {
        let store = try fixture.open()
        let changes = Arrivals<[WidgetID: Set<String>]>("change")
        store.onReport = { if case .settings(let names) = $0 { changes.send(names) } }
        let ends = Arrivals<Void>("end")
        store.change(set(["CITY": Self.bern, "TOKEN": Self.token])) { _ in ends.send() }
        #expect(store.settings(of: id("btc")).isEmpty)
        try await ends.next()
        let values = ["CITY": Self.bern, "TOKEN": Self.token]
        #expect(store.settings(of: id("btc")) == values)
        #expect(try await changes.next() == [id("btc"): ["CITY", "TOKEN"]])
        // What a crash would leave has them.
        let crashed = try fixture.copyAsAfterACrash()
        #expect(try crashed.open().settings(of: id("btc")) == values)
        try await store.make(set(["CITY": nil]))
        store.close()
        #expect(try fixture.open().settings(of: id("btc")) == ["TOKEN": Self.token])
    }

    @Test @LoopActor func theFilesAreTheUsersAlone() async throws {
        umask(0)
        defer { umask(0o077) }
        let store = try fixture.open()
        try await store.make(set(["TOKEN": Self.token]))
        for suffix in ["", "-wal"] {
            var status = stat()
            #expect(stat(fixture.path + suffix, &status) == 0 && status.st_mode & 0o777 == 0o600, "\(suffix)")
        }
        store.close()
    }

    /// A database that is written anew from memory has all settings.
    @Test @LoopActor func aRemovedDatabaseIsWrittenWithSettings() async throws {
        let store = try fixture.open()
        try await store.make(set(["CITY": Self.bern, "TOKEN": Self.token]))
        unlink(fixture.path)
        unlink(fixture.path + "-wal")
        try await store.make(set(["CITY": Self.bern], "weather"))
        store.close()
        let next = try fixture.open()
        #expect(next.settings(of: id("btc")) == ["CITY": Self.bern, "TOKEN": Self.token])
        #expect(next.settings(of: id("weather")) == ["CITY": Self.bern])
    }

    @Test @LoopActor func aRowThatCannotBeASettingIsLostWithoutItsValue() throws {
        try fixture.makeVersion(9)
        do {
            let database = try Database(path: fixture.path, mode: .readWriteCreate)
            try database.execute(
                """
                INSERT INTO settings VALUES ('org.example.btc', 'LD_PRELOAD', 1, 'hunter3');
                INSERT INTO settings VALUES ('nobody', 'CITY', 1, 'hunter3')
                """)
        }
        let store = try fixture.open()
        #expect(store.settings(of: id("btc")).count == 3)
        #expect(
            store.complaints.sorted() == [
                "a row of settings is lost: nobody is not a widget",
                "a setting of org.example.btc is lost: its name or its value cannot be one",
            ])
    }

    /// The longest value that a user may set.
    @Test @LoopActor func aLongValueIsKept() async throws {
        let store = try fixture.open()
        let value = SettingValue(String(repeating: "x", count: Setting.valueBytes))
        try await store.make(set(["CITY": value]))
        #expect(store.close())
        let next = try fixture.open()
        #expect(next.settings(of: id("btc")) == ["CITY": value] && next.complaints.isEmpty)
        #expect(next.close())
    }

    @Test func aDamagedDatabaseKeepsItsSettings() throws {
        try fixture.makeVersion(9)
        let contents = Contents(salvaging: try Database(path: fixture.path, mode: .readOnly))
        #expect(contents.state.settings[id("btc")]?["TOKEN"] == Self.token)
        #expect(contents.rows.contains(.setting(id("btc"), name: "TOKEN", Self.token)))
    }
}
