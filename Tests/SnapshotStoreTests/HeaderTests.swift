// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore

/// The first hundred bytes of the file: its type, application, version and format.
struct HeaderTests {
    let fixture = StoreFixture()

    /// A value in each table, and in each column that may be NULL.
    @LoopActor private func makeEverything(_ options: StoreOptions) async throws -> SnapshotStore {
        let store = try fixture.open(options)
        store.record(outcome("a", .newData(Content(text: "a")), errorOutput: "careful"))
        store.change(.push(id("b"), pushed("late", expires: 4_000_000_000)))
        store.remember(id("b")) { memory in
            memory.largestMode = .compact
            var premises = Premises()
            premises.groups = ["g.g": 1]
            memory.seen = premises
            premises.groups = ["g.g": 2]
            memory.tried = premises
            memory.notBefore = WallTime(microseconds: 7)
            memory.nextAsk = .never
        }
        for number in 0..<20 { store.change(.defaults(group: "g.g", key: "\(number)", value: "value")) }
        store.change(.choice(id("a"), .enabled(false)))
        try await store.make(.choice(id("b"), .hasContent(false)))
        return store
    }

    /// The store reads everything and continues, and the next store finds the same.
    @Test(arguments: [false, true]) @LoopActor func oneFlippedBitCostsNothing(isInLog: Bool) async throws {
        var options = StoreOptions()
        options.restBeforeCheckpoint = .seconds(3_600)
        let store = try await makeEverything(options)
        let expected = store.everything
        if !isInLog { #expect(store.close()) }
        let original = try fixture.copyAsAfterACrash()
        if isInLog { #expect(store.close()) }
        let file = try original.contents()
        let log = isInLog ? try original.contents("-wal") : nil
        let copy = StoreFixture()
        // In memory where the test runs as root, because a disk takes a minute.
        let disk = TinyDisk(over: copy.directory.path)
        // When everything is in the log, its first page has the header, so fewer bits of the file matter.
        let places = isInLog ? Array(0..<200) : Array(0..<800)
        for place in places {
            var flipped = file
            flipped[place / 8] ^= 1 << UInt8(place % 8)
            try copy.write(flipped, to: copy.path)
            if let log { try copy.write(log, to: copy.path + "-wal") }
            try goOn(copy, with: expected, "bit \(place % 8) of byte \(place / 8)")
            for name in copy.setAside { for suffix in ["", "-wal"] { unlink(copy.directory(name) + suffix) } }
        }
        withExtendedLifetime(disk) {}
    }

    @LoopActor private func goOn(_ copy: StoreFixture, with expected: Contents, _ place: String) throws {
        var expected = expected
        do {
            let opening = try Opening(path: copy.path, options: StoreOptions())
            #expect(opening.contents == expected, "\(place): \(opening.health.lasting.sentence)")
            guard let file = opening.file else {
                Issue.record("\(place): \(opening.health.failure?.sentence ?? "there is no file")")
                return
            }
            switch opening.health.lasting {
            case .ok: #expect(copy.setAside.isEmpty, "\(place)")
            case .setAside(let path?, _): #expect(copy.setAside.map { copy.directory($0) } == [path], "\(place)")
            default: Issue.record("\(place): \(opening.health.lasting)")
            }
            expected.state.choices[id("new")] = Choices()
            try file.commit([.choices(id("new"), Choices())])
        }
        let next = try Opening(path: copy.path, options: StoreOptions())
        #expect(next.health.lasting == .ok && next.contents == expected, "\(place): the next start")
    }
}
