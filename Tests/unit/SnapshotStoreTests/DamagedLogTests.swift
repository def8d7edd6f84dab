// SPDX-License-Identifier: MIT
import Glibc
import JSON
import Reactor
import SQLite
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import SnapshotStore

/// SQLite silently ignores a damaged log from the damage on.
struct DamagedLogTests {
    let fixture = StoreFixture()
    private static let values = 20

    /// The files after a crash, after twenty acknowledged changes and a hidden widget: only the log has them.
    @LoopActor private func crashed(before: Int = 0) async throws -> StoreFixture {
        var options = StoreOptions()
        options.restBeforeCheckpoint = .seconds(3_600)
        if before > 0 {
            let store = try fixture.open(options)
            for number in 0..<before {
                try await store.make(.defaults(group: "g.g", key: "before \(number)", value: 1))
            }
            #expect(store.close())
        }
        let store = try fixture.open(options)
        try await store.make(.choice(id("a"), .hasContent(false)))
        for number in 0..<Self.values { try await store.make(.defaults(group: "g.g", key: "\(number)", value: 1)) }
        let copy = try fixture.copyAsAfterACrash()
        #expect(store.close())
        return copy
    }

    @Test @LoopActor func aWholeLogLosesNothing() async throws {
        let copy = try await crashed()
        let store = try copy.open()
        #expect(store.condition == .ok)
        #expect(store.defaults(of: "g.g").count == Self.values)
        #expect(store.close())
    }

    /// A write that a crash has cut off was never acknowledged.
    @Test(arguments: [1, 24, 100, 4_119])
    @LoopActor func halfAFrameAtItsEndIsNoDamage(bytes: Int) async throws {
        let copy = try await crashed()
        let log = try copy.contents("-wal")
        try copy.write(log + log[32..<32 + bytes], to: copy.path + "-wal")
        let store = try copy.open()
        #expect(store.condition == .ok)
        #expect(store.defaults(of: "g.g").count == Self.values)
        #expect(store.close())
    }

    /// Zeros are what a file system gives for room into which nothing was written.
    @Test(arguments: [4_120, 3 * 4_120])
    @LoopActor func framesOfZerosAtItsEndAreNoDamage(bytes: Int) async throws {
        let copy = try await crashed()
        try copy.write(copy.contents("-wal") + [UInt8](repeating: 0, count: bytes), to: copy.path + "-wal")
        let store = try copy.open()
        #expect(store.condition == .ok)
        #expect(store.defaults(of: "g.g").count == Self.values)
        #expect(store.close())
    }

    /// A transaction of several frames whose blocks reached the disk in any order when the power was cut.
    /// - `begun`: without its last frame; `unwritten`: as a whole but for one block; `whole`: a frame is wrong that may have been
    ///   acknowledged; `several`: another transaction follows, so that it was.
    @Test(arguments: [
        ("begun", true), ("unwritten", true), ("whole", false), ("several", false), ("unwritten several", false),
    ])
    @LoopActor func aTransactionThatWasNeverAcknowledgedIsNoDamage(kind: String, isFine: Bool) async throws {
        let copy = try await crashed()
        let log = try copy.contents("-wal")
        func frame(ends: Bool) -> [UInt8] {
            var frame = Array(log[32..<32 + 4_120])
            frame[4..<8] = ends ? [0, 0, 0, 9] : [0, 0, 0, 0]
            // SQLite reads nothing from here on.
            frame[16] ^= 1
            for place in 24..<4_120 { frame[place] |= 1 }
            return frame
        }
        var tail = frame(ends: false) + frame(ends: false) + frame(ends: kind != "begun")
        if kind.hasSuffix("several") { tail += frame(ends: false) }
        if kind.hasPrefix("unwritten") {
            let block = (log.count / 4_096 + 1) * 4_096 - log.count
            for place in block..<block + 4_096 { tail[place] = 0 }
        }
        try copy.write(log + tail, to: copy.path + "-wal")
        let store = try copy.open()
        #expect((store.condition == .ok) == isFine, "\(store.condition)")
        #expect(store.defaults(of: "g.g").count == Self.values)
        #expect(copy.setAside.isEmpty == isFine)
        #expect(store.close())
    }

    /// One bit in every field of the first, a middle and the last frame, and of the header.
    static let places: [(name: String, frame: Int?, offset: Int)] =
        [("magic", 0), ("version", 4), ("page size", 10), ("salt", 17), ("checksum", 26)].map { ($0.0, nil, $0.1) }
        + [0, 6, -1].flatMap { frame in
            [("page number", 3), ("size after commit", 7), ("salts", 9), ("checksum", 17), ("page", 1_000)]
                .map { ($0.0, frame, $0.1) }
        }

    @Test(arguments: places)
    @LoopActor func aFlippedBitIsNoticed(_ place: (name: String, frame: Int?, offset: Int)) async throws {
        let copy = try await crashed(before: 3)
        let log = try copy.contents("-wal")
        let frames = (log.count - 32) / 4_120
        let start = place.frame.map { 32 + ($0 < 0 ? frames + $0 : $0) * 4_120 } ?? 0
        try copy.overwrite(
            at: start + place.offset, count: 1, with: log[start + place.offset] ^ 0x10, of: "-wal")
        let damaged = try copy.contents("-wal")

        var store = try copy.open()
        guard case .setAside(let path?, let reason) = store.condition else {
            Issue.record("nothing is said of it: \(store.condition)")
            return
        }
        #expect(reason.contains("log"), "\(reason)")
        #expect(copy.setAside.count == 1)
        // Both files are unchanged.
        #expect(try StoreFixture.contents(of: path + "-wal") == damaged)
        let kept = store.defaults(of: "g.g").count
        #expect(kept >= 3 && kept < 3 + Self.values)
        if place.frame == -1 { #expect(kept == 3 + Self.values - 1) }
        // The new database has everything that could be read, and later changes.
        try await store.make(.choice(id("b"), .enabled(true)))
        #expect(store.close())
        store = try copy.open()
        #expect(store.condition == .ok)
        #expect(store.defaults(of: "g.g").count == kept)
        #expect(store.choices(of: id("b")).enabled == true)
        #expect(store.close())
    }

    @Test(arguments: [true, false])
    @LoopActor func aLogWithoutItsDatabaseIsSetAside(isEmpty: Bool) async throws {
        let copy = try await crashed()
        #expect(isEmpty ? truncate(copy.path, 0) == 0 : unlink(copy.path) == 0)
        let log = try copy.contents("-wal")
        let store = try copy.open()
        guard case .setAside(let path?, let reason) = store.condition else {
            Issue.record("nothing is said of it: \(store.condition)")
            return
        }
        #expect(reason == "it is empty or missing, and its log is not")
        #expect(path.hasSuffix("-wal") != isEmpty)
        #expect(try StoreFixture.contents(of: isEmpty ? path + "-wal" : path) == log)
        #expect(store.close())
    }

    /// Only a todayd that was killed during its very first start leaves an empty file.
    @Test @LoopActor func aDatabaseThatWasClearedIsSaid() async throws {
        let copy = try await crashed()
        #expect(unlink(copy.path + "-wal") == 0 && truncate(copy.path, 0) == 0)
        var store = try copy.open()
        #expect(
            store.condition.sentence
                == "a new database was begun: \(copy.path) was empty, and if it ever held anything, another program has cleared it"
        )
        #expect(store.condition.isDurable && store.complaints.isEmpty)
        try await store.make(.choice(id("b"), .enabled(true)))
        #expect(store.condition == store.lasting && copy.setAside.isEmpty)
        #expect(store.close())
        store = try copy.open()
        #expect(store.condition == .ok && store.choices(of: id("b")).enabled == true)
        #expect(store.close())
    }

    @Test @LoopActor func whereThereWasNoDatabaseNothingIsSaid() async throws {
        let store = try fixture.open()
        #expect(store.condition == .ok && store.complaints.isEmpty)
        #expect(store.close())
    }

    /// Flips one bit of the last frame.
    @LoopActor private func damagedAtItsEnd() async throws -> StoreFixture {
        let copy = try await crashed()
        let log = try copy.contents("-wal")
        try copy.overwrite(at: log.count - 50, count: 1, with: ~log[log.count - 50], of: "-wal")
        return copy
    }

    /// The new database cannot be written. The store serves what it read from the old one, whose files stay until the
    /// new one is written.
    @Test @LoopActor func whatWasReadIsWrittenAsSoonAsItCanBe() async throws {
        let copy = try await damagedAtItsEnd()
        let log = try copy.contents("-wal")
        var small = StoreOptions()
        small.pageLimit = 1
        var store = try copy.open(small)
        #expect(!store.condition.isDurable)
        #expect(store.defaults(of: "g.g").count == Self.values - 1)
        #expect(copy.setAside.isEmpty)
        #expect(try copy.contents("-wal") == log)
        _ = store.close()
        store = try copy.open()
        if case .setAside = store.condition {} else { Issue.record("the condition is \(store.condition)") }
        #expect(store.defaults(of: "g.g").count == Self.values - 1)
        #expect(store.close())
        #expect(try copy.open().defaults(of: "g.g").count == Self.values - 1)
    }

    /// todayd is killed while the new database replaces the damaged one: before, between, and after the renames.
    @Test(arguments: [["", "-wal"], [""], []] as [[String]])
    @LoopActor func aStartFinishesWhatTheOneBeforeItHasBegun(left: [String]) async throws {
        let copy = try await damagedAtItsEnd()
        let damaged = try (file: copy.contents(), log: copy.contents("-wal"))
        var store = try copy.open()
        #expect(store.close())
        try copy.write(copy.contents(), to: copy.path + ".next")
        unlink(copy.path)
        if left.contains("") { try copy.write(damaged.file, to: copy.path) }
        if left.contains("-wal") { try copy.write(damaged.log, to: copy.path + "-wal") }
        store = try copy.open()
        if case .setAside = store.condition {} else { Issue.record("the condition is \(store.condition)") }
        #expect(store.defaults(of: "g.g").count == Self.values - 1)
        #expect(store.choices(of: id("a")).hasContent == false)
        #expect(access(copy.path + ".next", F_OK) != 0)
        #expect(store.close())
        store = try copy.open()
        #expect(store.condition == .ok)
        #expect(store.defaults(of: "g.g").count == Self.values - 1)
        #expect(store.close())
    }

    /// Both files are damaged at random: changes that the store acknowledges afterwards must survive the next start.
    @Test @LoopActor func noStartThrowsAwayWhatTheOneBeforeItAcknowledged() async throws {
        let original = try await crashed(before: 40)
        let (file, log) = (try original.contents(), try original.contents("-wal"))
        var numbers = SeededNumbers(seed: 971)
        for trial in 0..<150 {
            var (file, log) = (file, log)
            for _ in 0..<Int.random(in: 1...3, using: &numbers) {
                file[Int.random(in: 0..<file.count, using: &numbers)] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
            }
            if trial % 3 > 0 {
                let size = trial % 3 == 1 ? log.count : min(log.count, 32 + 4_120)
                log[Int.random(in: 0..<size, using: &numbers)] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
            }
            let copy = StoreFixture()
            try copy.write(file, to: copy.path)
            try copy.write(log, to: copy.path + "-wal")
            let store = try copy.open()
            guard case .success = try await store.result(of: .defaults(group: "g.g", key: "new", value: 2)) else {
                #expect(!store.condition.isDurable, "trial \(trial)")
                continue
            }
            let after = try copy.copyAsAfterACrash()
            #expect(store.close())
            for next in [after, copy] {
                let again = try next.open()
                #expect(again.defaults(of: "g.g")["new"] == 2, "trial \(trial): \(again.condition)")
                #expect(again.condition == .ok, "trial \(trial)")
                #expect(again.close())
            }
        }
    }
}
