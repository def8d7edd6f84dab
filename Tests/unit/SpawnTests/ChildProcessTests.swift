// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TestSupport
import Testing

@testable import Spawn

@Suite struct ChildProcessTests {
    init() { TestLoop.start() }

    @Test @LoopActor func theExitStatusIsTold() async throws {
        #expect(try await Launched(script: "exit 3").exit() == .exited(3))
        #expect(try await Launched(script: "kill -9 $$").exit() == .killed(SIGKILL, coreDumped: false))
    }

    @Test @LoopActor func bothPipesAreRead() async throws {
        let program = try Launched(script: "echo out; echo err >&2")
        #expect(try await program.text() == "out\n")
        #expect(program.errorOutput == Array("err\n".utf8))
    }

    @Test @LoopActor func theArgumentsAndEnvironmentAreExactlyThose() async throws {
        var plan = LaunchPlan(
            executable: "/usr/bin/env", arguments: ["env"], environment: ["A": "1 2", "B": "", "C": "ü=\n"])
        plan.standardOutput = .pipe
        let text = try await Launched(plan).text()
        #expect(Set(text.split(separator: "\n")) == ["A=1 2", "B=", "C=ü="])
        let arguments = try Launched(script: #"printf '%s|' "$0" "$@""#) { $0.arguments += ["name", "a b", "", "*"] }
        #expect(try await arguments.text() == "name|a b||*|")
    }

    @Test @LoopActor func itLeadsASessionOfItsOwn() async throws {
        let own = try Launched(script: "cut -d' ' -f1,5,6 /proc/$$/stat")
        let pid = own.process.pid
        #expect(try await own.text() == "\(pid) \(pid) \(pid)\n")
        let shared = try Launched(script: "cut -d' ' -f6 /proc/$$/stat") { $0.newSession = false }
        #expect(try await shared.text() == "\(getsid(0))\n")
    }

    @Test @LoopActor func onlyTheGivenDescriptorsAreOpen() async throws {
        // A descriptor of ours without close-on-exec must not reach the child either.
        let leak = dup(1)
        defer { close(leak) }
        let program = try Launched(script: "for f in /proc/$$/fd/*; do readlink $f; done")
        let names = try await program.text().split(separator: "\n")
        #expect(names.count == 3)
        #expect(names.first == "/dev/null")
    }

    @Test @LoopActor func passedDescriptorsBeginAtThree() async throws {
        let directory = TemporaryDirectory()
        let first = open(try directory.write("first", to: "1"), O_RDONLY | O_CLOEXEC)
        let second = open(try directory.write("second", to: "2"), O_RDONLY | O_CLOEXEC)
        defer {
            close(first)
            close(second)
        }
        // In this order each is another's target when the numbers are small.
        let script =
            #"cat <&3; cat <&4; echo " $LISTEN_FDS $LISTEN_FDNAMES"; test "$LISTEN_PID" = $$ || echo "$LISTEN_PID""#
        let program = try Launched(script: script) { $0.passed = [.init("b", second), .init("a", first)] }
        #expect(try await program.text() == "secondfirst 2 b:a\n")
    }

    @Test @LoopActor func standardInputIsEmpty() async throws {
        #expect(try await Launched(script: "cat; echo end").text() == "end\n")
    }

    @Test @LoopActor func theDirectoryIsEntered() async throws {
        let directory = TemporaryDirectory()
        #expect(try await Launched(script: "pwd -P") { $0.directory = directory.path }.text() == directory.path + "\n")
    }

    @Test @LoopActor func limitsAreSet() async throws {
        let program = try Launched(script: "ulimit -d; ulimit -c; ulimit -n") {
            $0.limits.memory = 64 << 20
            $0.limits.openFiles = 20
        }
        #expect(try await program.text() == "65536\n0\n20\n")
    }

    @Test @LoopActor func signalsAreAtTheirDefaults() async throws {
        let before = signal(SIGUSR2, SIG_IGN)
        defer { signal(SIGUSR2, before) }
        let program = try Launched(script: "exec grep -E 'SigBlk|SigIgn' /proc/self/status")
        #expect(try await program.text() == "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n")
    }

    @Test @LoopActor func aSignalReachesTheProgramAndItsGroup() async throws {
        let program = try Launched(script: "sleep 1000 & wait")
        try await eventually("child") { !ProcessTree.children(of: program.process.pid).isEmpty }
        #expect(program.process.sendToGroup(SIGTERM))
        #expect(try await program.exit() == .killed(SIGTERM, coreDumped: false))
        #expect(try await program.text() == "")
        #expect(!program.process.isRunning && !program.process.send(SIGTERM) && !program.process.sendToGroup(SIGTERM))
    }

    @Test @LoopActor func onlyProgramsThatGoOnAreRunning() async throws {
        let program = try Launched(script: "exec sleep 1000")
        #expect(ChildProcess.running.contains(program.process.pid))
        program.process.send(SIGKILL)
        _ = try await program.exit()
        #expect(!ChildProcess.running.contains(program.process.pid))
    }

    /// What has ended and was not started as a ChildProcess is reaped; the loop reaps the others.
    @Test @LoopActor func theDeadOfOthersAreReaped() async throws {
        func isDead(_ pid: pid_t) -> Bool {
            let stat = ProcFile.read("/proc/\(pid)/stat").map { String(decoding: $0, as: UTF8.self) }
            return stat?.contains(") Z ") ?? true
        }
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
        defer { free(arguments[0]) }
        var orphans: [pid_t] = []
        for _ in 0..<5 {
            var pid: pid_t = 0
            try #require(posix_spawn(&pid, "/bin/true", nil, nil, &arguments, environ) == 0)
            orphans.append(pid)
        }
        for orphan in orphans { while !isDead(orphan) { usleep(1_000) } }
        #expect(Orphans.reapEnded(atMost: 2), "there are more")
        #expect(!Orphans.reapEnded(atMost: 100))
        for orphan in orphans { #expect(waitpid(orphan, nil, WNOHANG) == -1 && errno == ECHILD) }
        let program = try Launched(script: "exit 3")
        while !isDead(program.process.pid) { usleep(1_000) }
        #expect(!Orphans.reapEnded())
        #expect(try await program.exit() == .exited(3))
    }
}
