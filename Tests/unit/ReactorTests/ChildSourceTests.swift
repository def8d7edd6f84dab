// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TestSupport
import Testing

@Suite struct ChildSourceTests {
    init() { TestLoop.start() }

    @Test(arguments: [
        ("exit 0", ExitStatus.exited(0)),
        ("exit 3", .exited(3)),
        ("exit 255", .exited(255)),
        ("kill -KILL $$", .killed(SIGKILL, coreDumped: false)),
        ("kill -TERM $$", .killed(SIGTERM, coreDumped: false)),
    ])
    @LoopActor func theEndOfAChildIsTold(script: String, status: ExitStatus) async throws {
        let arrivals = Arrivals<ExitStatus>("end of the child")
        let child = try ChildSource(pid: try shell(script)) { arrivals.send($0) }
        #expect(try await arrivals.next() == status)
        #expect(status.isSuccess == (script == "exit 0"))
        #expect(waitpid(child.pid, nil, WNOHANG) == -1, "it was reaped")
        #expect(!child.send(SIGTERM), "and gets no signal")
    }

    @Test @LoopActor func aChildThatHasEndedAlreadyIsReaped() async throws {
        let pid = try shell("exit 7")
        try awaitEnd(of: pid)
        let arrivals = Arrivals<ExitStatus>("end of the child")
        let child = try ChildSource(pid: pid) { arrivals.send($0) }
        #expect(try await arrivals.next() == .exited(7))
        child.cancel()
    }

    @Test @LoopActor func manyChildrenAreEachToldOnce() async throws {
        let arrivals = Arrivals<ExitStatus>("end of a child")
        let children = try (0..<30).map { number in
            try ChildSource(pid: try shell("exit \(number)")) { arrivals.send($0) }
        }
        let statuses = try await arrivals.next(30)
        #expect(Set(statuses) == Set((0..<30).map { .exited($0) }))
        withExtendedLifetime(children) {}
    }

    @Test @LoopActor func aSignalReachesTheChild() async throws {
        let arrivals = Arrivals<ExitStatus>("end of the child")
        let child = try ChildSource(pid: try shell("exec sleep 60")) { arrivals.send($0) }
        #expect(child.send(SIGKILL))
        #expect(try await arrivals.next() == .killed(SIGKILL, coreDumped: false))
    }

    @Test @LoopActor func aCancelledSourceLeavesTheChildToOthers() async throws {
        let pid = try shell("exit 5")
        let arrivals = Arrivals<ExitStatus>("end of the child")
        let child = try ChildSource(pid: pid) { arrivals.send($0) }
        child.cancel()
        child.cancel()
        try awaitEnd(of: pid)
        try await turns(3)
        #expect(arrivals.taken() == [])
        #expect(waitpid(pid, nil, 0) == pid)
    }

    @Test @LoopActor func aChildThatIsReapedElsewhereIsLost() async throws {
        let pid = try shell("exit 5")
        let arrivals = Arrivals<ExitStatus>("end of the child")
        let child = try ChildSource(pid: pid) { arrivals.send($0) }
        #expect(waitpid(pid, nil, 0) == pid)
        #expect(try await arrivals.next() == .lost)
        child.cancel()
    }

    @Test @LoopActor func theHandlerIsReleasedWhenTheChildHasEnded() async throws {
        let arrivals = Arrivals<Void>("end of the child")
        var canary: Canary? = Canary()
        let reference = Weak(try #require(canary))
        let child = try ChildSource(pid: try shell("exit 0")) { [canary] _ in
            _ = canary?.name
            arrivals.send()
        }
        canary = nil
        try await arrivals.next()
        try await turns(1)
        #expect(reference.value == nil)
        withExtendedLifetime(child) {}
    }

    @Test @LoopActor func aProcessThatDoesNotExistIsRefused() {
        #expect(throws: ReactorError("watch process \(pid_t.max)", code: ESRCH)) {
            try ChildSource(pid: .max) { _ in }
        }
    }

    @Test(arguments: [
        (ExitStatus.exited(0), "exited with status 0"),
        (.exited(3), "exited with status 3"),
        (.killed(SIGKILL, coreDumped: false), "killed by SIGKILL"),
        (.killed(SIGSEGV, coreDumped: true), "killed by SIGSEGV (core dumped)"),
        (.killed(40, coreDumped: false), "killed by signal 40"),
        (.lost, "ended, but its status was lost"),
    ])
    func statusesAreToldInWords(status: ExitStatus, words: String) {
        #expect(status.description == words)
    }
}
