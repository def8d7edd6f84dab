// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import Spawn
import TestSupport
import Testing
import TodayModel

@testable import Runner

/// The doors of a sandbox by Landlock.
@Suite struct SandboxDoorsTests {
    private func doors(_ level: Sandbox.Level = .strict, _ change: (inout Sandbox) -> Void = { _ in }) -> [String] {
        var sandbox = Sandbox(level: level)
        change(&sandbox)
        let command = SandboxCommand(
            sandbox: sandbox, directories: ["/s/w", "/s/g"], program: "/opt/w/x", workingDirectory: "/work",
            socket: "/s/s", environment: ["HOME": "/home/me"])
        return command.doors?.map { "\($0.access) \($0.isOptional ? "-" : "")\($0.path)" } ?? ["none"]
    }

    @Test func itHasTheSystemAndItsOwn() {
        let doors = doors()
        for door in [
            "read -/usr", "read -/etc", "read -/proc", "read -/opt/w", "read -/work", "write /s/w", "write /s/g",
            "device -/dev/null", "device -/dev/urandom",
        ] {
            #expect(doors.contains(door), "\(door)")
        }
        #expect(!doors.contains { $0.contains("/home") || $0.contains("/tmp") || $0.contains("resolve") })
        #expect(!doors.contains { $0.hasPrefix("write") && !$0.hasPrefix("write /s/") })
    }

    private static let more: [(change: @Sendable (inout Sandbox) -> Void, door: String)] = [
        ({ $0.readable = [.init("/srv")] }, "read /srv"),
        ({ $0.readable = [.init("/srv", isOptional: true)] }, "read -/srv"),
        ({ $0.writable = [.init("/srv")] }, "write /srv"),
        ({ $0.devices = [.init("/dev/dri")] }, "device /dev/dri"),
        ({ $0.network = true }, "read -/run/systemd/resolve"),
    ]

    @Test(arguments: more.indices) func eachDoorIsOne(index: Int) {
        let (change, door) = Self.more[index]
        #expect(doors(.strict, change).contains(door) && !doors().contains(door))
    }

    @Test func levelsDifferInTheNetwork() {
        #expect(doors(.network).contains("read -/run/systemd/resolve"))
        #expect(doors(.none) { $0.network = false } == ["none"])
    }

    /// A version of Landlock, the default level of widgets, and how many sentences say what it leaves open.
    @Test func whatTheKernelCannotIsSaid() {
        #expect(
            Sandboxing.kernel.defaultLevel(version: 0) == .none && Sandboxing.kernel.defaultLevel(version: 1) == .strict
        )
        #expect(Sandboxing.bubblewrap.defaultLevel(version: 7) == .none)
        #expect([1, 2, 3, 5, 6, 7].map { Sandboxing.kernel.gaps(version: $0).count } == [4, 4, 3, 3, 2, 2])
        #expect(Sandboxing.bubblewrap.gaps(version: 1).isEmpty)
    }
}

/// With the real Landlock and seccomp(2).
@Suite(.enabled(if: KernelWalls.version > 0, "this kernel has no Landlock"))
struct KernelSandboxTests {
    init() { TestLoop.start() }

    @LoopActor private func run(
        _ script: String, _ change: (inout Sandbox) -> Void = { _ in }
    ) async throws -> (outcome: RunOutcome, trial: RunTrial) {
        let trial = RunTrial { $0.sandboxing = .kernel }
        let outcome = try await trial.run(script) { manifest, _ in
            manifest.sandbox.level = .strict
            change(&manifest.sandbox)
        }
        return (outcome, trial)
    }

    @Test @LoopActor func itsOwnDirectoryIsItsOwn() async throws {
        let script = """
            mkdir d && echo kept >d/mine && mv d/mine mine && rmdir d && ln -s mine link && cat link >/dev/null
            : >mine && echo kept >mine && cat <<END
            $(cat mine) $TMPDIR
            END
            """
        let (outcome, trial) = try await run(script)
        let own = trial.directory("state/widgets/org.example.test")
        #expect(outcome.text == "kept \(own)", "\(outcome)")
        #expect(try trial.directory.read("state/widgets/org.example.test/mine") == "kept\n")
    }

    private static let refused = [
        "echo x >/usr/new", "echo x >/etc/new", "echo x >/tmp/new", "mkdir /home/new", "ls /var/lib/dpkg", "ls /root",
        "cat /root/.bashrc", "ls /proc/\(getpid())/root/", "ls /",
        "echo 0 >/proc/self/oom_score_adj", "cp /bin/true mine && /bin/mount --bind mine /mnt",
    ]

    @Test(arguments: refused) @LoopActor func whatIsOutsideIsRefused(command: String) async throws {
        let (outcome, _) = try await run("if \(command) >/dev/null 2>&1; then echo possible; else echo refused; fi")
        #expect(outcome.text == "refused", "\(outcome)")
    }

    @Test(.enabled(if: KernelWalls.version >= 6, "Landlock of this kernel knows no signals"))
    @LoopActor func processesOutsideGetNoSignal() async throws {
        let script = "kill -0 \(getpid()) 2>/dev/null && echo possible; sleep 9 & kill $! && echo own"
        #expect(try await run(script).outcome.text == "own")
    }

    /// It has sockets of this machine in any case, and the others by its level.
    @Test @LoopActor func theNetworkIsASystemCall() async throws {
        func says(_ change: @escaping (inout Sandbox) -> Void = { _ in }) async throws -> String? {
            let script = "bash -c 'exec 3<>/dev/tcp/127.0.0.1/1' 2>&1 | sed -n '1s/.*: //p'"
            return try await run(script, change).outcome.text
        }
        let (refused, forbidden) = ("Connection refused", "Address family not supported by protocol")
        #expect(try await says() == forbidden)
        #expect(try await says { $0.network = true } == refused)
        #expect(try await says { $0.level = .network } == refused)
        #expect(
            try await says {
                $0.level = .none
                $0.network = false
            } == forbidden)
        #expect(try await says { $0.level = .none } == refused)
    }

    @Test @LoopActor func withoutTheNetworkAloneFilesStay() async throws {
        let (outcome, _) = try await run(
            "ls / >/dev/null && touch \"/tmp/today-$$\" && rm \"/tmp/today-$$\" && echo ok"
        ) {
            $0.level = .none
            $0.network = false
        }
        #expect(outcome.text == "ok", "\(outcome)")
    }

    @Test @LoopActor func doorsAreOpened() async throws {
        let place = TemporaryDirectory()
        try place.write("secret\n", to: "file")
        #expect(try await run("cat \(place("file")); true").outcome.failure != nil)
        let read = try await run(
            "cat \(place("file")); true >\(place("file")); touch \(place("new")) 2>/dev/null; true"
        ) {
            $0.readable = [.init(place.path)]
        }
        #expect(read.outcome.text == "secret" && !place.exists("new"))
        #expect(try place.read("file") == "secret\n", "nor is it emptied")
        let written = try await run("touch \(place("new")); echo ok") { $0.writable = [.init(place.path)] }
        #expect(written.outcome.text == "ok" && place.exists("new"))
        let file = try await run(
            "echo more >>\(place("file")); cat \(place("file")); cat \(place("new")) && echo too; true"
        ) {
            $0.writable = [.init(place("file"))]
        }
        #expect("\(file.outcome)".contains("tooltip: Optional(\"more\")"))
        let missing = try await run("echo ok") { $0.readable = [.init(place("nowhere"))] }
        let reason = "cannot be made: cannot let a sandbox have \(place("nowhere")): No such file or directory"
        #expect(missing.outcome.failure?.hasSuffix(reason) == true, "\(missing.outcome)")
        let optional = try await run("echo ok") { $0.readable = [.init(place("nowhere"), isOptional: true)] }
        #expect(optional.outcome.text == "ok")
    }

    @Test @LoopActor func nothingBecomesAnotherUser() async throws {
        #expect(try await run("sed -n 's/^NoNewPrivs:.//p' /proc/self/status").outcome.text == "1")
        #expect(try await run("exit 3").outcome.failure == "exited with status 3 in its sandbox (Level=strict)")
        let refused = try await run("ls /root").outcome
        #expect(refused.failure?.contains("Permission denied; its sandbox may forbid this") == true, "\(refused)")
    }

    /// Its own process, and not one of bubblewrap, gets the signals.
    @Test @LoopActor func aProgramThatStaysIsCalled() async throws {
        let trial = RunTrial { $0.sandboxing = .kernel }
        let script = """
            [ "$LISTEN_PID" = $$ ] || exit 7
            while IFS= read -r -d '' call <&3; do
                printf '{"parameters":{"update":{"result":"newData","content":{"text":"%s"}}}}\\0' "$LISTEN_FDS" >&3
            done
            """
        trial.runner.start(
            try trial.request(["/bin/bash", "-c", script]) { manifest, _ in
                manifest.update.contentProtocol = .varlink
                manifest.sandbox.level = .strict
            })
        #expect(try await trial.outcome().text == "2")
        trial.runner.dismiss(try #require(WidgetID("org.example.test")))
        let late = RunTrial { ($0.sandboxing, $0.killGrace) = (.kernel, .seconds(10)) }
        let outcome = try await late.run(
            "trap 'echo told >told; exit' TERM; while :; do sleep 0.05; done", timeout: .seconds(1)
        ) { manifest, _ in manifest.sandbox.level = .strict }
        #expect(outcome.failure == "timed out after 1 s (Timeout=1s)")
        #expect(try late.directory.read("state/widgets/org.example.test/told") == "told\n")
    }
}
