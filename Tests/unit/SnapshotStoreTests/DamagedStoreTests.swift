// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import SQLite
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore

/// The store sets a damaged database aside under a dated name, logs it, and continues.
struct DamagedStoreTests {
    let fixture = StoreFixture()

    static let damages: [(name: String, offset: Int, count: Int, byte: UInt8)] = [
        ("garbage all over", 0, 40_000, 0x58),
        ("the header's magic", 0, 1, 0x58),
        ("the header's page size", 16, 2, 0x77),
        ("the root page of the schema", 100, 8, 0xff),
        ("a page of a table", 4_096 * 3, 16, 0xff),
    ]

    /// SQLite's message quotes a damaged name, which may have any bytes.
    @Test func whatIsSaidOfDamageIsPlain() {
        let reason = "malformed database schema (defa\u{1}u\u{1b}[31mlts)\nrow 2"
        for condition in [
            StoreCondition.setAside(path: "/x", reason: reason), .setAside(path: nil, reason: reason),
            .readOnly(reason), .full(reason), .failing(reason),
        ] {
            #expect(condition.sentence.contains("malformed database schema (defaults) row 2"))
            #expect(!condition.sentence.unicodeScalars.contains { $0.value < 0x20 })
        }
        #expect(StoreCondition.ok.sentence == "ok")
    }

    @Test(arguments: damages)
    @LoopActor func aDamagedDatabaseIsSetAside(
        _ damage: (name: String, offset: Int, count: Int, byte: UInt8)
    ) async throws {
        try await makeDatabase()
        try fixture.overwrite(at: damage.offset, count: damage.count, with: damage.byte)
        try await expectSetAside()
    }

    /// The store reads the tables that are readable.
    @Test(arguments: [("snapshots", "choices"), ("runs", "choices"), ("choices", "snapshots")])
    @LoopActor func oneDamagedTableCostsNoOther(damaged: String, whole: String) async throws {
        try await makeDatabase()
        try fixture.overwrite(at: rootPage(of: damaged) * 4_096, count: 16, with: 0xff)
        let store = try fixture.open()
        guard case .setAside = store.condition else {
            Issue.record("the condition is \(store.condition)")
            return
        }
        #expect(store.complaints.count == 1, "\(store.complaints)")
        #expect((store.choices(of: id("a")).mode == .expanded) == (damaged != "choices"))
        #expect((store.layers(of: id("w0")).own?.content.text == "old 0") == (damaged != "snapshots"))
        #expect(store.history(of: id("w0")).isEmpty == (damaged == "runs"))
        let everything = store.everything
        #expect(store.close())
        #expect(try fixture.open().everything == everything)
    }

    /// An index has no data that its table lacks.
    @Test @LoopActor func aDamagedIndexCostsNothing() async throws {
        try await makeDatabase()
        let page = try rootPage(of: "sqlite_autoindex_snapshots_1")
        try fixture.overwrite(at: (page + 1) * 4_096 - 3, count: 1, with: 0x58)
        let store = try fixture.open()
        guard case .setAside(_, let reason) = store.condition else {
            Issue.record("the condition is \(store.condition)")
            return
        }
        #expect(reason.contains("index"), "\(reason)")
        #expect(store.complaints.isEmpty)
        #expect(store.choices(of: id("a")).mode == .expanded)
        for number in 0..<12 { #expect(store.layers(of: id("w\(number)")).own?.content.text == "old \(number)") }
    }

    /// Counted from 0.
    private func rootPage(of table: String) throws -> Int {
        let database = try Database(path: fixture.path, mode: .readOnly)
        return Int(try database.integer("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'") ?? 0) - 1
    }

    @Test @LoopActor func aTruncatedDatabaseIsSetAside() async throws {
        try await makeDatabase()
        #expect(truncate(fixture.path, 4_096 * 2 + 1_000) == 0)
        try await expectSetAside()
    }

    @Test @LoopActor func theDatabaseOfAnotherProgramIsSetAsideUntouched() async throws {
        do {
            let foreign = try Database(path: fixture.path, mode: .readWriteCreate)
            try foreign.execute("CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('bread')")
        }
        try await expectSetAside()
        let path = try #require(fixture.setAside.first)
        let foreign = try Database(path: fixture.directory(path), mode: .readOnly)
        #expect(try foreign.integer("SELECT count(*) FROM recipes") == 1)
    }

    @Test @LoopActor func tablesThatAreNotWhatTheirVersionSaysAreSetAside() async throws {
        try await makeDatabase()
        do {
            let database = try Database(path: fixture.path, mode: .readWriteCreate)
            try database.execute("ALTER TABLE choices RENAME COLUMN enabled TO disabled")
        }
        try await expectSetAside()
    }

    /// Opening a pipe for reading alone blocks until a writer comes.
    @Test(arguments: [true, false]) @LoopActor func whatIsNoFileInItsPlaceIsAnError(isPipe: Bool) async throws {
        #expect((isPipe ? mkfifo(fixture.path, 0o600) : mkdir(fixture.path, 0o700)) == 0)
        let store = try fixture.open()
        #expect(!store.condition.isDurable && store.condition.sentence.contains("\(fixture.path) cannot be written"))
        #expect(try await store.result(of: .choice(id("a"), .enabled(true))).failure?.isNotStored == true)
        #expect((isPipe ? unlink(fixture.path) : rmdir(fixture.path)) == 0)
        try await store.make(.choice(id("a"), .enabled(true)))
        #expect(store.close())
        #expect(try fixture.open().choices(of: id("a")).enabled == true)
    }

    /// Comparing such texts would take hours.
    @Test @LoopActor func textsThatNobodyHasWrittenAreLeftOut() async throws {
        var store = try fixture.open()
        store.record(outcome("a", .newData(Content(text: "a"))))
        try await store.make(.choice(id("a"), .enabled(true)))
        #expect(store.close())
        do {
            let heap = "char(97, 0x301) || replace(hex(zeroblob(200000)), '00', char(0x315, 0x300))"
            let database = try Database(path: fixture.path, mode: .readWriteCreate)
            try database.execute(
                """
                UPDATE runs SET exit = \(heap), failure = \(heap), error_output = \(heap);
                INSERT INTO runs SELECT widget, 2, started, duration, \(heap), result, failure, exit, error_output, processor, memory FROM runs;
                UPDATE choices SET mode = \(heap)
                """)
        }
        store = try fixture.open()
        #expect(store.condition == .ok)
        #expect(store.complaints == ["a run of org.example.a is lost: its reason or result is unknown"])
        let run = try #require(store.history(of: id("a")).first)
        #expect(run.exit == "" && run.failure == "" && run.errorOutput == "")
        #expect(store.close())
    }

    /// Runs count on from the last number, and SQLite accepts any number.
    @Test(arguments: [Int64.max, .min, 0, -1, 1 << 53 + 1])
    @LoopActor func aRunWithAnImpossibleNumberIsLeftOut(number: Int64) async throws {
        var store = try fixture.open()
        store.record(outcome("a", .newData(Content(text: "a"))))
        try await store.make(.choice(id("a"), .enabled(true)))
        #expect(store.close())
        do {
            let database = try Database(path: fixture.path, mode: .readWriteCreate)
            try database.execute("UPDATE runs SET number = \(number)")
        }
        store = try fixture.open()
        #expect(store.condition == .ok)
        #expect(store.complaints == ["a run of org.example.a is lost: \(number) is not a number of a run"])
        store.record(outcome("a", .newData(Content(text: "b"))))
        #expect(store.history(of: id("a")).count == 1)
        #expect(store.close())
    }

    /// The new database has everything from memory, and the clients that wait get their replies.
    @Test @LoopActor func damageWhileRunningLosesNothing() async throws {
        try await makeDatabase(snapshots: 400)
        var store = try fixture.open()
        let conditions = Arrivals<StoreCondition>("condition")
        store.onReport = { if case .condition(let condition) = $0 { conditions.send(condition) } }
        try fixture.overwrite(at: 4_096 * 6, count: 4_096 * 600, with: 0xff)
        for number in 0..<400 { store.record(outcome("w\(number)", .newData(Content(text: "new \(number)")))) }
        try await store.make(.choice(id("a"), .enabled(true)))
        guard case .setAside(let path?, _) = try await conditions.next() else {
            Issue.record("the condition is \(store.condition)")
            return
        }
        #expect(fixture.setAside == [path.split(separator: "/").last.map(String.init)])
        #expect(store.condition.isDurable)
        let everything = store.everything
        #expect(store.close())
        store = try fixture.open()
        #expect(store.condition == .ok)
        #expect(store.everything == everything)
        #expect(store.layers(of: id("w399")).own?.content.text == "new 399")
    }

    @Test @LoopActor func aDatabaseRemovedWhileRunningIsWrittenAgain() async throws {
        try await makeDatabase()
        var store = try fixture.open()
        #expect(unlink(fixture.path) == 0)
        try await store.make(.choice(id("b"), .enabled(true)))
        guard
            case .setAside(let path?, "the file or its log was removed or replaced while it was in use") = store
                .condition
        else {
            Issue.record("the condition is \(store.condition)")
            return
        }
        // No other file of it is left.
        #expect(path.hasSuffix("-wal") && access(path, F_OK) == 0)
        let everything = store.everything
        store.close()
        store = try fixture.open()
        #expect(store.everything == everything)
        #expect(store.choices(of: id("a")).mode == .expanded)
    }

    @Test(arguments: [nil, "a file of somebody else"] as [String?])
    @LoopActor func aLogRemovedWhileRunningIsMissed(replacement: String?) async throws {
        try await makeDatabase()
        var store = try fixture.open()
        try await store.make(.choice(id("b"), .enabled(true)))
        #expect(store.condition == .ok)
        #expect(unlink(fixture.path + "-wal") == 0)
        if let replacement { try fixture.write(Array(replacement.utf8), to: fixture.path + "-wal") }
        try await store.make(.choice(id("c"), .enabled(true)))
        guard case .setAside = store.condition else {
            Issue.record("\(store.condition)")
            return
        }
        // As after a crash, not after a normal end.
        let found = try fixture.copyAsAfterACrash().open()
        #expect(found.choices(of: id("c")).enabled == true)
        #expect(found.choices(of: id("b")).enabled == true)
        store.close()
        store = try fixture.open()
        #expect(store.condition == .ok)
    }

    @Test @LoopActor func aRowThatMakesNoSenseIsLeftOutAndSaid() async throws {
        try await makeDatabase()
        do {
            let database = try Database(path: fixture.path, mode: .readWriteCreate)
            try database.execute(
                """
                UPDATE snapshots SET content = '{"text":3}' WHERE widget = 'org.example.w0';
                INSERT INTO defaults VALUES ('g.g', 'bad', '{'), ('g.g', 'good', '1'), ('g', 'lost', '1');
                INSERT INTO choices (widget, has_content, lock_screen) VALUES ('nonsense', 1, 1)
                """)
        }
        let store = try fixture.open()
        #expect(store.condition == .ok)
        #expect(store.complaints.count == 4)
        #expect(store.complaints.contains { $0.hasPrefix("the snapshot of org.example.w0 is lost: content.text:") })
        #expect(store.layers(of: id("w1")).own?.content.text == "old 1")
        #expect(store.defaults(of: "g.g") == ["good": 1])
        #expect(store.choices(of: id("a")).mode == .expanded)
    }

    /// Two choices and some snapshots, so that the file has at least a dozen pages.
    @LoopActor private func makeDatabase(snapshots: Int = 12) async throws {
        let store = try fixture.open()
        for number in 0..<snapshots {
            let text = "old \(number)"
            var content = Content(text: text)
            content.tooltip = String(repeating: text, count: 300)
            store.record(outcome("w\(number)", .newData(content)))
        }
        try await store.make(.choice(id("a"), .displayMode(.expanded)))
        #expect(store.close())
    }

    @LoopActor private func expectSetAside() async throws {
        let store = try fixture.open()
        let names = fixture.setAside
        #expect(names.count == 1)
        let name = try #require(names.first)
        #expect(name.wholeMatch(of: /todayd\.sqlite\.damaged-\d{8}-\d{6}/) != nil)
        guard case .setAside(let path, _) = store.condition else {
            Issue.record("the condition is \(store.condition)")
            return
        }
        #expect(path == fixture.directory(name))
        #expect(store.condition.sentence.contains(fixture.directory(name)))
        try await store.make(.choice(id("a"), .enabled(false)))
        store.close()
        #expect(try fixture.open().choices(of: id("a")).enabled == false)
    }
}
