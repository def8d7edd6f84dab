// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import Runner

@Suite struct HostileRunTests {
    init() { TestLoop.start() }

    /// Scripts that fail, and the reason that is told.
    @Test(arguments: [
        (":", "printed nothing"),
        ("echo one >&2; echo 'no such host' >&2; echo '  ' >&2", "printed nothing: no such host"),
        ("echo; printf '\\033[31mred\\033[0m\\n' >&2", "printed nothing: red"),
        (#"printf '\377'"#, "output is not UTF-8: byte 0xff at line 1"),
        (#"printf 'a\n\033[2Jred'"#, "line 2 contains a terminal escape sequence"),
        (#"printf '\033]0;title\007a'"#, "line 1 contains a terminal escape sequence"),
        ("echo a; exit 3", "exited with status 3, after it printed: a"), ("exit 3", "exited with status 3"),
        ("kill -SEGV $$", "killed by SIGSEGV"),
        ("kill -TERM $$", "killed by SIGTERM"),
        (
            "exec 2>&1; nonexistent-command >/dev/null",
            "exited with status 127, a command in it was not found, after it printed: /bin/sh: 1: nonexistent-command: not found"
        ),
        ("exit 127", "exited with status 127, a command in it was not found"),
        ("exit 126", "exited with status 126, a command in it could not be executed"),
        ("echo 'cannot reach the server' >&2; exit 1", "cannot reach the server"),
        (#"printf '\033[31mred\033[0m\n' >&2; exit 1"#, "red"),
    ])
    @LoopActor func failureIsToldInWords(script: String, reason: String) async throws {
        let trial = RunTrial()
        let outcome = try await trial.run(script)
        #expect(outcome.failure == reason)
        #expect(PlainText.complaint(about: outcome.errorOutput, allowingLines: true) == nil)
    }

    @Test @LoopActor func halfALineIsFine() async throws {
        #expect(try await RunTrial().run("printf 'half a line'").text == "half a line")
    }

    @Test @LoopActor func aGigabyteIsNotRead() async throws {
        let trial = RunTrial()
        let outcome = try await trial.run("yes | head -c 1G")
        #expect(outcome.failure == "printed more than 1 MiB (OutputMax=1M)")
        #expect(trial.leftovers().isEmpty)
    }

    /// 24 MB, which takes three seconds on an idle machine.
    @Test @LoopActor func aFloodOfErrorsIsReadAndForgotten() async throws {
        let outcome = try await RunTrial().run("yes error | head -n 4000000 >&2; echo fine", timeout: .seconds(50))
        #expect(outcome.text == "fine")
        #expect(outcome.errorOutput.hasSuffix("error\nerror") && outcome.errorOutput.utf8.count <= 4_096)
    }

    /// Reading one pipe to its end before the other would wait for ever here.
    @Test @LoopActor func bothPipesMayBeFull() async throws {
        let outcome = try await RunTrial().run(
            "head -c 300000 /dev/zero | tr '\\0' e >&2; seq 1 50000; echo end >&2")
        #expect(outcome.text == "1" && outcome.errorOutput.hasSuffix("end"))
    }

    @Test @LoopActor func aHangTimesOut() async throws {
        let trial = RunTrial()
        let outcome = try await trial.run("echo early; sleep 1000", timeout: .milliseconds(100))
        #expect(outcome.failure == "timed out after 100 ms (Timeout=100ms)")
        #expect(outcome.exit == "killed by SIGTERM")
        #expect(outcome.duration < .seconds(15))
        #expect(trial.leftovers().isEmpty)
    }

    @Test @LoopActor func aProgramThatIgnoresSIGTERMIsKilled() async throws {
        let trial = RunTrial()
        let outcome = try await trial.run(
            "trap '' TERM HUP INT; while :; do sleep 1000; done", timeout: .seconds(1))
        #expect(outcome.failure == "timed out after 1 s (Timeout=1s)")
        #expect(outcome.exit == "killed by SIGKILL")
        #expect(trial.leftovers().isEmpty)
    }

    @Test @LoopActor func aStoppedProgramTimesOutToo() async throws {
        let trial = RunTrial()
        let outcome = try await trial.run("kill -STOP $$; echo a", timeout: .milliseconds(100))
        #expect(outcome.exit == "killed by SIGTERM")
        #expect(outcome.failure == "timed out after 100 ms (Timeout=100ms)")
    }

    @Test @LoopActor func aCleanEndAfterTERMIsStillATimeOut() async throws {
        let outcome = try await RunTrial { $0.killGrace = .seconds(10) }.run(
            "trap 'echo late; exit 0' TERM; sleep 1000 & wait", timeout: .seconds(1))
        #expect(outcome.failure == "timed out after 1 s (Timeout=1s)")
        #expect(outcome.exit == "exited with status 0")
    }

    @Test @LoopActor func outputClosedEarlyIsNotTheEnd() async throws {
        let trial = RunTrial()
        let outcome = try await trial.run("echo early; exec >&- 2>&-; sleep 0.3; echo done >done")
        #expect(outcome.text == "early")
        #expect(try trial.directory.read("state/widgets/org.example.test/done") == "done\n")
        let hanging = try await trial.run("echo early; exec >&- 2>&-; sleep 1000", timeout: .milliseconds(100))
        #expect(hanging.failure == "timed out after 100 ms (Timeout=100ms)")
    }

    @Test @LoopActor func memoryIsLimited() async throws {
        let outcome = try await RunTrial().run("head -c 300M /dev/zero | tail") { manifest, _ in
            manifest.limits.memory = ByteSize(bytes: 64 << 20)
        }
        let failure = try #require(outcome.failure)
        #expect(failure.hasPrefix("exited with status 1, out of memory (MemoryMax=64M): "), "\(failure)")
    }

    @Test @LoopActor func aProgramThatIsThereNoLongerIsSaid() async throws {
        let trial = RunTrial()
        let path = try trial.directory.script("#!/bin/sh\necho a\n", to: "x")
        let request = try trial.request([path])
        trial.runner.start(request)
        #expect(try await trial.outcome().text == "a")
        try trial.directory.delete("x")
        trial.runner.start(try trial.request([path]))
        #expect(try await trial.outcome().failure == "cannot execute \(path): No such file or directory")
    }

    @Test @LoopActor func aBadInterpreterIsNamed() async throws {
        let trial = RunTrial()
        let path = try trial.directory.script("#!/nowhere/python3\n", to: "x")
        trial.runner.start(try trial.request([path]))
        #expect(
            try await trial.outcome().failure
                == "cannot execute \(path): its interpreter /nowhere/python3 does not exist")
    }

    /// One widget in the place of another would get what that one keeps, and the daemon would start it there.
    @Test @LoopActor func aWidgetThatPutsALinkInAnothersPlaceKeepsItFromRunning() async throws {
        let trial = RunTrial()
        try trial.directory.makeDirectory("state/widgets/org.example.evil")
        try trial.directory.link("state/widgets/org.example.test", to: "org.example.evil")
        #expect(try await trial.run("echo a").failure == "\(trial.state) is a symbolic link")
        try trial.directory.makeDirectory("state/groups/other")
        try trial.directory.link("state/groups/group.org.example", to: "other")
        try trial.directory.delete("state/widgets/org.example.test")
        let outcome = try await trial.run("echo a") { manifest, _ in manifest.appGroups = ["group.org.example"] }
        #expect(outcome.failure == "\(trial.directory("state/groups/group.org.example")) is a symbolic link")
    }

    /// As with DynamicUser= of systemd, and where an administrator has another disk for it.
    @Test @LoopActor func theStateDirectoryItselfMayBeALink() async throws {
        let trial = RunTrial()
        try trial.directory.makeDirectory("private")
        try trial.directory.link("state", to: "private")
        #expect(try await trial.run("basename $(pwd -P)").text == "org.example.test")
    }
}
