// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TestSupport
import Testing

@testable import Spawn

@Suite struct ProcessAncestryTests {
    init() {
        TestLoop.start()
        ProcessTree.becomeSubreaper()
    }

    @Test @LoopActor func aDescendantCannotHide() async throws {
        let program = try Launched(script: "sh -c 'sleep 1000; :' & setsid env -i sleep 1000 & wait")
        defer { program.process.sendToGroup(SIGKILL) }
        let pid = program.process.pid
        try await eventually("three descendants") { ProcessTree.descendants(of: pid).count == 3 }
        let before = EventLoop.now(.boottime) - 3_600_000_000
        for process in [pid] + ProcessTree.descendants(of: pid) {
            #expect(ProcessAncestry(of: process, seen: .max) == .descendant(child: pid))
            #expect(ProcessAncestry(of: process, seen: before) == .gone, "it began later, so it is another process")
        }
        for orphan in ProcessTree.descendants(of: pid) { kill(orphan, SIGKILL) }
    }

    @Test func otherProcessesAreStrangers() {
        for stranger in [0, 1, getpid(), getppid()] { #expect(ProcessAncestry(of: stranger, seen: .max) == .stranger) }
    }

    @Test @LoopActor func aProcessThatHasEndedIsGone() async throws {
        let ended = try Launched(script: ":")
        _ = try await ended.exit()
        #expect(ProcessAncestry(of: ended.process.pid, seen: .max) == .gone)
        #expect(ProcessAncestry(of: -1, seen: .max) == .gone)
    }
}
