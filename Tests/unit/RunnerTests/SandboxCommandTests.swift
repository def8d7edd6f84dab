// SPDX-License-Identifier: MIT
import Glibc
import Platform
import Reactor
import Spawn
import TestSupport
import Testing
import TodayModel

@testable import Runner

@Suite struct SandboxCommandTests {
    private func options(
        _ level: Sandbox.Level = .strict, environment: [String: String] = ["HOME": "/home/me"],
        _ change: (inout Sandbox) -> Void = { _ in }
    ) -> String {
        var sandbox = Sandbox(level: level)
        change(&sandbox)
        return command(sandbox, environment).options.joined(separator: " ")
    }

    private func command(
        _ sandbox: Sandbox, _ environment: [String: String], program: String = "/home/me/.config/w/x"
    ) -> SandboxCommand {
        SandboxCommand(
            sandbox: sandbox, directories: ["/s/w", "/s/g"], program: program,
            workingDirectory: "/s/w", socket: "/run/user/1/s", environment: environment)
    }

    private static let doors: [(change: @Sendable (inout Sandbox) -> Void, words: String)] = [
        ({ $0.readable = [.init("/srv/a b")] }, " --ro-bind /srv/a b /srv/a b "),
        ({ $0.readable = [.init("/srv", isOptional: true)] }, " --ro-bind-try /srv /srv "),
        ({ $0.writable = [.init("/srv")] }, " --bind /srv /srv "),
        ({ $0.devices = [.init("/dev/dri", isOptional: true)] }, " --dev-bind-try /dev/dri /dev/dri "),
        ({ $0.network = true }, " --share-net "), ({ _ in }, "--unshare-all --proc "),
        ({ $0.bus = true }, " --bind-try /run/user/1/bus /run/user/1/bus "),
    ]

    @Test(arguments: doors.indices) func eachDoorIsOneOption(index: Int) {
        let environment = ["HOME": "/home/me", "XDG_RUNTIME_DIR": "/run/user/1"]
        let (change, words) = Self.doors[index]
        #expect(options(environment: environment, change).contains(words))
        if words.contains("srv") || words.contains("dri") || words.contains("bus") {
            #expect(!options(environment: environment).contains(words), "it is closed otherwise")
        }
    }

    /// bwrap follows links, so another user must not be able to make one between this check and the start.
    @Test func onlyDoorsThatExistAreOpened() throws {
        let directory = TemporaryDirectory()
        let file = try directory.write("", to: "file")
        var sandbox = Sandbox(level: .strict)
        sandbox.readable = [.init(file), .init(directory("none"), isOptional: true)]
        sandbox.writable = [.init(directory("none/x"), isOptional: true), .init(file, isOptional: true)]
        var command = command(sandbox, [:])
        try command.checkDoors()
        #expect(command.sandbox.readable.map(\.path) == [file] && command.sandbox.writable.map(\.path) == [file])
        func failure(_ path: String) -> String {
            sandbox.writable = [.init(path)]
            var command = self.command(sandbox, [:])
            do throws(SandboxFailure) {
                try command.checkDoors()
                return ""
            } catch {
                return error.description
            }
        }
        #expect(
            failure(directory("none")).hasSuffix(
                "cannot let a sandbox have \(directory("none")): No such file or directory"))
        guard geteuid() == 0 else { return }
        try directory.link("theirs", to: file)
        #expect(lchown(directory("theirs"), 12_345, 12_345) == 0)
        #expect(
            failure(directory("theirs")).hasSuffix(
                "theirs belongs to another user (uid 12345), who could lead it elsewhere"))
    }

    @Test func levelsDifferInTheNetwork() {
        #expect(!options(.strict).contains("--share-net") && !options(.strict).contains("resolve"))
        #expect(options(.network).contains("--share-net") && options(.network).contains("/run/systemd/resolve"))
        #expect(!options(.network) { $0.network = false }.contains("--share-net"))
        #expect(
            options(.none) { $0.network = false }
                == "--dev-bind / / --unshare-net --die-with-parent --chdir /s/w --")
    }

    /// Later options lie over earlier ones.
    @Test func itsOwnLiesOverTheEmptyHome() throws {
        let words = command(Sandbox(level: .strict), ["HOME": "/home/me"]).options
        func place(_ option: String, _ path: String) throws -> Int {
            try #require(words.indices.first { words[$0] == option && words[$0 + 1] == path }, "\(option) \(path)")
        }
        let home = try place("--tmpfs", "/home/me")
        #expect(try home < place("--ro-bind-try", "/home/me/.config/w") && home < place("--bind", "/s/w"))
        #expect(try place("--bind", "/s/g") < place("--remount-ro", "/"))
        #expect(Array(words.suffix(6)) == ["--remount-ro", "/", "--die-with-parent", "--chdir", "/s/w", "--"])
        #expect(!options(environment: ["HOME": "/"]).contains("--tmpfs / "), "root's home may be the root")
    }

    private static let places: [(program: String, home: String?, place: String)] = [
        ("/home/me/.config/w/x", "/home/me", "/home/me/.config/w"), ("/home/me/x", "/home/me", "/home/me/x"),
        ("/home/x", "/home/me", "/home/x"), ("/x", "/home/me", "/x"), ("/home/me2/x", "/home/me", "/home/me2"),
        ("/home/me/x", "/home/me/", "/home/me/x"), ("/srv/x", nil, "/srv/x"), ("/srv/w/x", "/root", "/srv/w"),
        ("/opt/me/w/x", "/opt/me", "/opt/me/w"), ("/opt/me/w/x", "/opt/me/", "/opt/me/w"),
    ]

    /// The directory of the program is there, unless it would be the home.
    @Test(arguments: places.indices) func aProgramInTheHomeOpensNoHome(index: Int) {
        let (program, home, place) = Self.places[index]
        let words = command(Sandbox(level: .strict), home.map { ["HOME": $0] } ?? [:], program: program).options
        #expect(words.indices.contains { words[$0] == "--ro-bind-try" && words[$0 + 1] == place }, "\(words)")
        #expect(!words.indices.contains { words[$0].hasSuffix("bind-try") && home == words[$0 + 1] })
    }

    private static let buses: [(environment: [String: String], path: String?)] = [
        (["DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/user/7/bus,guid=1"], "/run/user/7/bus"),
        (["DBUS_SESSION_BUS_ADDRESS": "unix:path=/a;tcp:host=b"], "/a"),
        (["DBUS_SESSION_BUS_ADDRESS": "unix:abstract=/abstract", "XDG_RUNTIME_DIR": "/r"], nil),
        (["XDG_RUNTIME_DIR": "/r"], "/r/bus"), ([:], nil),
    ]

    @Test(arguments: buses.indices) func theBusIsWhereItsAddressSays(index: Int) {
        let (environment, path) = Self.buses[index]
        var sandbox = Sandbox(level: .strict)
        sandbox.bus = true
        let words = command(sandbox, environment).options.joined(separator: " ")
        if let path {
            #expect(words.contains(" --bind-try \(path) \(path) "))
        } else {
            #expect(!words.contains("abstract") && !words.contains("/bus "))
        }
    }

    @Test func variablesOfClosedDoorsAreLeftOut() {
        var sandbox = Sandbox(level: .strict)
        let closed = Set(command(sandbox, [:]).closedVariables)
        #expect(closed == RunEnvironment.doorsOfSession.union(["DBUS_SESSION_BUS_ADDRESS"]))
        #expect(closed.isSuperset(of: ["SSH_AUTH_SOCK", "DISPLAY", "SWAYSOCK"]) && !closed.contains("PATH"))
        sandbox.bus = true
        #expect(command(sandbox, [:]).closedVariables == ["SSH_AUTH_SOCK"])
        sandbox = Sandbox()
        sandbox.network = false
        #expect(command(sandbox, [:]).closedVariables == [])
    }

    private static let words: [(change: @Sendable (inout Sandbox) -> Void, words: String?)] = [
        ({ $0.level = .none }, nil),
        (
            {
                $0 = Sandbox(); $0.network = false
            }, "none: no network"
        ),
        ({ _ in }, "strict: no network, no home, nothing writable but its own"),
        ({ $0.level = .network }, "network: no home, nothing writable but its own"),
        (
            {
                ($0.network, $0.bus, $0.readable) = (true, true, [.init("/a"), .init("/b")])
                ($0.writable, $0.devices) = ([.init("/c")], [.init("/dev/dri")])
            },
            "strict: no home, nothing writable but its own; reads /a, /b; writes /c; uses /dev/dri; has the bus"
        ),
    ]

    @Test(arguments: words.indices) func itIsToldInWords(index: Int) {
        var sandbox = Sandbox(level: .strict)
        Self.words[index].change(&sandbox)
        #expect(sandbox.words == Self.words[index].words)
    }
}

private enum Bubblewrap {
    static let isPossible: Bool = {
        guard let bwrap = SandboxCommand.program(in: [:]),
            let program = try? SpawnedProgram(
                SpawnedProgram.Plan(bwrap, ["--unshare-all", "--ro-bind", "/", "/", "--", "/bin/true"]))
        else { return false }
        return program.wait() == .exited(0)
    }()
}

/// With the real bwrap(1).
@Suite(.enabled(if: Bubblewrap.isPossible, "bubblewrap is not installed, or may not make namespaces"))
struct SandboxRunTests {
    init() { TestLoop.start() }

    @LoopActor private func run(
        _ script: String, timeout: TimeSpan = .seconds(20), _ change: (inout Sandbox) -> Void = { _ in }
    ) async throws -> (outcome: RunOutcome, trial: RunTrial) {
        let trial = RunTrial {
            $0.environment["HOME"] = "/root"
            // A busy disk may need a while for what the program writes at its end.
            $0.killGrace = .seconds(10)
        }
        let outcome = try await trial.run(script, timeout: timeout) { manifest, _ in
            manifest.sandbox.level = .strict
            change(&manifest.sandbox)
        }
        return (outcome, trial)
    }

    @Test @LoopActor func itsOwnDirectoryIsItsOwn() async throws {
        let (outcome, trial) = try await run("echo kept >mine; cat mine; ls -A /root /tmp")
        #expect(outcome.text == "kept", "\(outcome)")
        #expect(try trial.directory.read("state/widgets/org.example.test/mine") == "kept\n")
    }

    private static let refused = [
        "touch /usr/new", "touch /etc/new", "touch /new", "mkdir /home/new", "ls /var/lib/dpkg", "cat /root/.bashrc",
        "kill -0 \(getpid())", "ls /proc/\(getpid())",
        // No interface but that of the machine itself.
        "grep -v -e lo: -e '|' /proc/net/dev",
    ]

    @Test(arguments: refused) @LoopActor func whatIsOutsideIsNotThere(command: String) async throws {
        let (outcome, _) = try await run("if \(command) >/dev/null 2>&1; then echo possible; else echo refused; fi")
        #expect(outcome.text == "refused", "\(outcome)")
    }

    /// Where the home is does not depend on what a manifest says.
    @Test @LoopActor func anotherHomeOpensNone() async throws {
        let home = TemporaryDirectory()
        try home.write("secret", to: "key")
        let program = try home.write("#!/bin/sh\ncat \(home("key")) || echo closed\n", to: "program", mode: 0o755)
        let trial = RunTrial { $0.environment["HOME"] = home.path }
        trial.runner.start(
            try trial.request([program]) { manifest, _ in
                manifest.sandbox.level = .strict
                manifest.update.environment["HOME"] = "/nowhere"
            })
        #expect(try await trial.outcome().text == "closed")
    }

    /// As after `todayctl import --link`: a link to a link to the program, and none of the other files beside it.
    @Test @LoopActor func aProgramMayBeALink() async throws {
        let home = TemporaryDirectory()
        for name in ["plugins", "scripts", "files"] { try home.makeDirectory(name) }
        try home.write("secret", to: "files/key")
        try home.write("#!/bin/sh\necho $0; cat \(home("files/key"))\n", to: "files/program", mode: 0o755)
        #expect(symlink("../files/program", home("scripts/link")) == 0)
        #expect(symlink(home("scripts/link"), home("plugins/one")) == 0)
        #expect(symlink("one", home("plugins/two")) == 0)
        for sandboxing in [Sandboxing.bubblewrap, .kernel] {
            let trial = RunTrial {
                $0.environment["HOME"] = home.path
                $0.sandboxing = sandboxing
            }
            trial.runner.start(
                try trial.request([home("plugins/two")]) { manifest, _ in manifest.sandbox.level = .strict })
            let outcome = try await trial.outcome()
            #expect(outcome.printed?.beginning == "\(home("plugins/two"))\n", "\(sandboxing): \(outcome)")
        }
        // On Debian, a link to a link to mawk.
        let trial = RunTrial()
        trial.runner.start(
            try trial.request(["/usr/bin/awk", "BEGIN { print 1 }"]) { manifest, _ in manifest.sandbox.level = .strict }
        )
        let outcome = try await trial.outcome()
        #expect(outcome.text == "1", "\(outcome)")
    }

    @Test @LoopActor func doorsAreOpened() async throws {
        let place = TemporaryDirectory()
        try place.write("secret\n", to: "file")
        #expect(try await run("cat \(place("file")); true").outcome.failure != nil)
        let read = try await run("cat \(place("file")); touch \(place("new")) 2>/dev/null; true") {
            $0.readable = [.init(place.path)]
        }
        #expect(read.outcome.text == "secret" && !place.exists("new"))
        let written = try await run("touch \(place("new")); echo ok") { $0.writable = [.init(place.path)] }
        #expect(written.outcome.text == "ok" && place.exists("new"))
        for hasBus in [true, false] {
            let trial = RunTrial()
            let outcome = try await trial.run("cat \(place("file")) || echo none") { manifest, request in
                manifest.sandbox = Sandbox(level: .strict)
                manifest.sandbox.bus = hasBus
                request.session = ["XAUTHORITY": place("file")]
            }
            #expect(outcome.text == (hasBus ? "secret" : "none"), "with the bus come the windows")
        }
        let missing = try await run("echo ok") { $0.readable = [.init(place("nowhere"))] }
        #expect(missing.outcome.failure?.contains(place("nowhere")) == true, "\(missing.outcome)")
        let optional = try await run("echo ok") { $0.readable = [.init(place("nowhere"), isOptional: true)] }
        #expect(optional.outcome.text == "ok")
    }

    /// It finds its descriptors, and todayd knows whose it is.
    @Test @LoopActor func aProgramThatStaysIsCalled() async throws {
        let trial = RunTrial()
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
        let outcome = try await trial.outcome()
        #expect(outcome.text == "2", "\(outcome)")
        let id = try #require(WidgetID("org.example.test"))
        let inside = ProcessTree.descendants(of: getpid()).filter {
            trial.runner.origin(of: $0, seen: .max) == .widget(id)
        }
        #expect(inside.count >= 2, "bwrap and the program")
        trial.runner.dismiss(id)
    }

    @Test @LoopActor func endingsAreThoseOfTheProgram() async throws {
        let status = try await run("exit 3").outcome
        #expect(status.failure == "exited with status 3 in its sandbox (Level=strict)", "\(status)")
        let refused = try await run("cat ~/.ssh/id").outcome
        #expect(refused.failure?.hasSuffix("; its sandbox may hide this (ReadPaths= shows it)") == true, "\(refused)")
        #expect(try await run("exit 127").outcome.exit == "exited with status 127")
        #expect(try await run("exit 200").outcome.exit == "exited with status 200")
        let crashed = try await run("kill -SEGV $$").outcome
        #expect(crashed.exit == "killed by SIGSEGV", "\(crashed)")
        let (late, trial) = try await run(
            "trap 'echo told >told; exit' TERM; while :; do sleep 0.05; done", timeout: .seconds(1))
        #expect(late.failure == "timed out after 1 s (Timeout=1s)")
        #expect(
            try trial.directory.read("state/widgets/org.example.test/told") == "told\n", "SIGTERM reaches the program")
        #expect(trial.leftovers() == [])
    }

    /// Its namespace of processes ends with it, also where it has no control group.
    @Test @LoopActor func nothingOutlivesIt() async throws {
        let (outcome, trial) = try await run(
            "setsid sh -c 'setsid sleep 1000 & sleep 1000' >/dev/null 2>&1 & sleep 0.1; echo ok")
        #expect(outcome.text == "ok" && trial.leftovers() == [])
    }

    @Test @LoopActor func withoutTheProgramTheRunIsRefused() async throws {
        let trial = RunTrial { $0.environment["PATH"] = "/nowhere" }
        let outcome = try await trial.run("echo ok") { manifest, _ in manifest.sandbox.level = .network }
        #expect(outcome.failure?.contains("(Level=network) cannot be made: it needs bubblewrap, and") == true)
    }
}
