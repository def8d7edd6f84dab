// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import Spawn
import TestSupport
import Testing
import TodayModel

@testable import Runner

@Suite struct LeftoversTests {
    init() { TestLoop.start() }

    /// Ways to leave something running, all of which end with the run that succeeded.
    @Test(arguments: [
        "sleep 1000 & echo ok",
        "sleep 1000 >/dev/null 2>&1 & echo ok",
        "(sleep 1000 &) ; echo ok",
        "i=0; while [ $i -lt 50 ]; do sleep 1000 & i=$((i+1)); done; echo ok",
        "env -i sh -c 'sleep 1000 &'; echo ok",
    ])
    @LoopActor func nothingIsLeftOfARunThatSucceeded(script: String) async throws {
        let trial = RunTrial()
        let outcome = try await trial.run(script)
        #expect(outcome.text == "ok")
        #expect(trial.leftovers() == [])
        #expect(outcome.duration < .seconds(15))
    }

    @Test(arguments: [
        "sleep 1000 & sleep 1000",
        "sleep 1000 & (sleep 1000 &); sleep 1000",
        "i=0; while [ $i -lt 50 ]; do sleep 1000 & i=$((i+1)); done; sleep 1000",
        "trap '' TERM; sh -c 'trap \"\" TERM; while :; do sleep 1000; done' & while :; do sleep 1000; done",
    ])
    @LoopActor func nothingIsLeftOfARunThatTimedOut(script: String) async throws {
        let trial = RunTrial()
        #expect(
            try await trial.run(script, timeout: .milliseconds(150)).failure
                == "timed out after 150 ms (Timeout=150ms)")
        #expect(trial.leftovers() == [])
    }

    @Test @LoopActor func aSIGTERMReachesProcessesThatLeftTheSession() async throws {
        let trial = RunTrial { $0.killGrace = .seconds(10) }
        _ = try await trial.run(
            // The program waits for that: after its exit, the processes that are left get no more time.
            """
            trap : TERM
            setsid sh -c 'trap "echo told >told; exit" TERM; while :; do sleep 1000 & wait; done' &
            while [ ! -s told ]; do sleep 0.01; done
            """,
            timeout: .seconds(1))
        #expect(try trial.directory.read("state/widgets/org.example.test/told") == "told\n")
    }

    /// The pipe is open, but what matters was written: a grandchild gets a moment, not a time-out.
    @Test @LoopActor func aGrandchildThatHoldsThePipeIsNotWaitedFor() async throws {
        let outcome = try await RunTrial().run("echo ok; sleep 1000 &")
        #expect(outcome.text == "ok")
        #expect(outcome.duration < .seconds(15))
    }

    @Test @LoopActor func aGrandchildMayFinishWriting() async throws {
        let outcome = try await RunTrial { $0.drainGrace = .seconds(5) }.run("(sleep 0.1; echo late) & exit 0")
        #expect(outcome.text == "late")
    }

    @Test @LoopActor func anotherRunKeepsWhatItForkedAway() async throws {
        let trial = RunTrial()
        try await keepsWhatAnotherRunForkedAway(trial)
    }

    /// The runner of other tests only reaps: it would end their orphans, too.
    @Test @LoopActor func aStrayLivesOnWhereOrphansAreOnlyReaped() async throws {
        let trial = RunTrial { $0.groups = nil }
        // Forked away with a session of its own and no pipe of ours.
        let outcome = try await trial.run(
            """
            setsid sh -c "touch started; exec sleep 1000 >/dev/null 2>&1" &
            while [ ! -e started ]; do sleep 0.02; done
            echo ok
            """)
        #expect(outcome.text == "ok")
        let pid = try #require(trial.leftovers().first)
        kill(pid, SIGKILL)
        try await eventually("end of \(pid)") { ProcessTree.reap(pid) }
    }
}

/// A run ends while another one has a process in a session of its own.
@LoopActor private func keepsWhatAnotherRunForkedAway(_ trial: RunTrial) async throws {
    try trial.start(
        """
        (setsid sh -c 'touch started; while [ ! -e go ]; do sleep 0.02; done; echo alive; touch finish' &)
        while [ ! -e finish ]; do sleep 0.02; done
        """)
    try await eventually("start") { trial.directory.exists("state/widgets/org.example.test/started") }
    #expect(try await trial.run("sleep 1000 & echo ok").text == "ok")
    try trial.directory.write("", to: "state/widgets/org.example.test/go")
    #expect(try await trial.outcome().text == "alive")
    #expect(trial.leftovers() == [])
}

/// Each run in a control group.
@Suite(.enabled(if: TestGroup.isPossible, "control groups take root")) struct GroupRunTests {
    init() { TestLoop.start() }

    @LoopActor private func made() throws -> (RunTrial, ControlGroup) {
        let groups = try #require(TestGroup.delegated())
        return (RunTrial { $0.groups = groups }, groups.group)
    }

    /// Ways to leave something running that has left its session, too.
    static let ways = [
        "setsid sleep 1000 & sleep 0.05; echo ok",
        "setsid sh -c 'sleep 1000 & sleep 1000' >/dev/null 2>&1 & sleep 0.05; echo ok",
        "setsid sh -c 'setsid sleep 1000 & exit' & sleep 0.05; echo ok",
        "trap '' TERM HUP; setsid sh -c 'trap \"\" TERM HUP; while :; do sleep 1000; done' & sleep 0.05; echo ok",
        "env -i setsid sh -c 'exec sleep 1000 >/dev/null 2>&1' & sleep 0.05; echo ok",
        // Each goes on in a child and a session of its own, without end.
        "perl -MPOSIX=setsid -e 'if (!fork) { for (;;) { exit if fork; setsid } }' & sleep 0.1; echo ok",
    ]

    @Test(arguments: ways) @LoopActor func nothingOutlivesARun(script: String) async throws {
        let (trial, group) = try made()
        let outcome = try await trial.run(script)
        #expect(outcome.text == "ok" && outcome.duration < .seconds(15))
        #expect(trial.leftovers() == [])
        #expect(!group.isPopulated && outcome.usage?.processor ?? .zero > .zero)
        #expect(access("\(group.path)/1-org.example.test", F_OK) != 0, "the group of the run is left")
    }

    @Test @LoopActor func nothingOutlivesATimeOut() async throws {
        let (trial, group) = try made()
        let outcome = try await trial.run(
            "i=0; while [ $i -lt 50 ]; do setsid sleep 1000 & i=$((i+1)); done; sleep 1000",
            timeout: .milliseconds(150))
        #expect(outcome.failure == "timed out after 150 ms (Timeout=150ms)")
        #expect(trial.leftovers() == [] && !group.isPopulated)
    }

    @Test @LoopActor func anotherRunKeepsWhatItForkedAway() async throws {
        let (trial, _) = try made()
        try await keepsWhatAnotherRunForkedAway(trial)
    }

    @Test @LoopActor func aProgramThatCannotBeStartedLeavesNoGroup() async throws {
        let (trial, group) = try made()
        trial.runner.start(try trial.request(["/nonexistent"]))
        #expect(try await trial.outcome().failure == "cannot execute /nonexistent: No such file or directory")
        #expect(access("\(group.path)/1-org.example.test", F_OK) != 0)
    }

    @Test @LoopActor func aGroupThatCannotBeMadeFailsTheRun() async throws {
        let (trial, group) = try made()
        group.end()
        let outcome = try await trial.run("echo ok")
        #expect(outcome.failure?.hasPrefix("cannot make the control group \(group.path)/1-org.example.test: ") == true)
    }
}

/// What the files of a run's group get.
@Suite struct GroupLimitsTests {
    private func files(_ controllers: Set<DelegatedGroup.Controller>, _ change: (inout RunLimits) -> Void) -> [String] {
        var limits = RunLimits()
        change(&limits)
        return limits.files(for: controllers).map { "\($0.0)=\($0.1)" }
    }

    @Test func eachLimitNeedsItsController() {
        let all: (inout RunLimits) -> Void = {
            ($0.memory, $0.tasks, $0.processor) = (ByteSize(bytes: 1 << 20), 7, 150)
        }
        #expect(
            files([.memory, .pids, .cpu], all) == [
                "memory.max=1048576", "memory.oom.group=1", "pids.max=7", "cpu.max=150000 100000",
            ])
        #expect(files([.pids], all) == ["pids.max=7"])
        #expect(files([], all) == [])
        #expect(files([.memory, .pids, .cpu]) { _ in } == ["pids.max=256"])
        #expect(files([.memory, .pids, .cpu]) { $0.tasks = nil } == [])
        #expect(files([.cpu]) { $0.processor = 1 } == ["cpu.max=1000 100000"])
    }
}
