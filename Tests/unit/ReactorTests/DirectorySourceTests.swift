// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TestSupport
import Testing

@Suite struct DirectorySourceTests {
    let directory = TemporaryDirectory()

    init() { TestLoop.start() }

    @Test @LoopActor func changesOfEntriesAreTold() async throws {
        let arrivals = Arrivals<DirectoryEvent>("change")
        let source = try DirectorySource(path: directory.path, mask: [.created, .closedAfterWriting, .deleted]) {
            arrivals.send($0)
        }
        try directory.write("text", to: "a.widget")
        try directory.delete("a.widget")
        #expect(
            try await arrivals.next(3) == [
                DirectoryEvent(kinds: .created, name: "a.widget"),
                DirectoryEvent(kinds: .closedAfterWriting, name: "a.widget"),
                DirectoryEvent(kinds: .deleted, name: "a.widget"),
            ])
        source.cancel()
    }

    @Test @LoopActor func aRenameIsTwoChanges() async throws {
        try directory.write("text", to: "old")
        let arrivals = Arrivals<DirectoryEvent>("change")
        let source = try DirectorySource(path: directory.path, mask: .entryChanges) { arrivals.send($0) }
        try directory.rename("old", to: "new")
        #expect(
            try await arrivals.next(2) == [
                DirectoryEvent(kinds: .movedFrom, name: "old"), DirectoryEvent(kinds: .movedTo, name: "new"),
            ])
        source.cancel()
    }

    @Test @LoopActor func directoriesAreToldApart() async throws {
        let arrivals = Arrivals<DirectoryEvent>("change")
        let source = try DirectorySource(path: directory.path, mask: .created) { arrivals.send($0) }
        try directory.makeDirectory("a.widget.d")
        #expect(
            try await arrivals.next() == DirectoryEvent(kinds: [.created, .isDirectory], name: "a.widget.d"))
        source.cancel()
    }

    @Test @LoopActor func theEndOfTheDirectoryIsTold() async throws {
        let path = try directory.makeDirectory("watched")
        let arrivals = Arrivals<DirectoryEvent>("change")
        let source = try DirectorySource(path: path, mask: .entryChanges) { arrivals.send($0) }
        try directory.delete("watched")
        let event = try await arrivals.first { $0.kinds.contains(.ended) }
        #expect(event.name.isEmpty)
        source.cancel()
    }

    @Test @LoopActor func twoSourcesOfADirectoryBothHear() async throws {
        let arrivals = Arrivals<String>("change")
        let first = try DirectorySource(path: directory.path, mask: .created) { arrivals.send("first \($0.name)") }
        let second = try DirectorySource(path: directory.path, mask: .deleted) { arrivals.send("second \($0.name)") }
        try directory.write("", to: "file")
        try directory.delete("file")
        #expect(try await arrivals.next(2) == ["first file", "second file"])
        first.cancel()
        try directory.write("", to: "other")
        try directory.delete("other")
        #expect(try await arrivals.next() == "second other")
        second.cancel()
    }

    /// A user has 8,192 watches of inotify, in kernels before 5.11. proc_pid_fdinfo(5) lists those of a descriptor.
    @Test @LoopActor func whatIsCancelledIsWatchedNoMore() throws {
        let links = TemporaryDirectory()
        try links.link("fdinfo", to: "/proc/self/fdinfo")
        func watches() throws -> Int {
            let files = try links.names(in: "fdinfo").compactMap { try? links.read("fdinfo/\($0)") }
            return files.joined().split(separator: "\n").filter { $0.hasPrefix("inotify wd:") }.count
        }
        // All sources are of the loop, on which this runs without a pause.
        let before = try watches()
        let sources = try (0..<2).map { _ in try DirectorySource(path: directory.path, mask: .created) { _ in } }
        #expect(try watches() == before + 1, "all sources are of one instance, which watches a directory once")
        sources[0].cancel()
        #expect(try watches() == before + 1)
        sources[1].cancel()
        #expect(try watches() == before)
    }

    @Test @LoopActor func aHandlerMayCancelItsSource() async throws {
        let arrivals = Arrivals<String>("change")
        let source = Box<DirectorySource>()
        source.value = try DirectorySource(path: directory.path, mask: .created) { event in
            source.value?.cancel()
            source.value = nil
            arrivals.send(event.name)
        }
        for name in ["one", "two", "three"] { try directory.write("", to: name) }
        #expect(try await arrivals.next() == "one")
        try await turns(3)
        #expect(arrivals.taken() == [])
    }

    @Test @LoopActor func whatIsNoDirectoryIsRefused() throws {
        let missing = directory("missing")
        #expect(throws: ReactorError("watch directory \(missing)", code: ENOENT)) {
            try DirectorySource(path: missing, mask: .created) { _ in }
        }
        let file = try directory.write("", to: "file")
        #expect(throws: ReactorError("watch directory \(file)", code: ENOTDIR)) {
            try DirectorySource(path: file, mask: .created) { _ in }
        }
    }
}
