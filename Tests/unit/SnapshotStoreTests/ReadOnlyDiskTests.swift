// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore

/// The store serves a database that it cannot write.
struct ReadOnlyDiskTests {
    let fixture = StoreFixture()

    @Test(.enabled(if: TinyDisk.isPossible, "mounting takes root"), arguments: [false, true])
    @LoopActor func aReadOnlyDiskIsServed(afterACrash: Bool) async throws {
        let database = try await makeDatabase(afterACrash: afterACrash)
        let disk = try #require(TinyDisk(over: fixture.directory.path))
        for (suffix, bytes) in database { try fixture.write(bytes, to: fixture.path + suffix) }
        try disk.setReadOnly(true)
        try await expectService { try disk.setReadOnly(false) }
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"), arguments: [0o500, 0o700] as [mode_t])
    @LoopActor func aFileOrDirectoryWithoutPermissionIsServed(directoryMode: mode_t) async throws {
        for (suffix, bytes) in try await makeDatabase(afterACrash: false) {
            try fixture.write(bytes, to: fixture.path + suffix)
        }
        #expect(chmod(fixture.path, directoryMode & 0o200 == 0 ? 0o600 : 0o400) == 0)
        #expect(chmod(fixture.directory.path, directoryMode) == 0)
        try await expectService {
            chmod(fixture.directory.path, 0o700)
            chmod(fixture.path, 0o600)
        }
    }

    @Test(.enabled(if: TinyDisk.isPossible, "mounting takes root"))
    @LoopActor func aReadOnlyDiskWithoutADatabaseIsServed() async throws {
        let disk = try #require(TinyDisk(over: fixture.directory.path))
        try disk.setReadOnly(true)
        let store = try fixture.open()
        guard case .readOnly = store.condition else {
            Issue.record("the condition is \(store.condition)")
            return
        }
        store.record(outcome("a", .newData(Content(text: "x"))))
        #expect(store.layers(of: id("a")).own?.content.text == "x")
        store.close()
    }

    /// The store has read a database that it could not open for writing. What it has read goes into the next one.
    @Test(.enabled(if: TinyDisk.isPossible, "mounting takes root"), arguments: ["removed", "emptied"])
    @LoopActor func aDatabaseThatGoesBeforeItIsWritableIsWrittenAnew(fate: String) async throws {
        let disk = try #require(TinyDisk(over: fixture.directory.path))
        for (suffix, bytes) in try await makeDatabase(afterACrash: false) {
            try fixture.write(bytes, to: fixture.path + suffix)
        }
        try disk.setReadOnly(true)
        var store = try fixture.open()
        try disk.setReadOnly(false)
        if fate == "removed" { #expect(unlink(fixture.path) == 0) } else { try fixture.write([], to: fixture.path) }
        try await store.make(.choice(id("b"), .hasContent(false)))
        #expect("\(store.condition)".contains("removed or emptied"))
        #expect(store.close())
        store = try fixture.open()
        #expect(!store.choices(of: id("a")).hasContent && !store.choices(of: id("b")).hasContent)
        #expect(store.layers(of: id("disk")).own?.content.text == "40 %")
        #expect(store.close())
    }

    /// The files of a database with one choice and every kind of widget data, by suffix. After a crash, only the log
    /// has the data.
    @LoopActor private func makeDatabase(afterACrash: Bool) async throws -> [String: [UInt8]] {
        let other = StoreFixture()
        let store = try other.open()
        store.record(outcome("disk", .newData(Content(text: "40 %"))))
        store.change(.push(id("disk"), pushed("late")))
        store.remember(id("disk")) { $0.largestMode = .compact }
        store.change(.defaults(group: "g.g", key: "k", value: 1))
        try await store.make(.choice(id("a"), .hasContent(false)))
        if !afterACrash { store.close() }
        let copy = try other.copyAsAfterACrash()
        return try [String: [UInt8]](
            uniqueKeysWithValues: ["", "-wal"].filter { access(copy.path + $0, F_OK) == 0 }.map {
                ($0, try copy.contents($0))
            })
    }

    @LoopActor private func expectService(_ makeWritable: () throws -> Void) async throws {
        let store = try fixture.open()
        guard case .readOnly(let reason) = store.condition else {
            Issue.record("the condition is \(store.condition)")
            return
        }
        #expect(reason.contains("\(fixture.path) cannot be written"))
        #expect(store.complaints.isEmpty)
        #expect(!store.choices(of: id("a")).hasContent)
        #expect(store.layers(of: id("disk")).own?.content.text == "40 %")
        #expect(store.layers(of: id("disk")).pushed == pushed("late"))
        #expect(store.memory(of: id("disk")).largestMode == .compact)
        #expect(store.revision(of: "g.g") == 1)
        #expect(try await store.result(of: .choice(id("a"), .hasContent(true))).failure?.isNotStored == true)
        #expect(!store.choices(of: id("a")).hasContent)
        store.record(outcome("disk", .newData(Content(text: "41 %"))))
        #expect(store.layers(of: id("disk")).own?.content.text == "41 %")

        try makeWritable()
        try await store.make(.choice(id("a"), .hasContent(true)))
        #expect(store.condition == .ok)
        let everything = store.everything
        store.close()
        #expect(try fixture.open().everything == everything)
    }
}
