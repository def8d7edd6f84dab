// SPDX-License-Identifier: MIT
import Glibc
import Platform
import SQLite
import TestSupport
import Testing

@testable import AgendaStore

@Suite struct AgendaStoreTests {
    private let directory = TemporaryDirectory()
    private static let today = CivilDay(number: 20_778)
    private static let tomorrow = CivilDay(number: 20_779)

    private func store() throws -> AgendaStore { try AgendaStore(directory: directory.path, lockTimeout: 500) }

    @Test func itemsAreStoredAndOrderedByTheirDay() throws {
        do {
            let store = try store()
            #expect(try store.items().isEmpty)
            let mode = try Database(path: store.path, mode: .readOnly).prepare("PRAGMA journal_mode")
            #expect(try mode.step() && mode.string(0) == "wal")
            let late = try store.add("later", due: Self.tomorrow)
            #expect(late.number == 1)
            #expect(try store.add(" today ", due: Self.today).title == "today")
            #expect(try store.add("overdue", due: CivilDay(number: 20_000)).number == 3)
        }
        let store = try store()
        #expect(try store.items().map(\.title) == ["overdue", "today", "later"])
        #expect(try store.items().filter { $0.isDue(on: Self.today) }.map(\.number) == [3, 2])
    }

    @Test func markingDoneTwiceChangesNothing() throws {
        let store = try store()
        _ = try store.add("a", due: Self.today)
        #expect(try store.markDone(1).isDone == false)
        #expect(try store.markDone(1).isDone == true)
        #expect(try store.items().isEmpty)
        #expect(try store.items(all: true).map(\.isDone) == [true])
        #expect(throws: AgendaError.noSuchItem(2)) { try store.markDone(2) }
        #expect(throws: AgendaError.noSuchItem(.max)) { try store.remove(.max) }
    }

    @Test func aNumberIsNeverUsedTwice() throws {
        let store = try store()
        _ = try store.add("a", due: Self.today)
        #expect(try store.remove(1).title == "a")
        #expect(try store.items(all: true).isEmpty)
        #expect(try store.add("b", due: Self.today).number == 2)
    }

    @Test func titlesAreStoredUnchanged() throws {
        let store = try store()
        for title in ["'); DROP TABLE items; --", "日本 🎉", "a % b _ c"] {
            #expect(try store.add(title, due: Self.today).title == title)
        }
        #expect(try store.items().map(\.title) == ["'); DROP TABLE items; --", "日本 🎉", "a % b _ c"])
        #expect(throws: AgendaError.self) { try store.add("", due: Self.today) }
    }

    @Test func onlyTheUserMayReadTheDatabase() throws {
        _ = try store()
        var status = stat()
        #expect(stat(directory("agenda.sqlite"), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    // MARK: Two programs at once

    @Test func appAndWidgetSeeEachOthersChanges() throws {
        let (app, widget) = (try store(), try store())
        _ = try app.add("a", due: Self.today)
        #expect(try widget.items().map(\.title) == ["a"])
        _ = try widget.markDone(1)
        #expect(try app.items().isEmpty)
    }

    @Test func aReaderDoesNotWaitForAWriter() throws {
        let reader = try store()
        _ = try reader.add("a", due: Self.today)
        let writer = try Database(path: directory("agenda.sqlite"), mode: .readWriteCreate)
        try writer.execute("BEGIN IMMEDIATE; INSERT INTO items (title, due, added) VALUES ('b', 1, 1)")
        #expect(try reader.items().count == 1)
        #expect(try store().items().count == 1)
        // A second writer waits until its timeout.
        #expect(throws: AgendaError.busy(path: directory("agenda.sqlite"))) {
            try self.store().add("c", due: Self.today)
        }
        try writer.execute("COMMIT")
        #expect(try reader.items().count == 2)
    }

    // MARK: Files that are no agenda

    /// Expects that the store refuses the file with an error of this kind and does not change it.
    private func expectRefused(_ bytes: [UInt8], _ kind: (AgendaError) -> Bool) throws {
        try directory.write(bytes, to: "agenda.sqlite", mode: 0o600)
        do {
            _ = try AgendaStore(directory: directory.path, lockTimeout: 100)
            Issue.record("the store has opened the file")
        } catch {
            #expect(kind(error), "\(error)")
            #expect("\(error)".contains(directory("agenda.sqlite")))
            #expect("\(error)".contains("Nothing was changed"))
        }
        #expect(try directory.bytes(of: "agenda.sqlite") == bytes)
    }

    private func isDamaged(_ error: AgendaError) -> Bool { if case .damaged = error { true } else { false } }

    /// The bytes of an agenda with several pages.
    private func agendaWithManyItems() throws -> [UInt8] {
        do {
            let store = try store()
            for number in 0..<200 { _ = try store.add("item number \(number) of many", due: Self.today) }
        }
        return try directory.bytes(of: "agenda.sqlite")
    }

    @Test func garbageIsRefusedAndKept() throws {
        try expectRefused(Array("this is not a database\n".utf8), isDamaged)
        try expectRefused([UInt8](repeating: 0x2a, count: 50_000), isDamaged)
    }

    @Test func aTornDatabaseIsRefusedAndKept() throws {
        let whole = try agendaWithManyItems()
        #expect(whole.count > 12_000)
        try expectRefused(Array(whole[..<(whole.count / 2)]), isDamaged)
        var overwritten = whole
        for index in 4_096..<overwritten.count { overwritten[index] = 0x55 }
        try expectRefused(overwritten, isDamaged)
        // The undamaged file still opens.
        try directory.write(whole, to: "agenda.sqlite", mode: 0o600)
        #expect(try store().items().count == 200)
    }

    @Test func anotherProgramsDatabaseIsRefusedAndKept() throws {
        do {
            let other = try Database(path: directory("agenda.sqlite"), mode: .readWriteCreate)
            try other.execute("CREATE TABLE items (a)")
        }
        try expectRefused(try directory.bytes(of: "agenda.sqlite")) {
            $0 == .foreign(path: directory("agenda.sqlite"))
        }
        do {
            let other = try Database(path: directory("agenda.sqlite"), mode: .readWriteCreate)
            try other.execute("DROP TABLE items; PRAGMA application_id = 77")
        }
        try expectRefused(try directory.bytes(of: "agenda.sqlite")) {
            $0 == .foreign(path: directory("agenda.sqlite"))
        }
    }

    @Test func aNewerAgendaIsRefusedAndKept() throws {
        _ = try agendaWithManyItems()
        do {
            let newer = try Database(path: directory("agenda.sqlite"), mode: .readWriteCreate)
            try newer.setUserVersion(99)
        }
        try expectRefused(try directory.bytes(of: "agenda.sqlite")) { error in
            if case .newer = error { true } else { false }
        }
    }

    @Test func aDatabaseThatCannotBeMadeIsAnError() throws {
        #expect(throws: AgendaError.self) { try AgendaStore(directory: self.directory("nowhere"), lockTimeout: 0) }
        try directory.makeDirectory("agenda.sqlite")
        #expect(throws: AgendaError.self) { try self.store() }
    }
}
