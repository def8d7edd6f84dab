// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TestSupport
import Testing

@testable import Spawn

@Suite struct ProcessTreeTests {
    init() {
        TestLoop.start()
        #expect(ProcessTree.becomeSubreaper())
    }

    @Test @LoopActor func descendantsAreFoundAtAnyDepth() async throws {
        let program = try Launched(script: "sh -c 'sh -c \"sleep 1000; :\" ; :' & sleep 1000 & wait")
        defer { program.process.sendToGroup(SIGKILL) }
        let pid = program.process.pid
        try await eventually("five descendants") { ProcessTree.descendants(of: pid).count == 4 }
        let all = ProcessTree.descendants(of: pid)
        #expect(all.allSatisfy { ProcessTree.session(of: $0) == pid })
        #expect(ProcessTree.parent(of: all[0]) == pid)
        #expect(ProcessTree.children().contains(pid))
    }

    @Test @LoopActor func aProcessThatForksAwayIsAnOrphanOfOurs() async throws {
        let orphans = Orphans()
        let program = try Launched(script: "setsid sleep 1000 & echo $!") { $0.standardError = .null }
        _ = try await program.exit()
        try await eventually("output") { program.output.last == UInt8(ascii: "\n") }
        let pid = try #require(pid_t(String(decoding: program.output.dropLast(), as: UTF8.self)))
        try await eventually("session of its own") { ProcessTree.session(of: pid) == pid }
        #expect(orphans.current().contains(pid))
        errno = ECHILD  // of an earlier call
        #expect(!ProcessTree.reap(pid))
        kill(pid, SIGKILL)
        try await eventually("reaping") { ProcessTree.reap(pid) }
        #expect(!orphans.current().contains(pid))
    }

    @Test @LoopActor func ourOwnChildrenAreNoOrphans() async throws {
        let orphans = Orphans()
        let program = try Launched(script: "exec sleep 1000") { $0.newSession = true }
        #expect(ProcessTree.session(of: program.process.pid) == program.process.pid)
        let sibling = try Launched(script: "exec sleep 1000") { $0.newSession = false }
        // These are children of the loop's thread, which is not the main one in tests.
        let children = ProcessTree.children()
        #expect(children.contains(program.process.pid) && children.contains(sibling.process.pid))
        #expect(
            !orphans.orphans(among: children).contains { $0 == program.process.pid || $0 == sibling.process.pid })
        program.process.send(SIGKILL)
        sibling.process.send(SIGKILL)
        _ = try await (program.exit(), sibling.exit())
    }

    @Test func filesAreReadWholeWhateverTheirSize() throws {
        let directory = TemporaryDirectory()
        for size in [0, 1, 2_047, 2_048, 4_095, 4_096, 4_097, 8_192, 20_000] {
            let bytes = (0..<size).map { UInt8($0 % 251) }
            let file = open(try directory.write(bytes, to: "file"), O_RDONLY | O_CLOEXEC)
            defer { close(file) }
            #expect(ProcFile.contents(of: file) == bytes && ProcFile.contents(of: file, expecting: 256) == bytes)
        }
        #expect(ProcFile.contents(of: -1) == nil && ProcFile.read(directory("missing")) == nil)
        // The kernel returns it in pieces of a page, each of which ends with a whole line.
        let maps = try #require(ProcFile.read("/proc/self/maps"))
        #expect(maps.count > 4_096 && maps.last == UInt8(ascii: "\n"))
        #expect(String(decoding: maps, as: UTF8.self).contains("[stack]"))
    }

    @Test func aProcessIsKnownByItsStart() throws {
        let now = EventLoop.now(.boottime)
        let start = try #require(ProcessTree.startTicks(of: getpid(), seen: now))
        #expect(
            (1...now / 10_000).contains(start) && ProcessTree.startTicks(of: getpid(), seen: now + 1_000_000) == start)
        #expect(ProcessTree.startTicks(of: getpid(), seen: 0) == nil, "it began after it was seen")
    }

    @Test func aProcessThatIsGoneHasNothing() {
        #expect(ProcessTree.children(of: 0).isEmpty)
        #expect(ProcessTree.descendants(of: -5).isEmpty)
        #expect(ProcessTree.parent(of: -5) == nil)
        #expect(ProcessTree.session(of: pid_t.max) == nil)
    }

    @Test(
        arguments: [
            ("", []), ("12 ", [12]), ("12 345 6 ", [12, 345, 6]), ("7", [7]),
        ] as [(String, [pid_t])])
    func listsOfProcessesAreRead(text: String, expected: [pid_t]) {
        #expect(ProcessTree.numbers(in: text.utf8) == expected)
    }
}
