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
        "setsid sleep 1000 & sleep 0.05; echo ok",
        "setsid sh -c 'sleep 1000 & sleep 1000' >/dev/null 2>&1 & sleep 0.05; echo ok",
        "setsid sh -c 'setsid sleep 1000 & exit' & sleep 0.05; echo ok",
        "trap '' TERM HUP; setsid sh -c 'trap \"\" TERM HUP; while :; do sleep 1000; done' & sleep 0.05; echo ok",
        "i=0; while [ $i -lt 50 ]; do sleep 1000 & i=$((i+1)); done; echo ok",
        "env -i sh -c 'sleep 1000 &'; echo ok",
        "env -i setsid sh -c 'exec sleep 1000 >/dev/null 2>&1' & sleep 0.05; echo ok",
        // Each goes on in a child and a session of its own.
        "perl -MPOSIX=setsid -e 'if (!fork) { for (1..4000) { exit if fork; setsid; } sleep 1000 }'; echo ok",
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
        "setsid sleep 1000 & (setsid sleep 1000 &); sleep 1000",
        "i=0; while [ $i -lt 50 ]; do setsid sleep 1000 & i=$((i+1)); done; sleep 1000",
        "trap '' TERM; setsid sh -c 'trap \"\" TERM; while :; do sleep 1000; done' & while :; do sleep 1000; done",
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
            while [ ! -e told ]; do sleep 0.01; done
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

    /// The runner of a test only reaps: it would end the orphans of other tests, too.
    @Test @LoopActor func anUnknownOrphanLivesOnWhereOrphansAreOnlyReaped() async throws {
        let trial = RunTrial()
        // Forked away with a session of its own and no pipe of ours, and without the mark.
        let outcome = try await trial.run(
            """
            bash -c 'ulimit -R 1000000; exec setsid sh -c "touch started; exec sleep 1000 >/dev/null 2>&1"' &
            while [ ! -e started ]; do sleep 0.02; done
            echo ok
            """)
        #expect(outcome.text == "ok")
        let pid = try #require(trial.leftovers().first)
        kill(pid, SIGKILL)
        try await eventually("end of \(pid)") { ProcessTree.reap(pid) }
    }
}
