// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel

extension Integration {
    /// `today-author --once`: one run, as the daemon does it.
    @Suite struct OnceTests {
        private let tool = AuthorTool()

        @Test func aRunIsDescribedAndItsContentIsAnItem() throws {
            let path = try tool.widget("echo '62 % used'; echo detail; echo note >&2")
            let (status, report) = try tool.once(path)
            #expect(status == 0)
            let trial = try #require(report.trial)
            #expect(trial.run?.result == .newData && trial.run?.reason == .request)
            #expect(trial.run?.exit == "exited with status 0" && trial.run?.errorOutput == "note")
            #expect(trial.printed?.beginning == "62 % used\ndetail\n" && trial.printed?.bytes == 17)
            #expect(trial.item.content?.text == "62 % used" && trial.item.state == .ready)
            #expect(trial.item.source == .own && trial.item.taken != nil && trial.item.name == "Test")
            // What the widget could keep is gone.
            #expect(try tool.directory.names(in: ".") == ["a", "org.test.a.widget"])
        }

        @Test func settingsHaveTheirDefaultsOrWhatTheAuthorSays() throws {
            let settings = "Interval=1h\n[Settings]\nCITY=string default=Berlin\nCOUNT=number max=5\nTOKEN=secret"
            let path = try tool.widget("echo $CITY-$COUNT-$TOKEN", update: settings)
            func text(_ more: String...) throws -> String? {
                let arguments = ["preview", "--as", "plain", path] + more
                let preview = try run(
                    "todayctl", ["--user"] + arguments, environment: tool.environment.merging(["TOKEN": "s3"]) { $1 })
                return preview.status == 0 ? preview.output : preview.errors
            }
            #expect(try text()?.contains("Berlin--") == true)
            #expect(
                try text("--set", "CITY=New York", "--set=COUNT=3", "--set=TOKEN")?.contains("New York-3-s3") == true)
            for (word, reason) in [
                ("CITI=x", "has no setting \"CITI\"; did you mean CITY?"), ("COUNT=9", "COUNT: \"9\" is more than 5"),
                ("COUNT", "COUNT has no value: write COUNT=VALUE, or set it in the environment"),
            ] {
                let error = try text("--set", word)
                #expect(error?.contains(reason) == true, "\(error ?? "")")
                let trial = try tool.once(path, "--set", word).report.trial
                #expect(trial?.run == nil && trial?.reason?.contains(reason) == true)
            }
        }

        /// What a format does not understand is not a word of the program.
        @Test func notesAreToldApartFromStandardError() throws {
            let path = try tool.widget(
                "echo text=x; echo nothing; echo note >&2", update: "Protocol=keyvalue\nInterval=1h")
            let trial = try #require(try tool.once(path).report.trial)
            #expect(trial.run?.errorOutput == "note" && trial.notes.count == 1, "\(trial.notes)")
            let lint = try tool.todayctl("lint", "--run", path)
            #expect(
                lint.status == 0 && lint.output.contains("warning: its output: line 2"))
            let preview = try tool.todayctl("preview", path)
            #expect(preview.errors.contains("it wrote to standard error:\n"), "\(preview.errors)")
            #expect(preview.errors.contains("notes on its output:\n"), "\(preview.errors)")
        }

        /// There is no database: the chart has the value of now.
        @Test func aHistoryHasTheValueOfNow() throws {
            let content = #"{"text":"x","percentage":62,"compact":{"type":"chart","history":"percentage"}}"#
            let (status, report) = try tool.once(
                try tool.widget("echo '\(content)'", update: "Protocol=json\nInterval=1h"))
            #expect(status == 0)
            #expect(report.trial?.item.content?.compact == .chart(View.Chart(points: [62])))
        }

        /// The environment, the directory, the limits, the mask and the descriptors of a run.
        @Test func theEnvironmentIsTheOneOfTheDaemon() throws {
            let body = #"""
                { env | sort; pwd; ulimit -a; umask; ls /proc/self/fd; readlink /proc/self/fd/0; } >"$OUT.new"
                mv "$OUT.new" "$OUT"; echo done
                """#
            func update(_ file: String) -> String {
                "Environment=OUT=\(file) A=b\n[Limits]\nMemoryMax=100M"
            }
            let daemon = try PrivateDaemon(
                widgets: Widgets.script(
                    "a", body, update: update(tool.directory("daemon")), widget: "AppGroups=group.org.test"))
            daemon.environment["LC_MESSAGES"] = "de_CH.UTF-8"
            try daemon.follow("a") { $0.state == .ready }
            // With a reason that --once has, too.
            try daemon.update("a")
            let theirs = try tool.directory.read("daemon")
            try daemon.stop()
            try daemon.add(
                "org.test.a.widget",
                Widgets.manifest(
                    "a", update: update(tool.directory("once")), widget: "AppGroups=group.org.test"))
            let result = try run(
                "today-author",
                daemon.arguments + ["--once", "--known", daemon.directory("widgets/org.test.a.widget")],
                environment: ["XDG_RUNTIME_DIR": daemon.directory.path, "NOTIFY_SOCKET": "/nowhere"])
            #expect(result.status == 0, "\(result.output)\(result.errors)")
            func lines(_ text: String) -> [Substring] {
                text.split(separator: "\n").filter { !$0.hasPrefix("OUT=") }
            }
            #expect(lines(try tool.directory.read("once")) == lines(theirs))
            #expect(theirs.contains("TODAY_REASON=request") && theirs.contains("TODAY_KNOWN=1"))
        }

        /// What a program does, and a part of the reason of its failure.
        static let failures: [(body: String, update: String, reason: String)] = [
            (#"exec tail -n0 -f "$0""#, "Timeout=300ms", "timed out after 300 ms"),
            (":", "", "printed nothing"), ("head -c 10M /dev/zero", "", "printed more than 1 MiB"),
            ("echo why >&2; exit 3", "", "exited with status 3: why"),
            ("echo '{'", "Protocol=json", "output is not JSON"),
            (#"printf '\033[2J'"#, "", "terminal escape sequence"),
            (#"rm "$0"; exec 3<>pipe.none; cat /nowhere/at/all"#, "", "/nowhere/at/all: No such file"),
        ]

        @Test(arguments: failures) func aFailureHasItsReason(body: String, update: String, reason: String) throws {
            let (status, report) = try tool.once(try tool.widget(body, update: update))
            #expect(status == 3)
            #expect(report.trial?.run?.failure?.contains(reason) == true, "\(String(describing: report.trial?.run))")
            #expect(report.trial?.item.state == .failing && report.trial?.item.failure?.contains(reason) == true)
        }

        @Test func aProgramThatIsDeletedWhileItRunsGivesItsContent() throws {
            let (status, report) = try tool.once(try tool.widget(#"rm "$0"; echo still here"#))
            #expect(status == 0 && report.trial?.item.content?.text == "still here")
        }

        @Test func longOutputIsCut() throws {
            let (_, report) = try tool.once(try tool.widget("head -c 10M /dev/zero | tr '\\0' x"))
            let printed = try #require(report.trial?.printed)
            #expect(printed.isCut && printed.beginning.utf8.count == 64 << 10 && printed.bytes >= 1 << 20)
        }

        @Test func scriptsRunWithoutAManifest() throws {
            let text = try tool.directory.script("#!/bin/sh\necho hi $TODAY_DISPLAY_MODE\n", to: "hi.5m.sh")
            let (status, report) = try tool.once(text, "--mode", "expanded")
            #expect(status == 0 && report.kind == .script && report.widget?.text == "plugin.hi")
            #expect(report.trial?.item.content?.text == "hi expanded" && report.trial?.item.mode == .expanded)
            let json = try tool.directory.script("#!/bin/sh\necho '{\"text\":\"x\"}'\n", to: "json")
            #expect(try tool.once(json, "--protocol", "json").report.trial?.item.content?.text == "x")
            #expect(try tool.once(json).report.trial?.run?.failure?.contains("Protocol=json") == true)
        }

        /// What cannot be run, the protocol, and a part of the reason.
        @Test func whatCannotBeRunSaysWhy() throws {
            try tool.directory.write("echo hi\n", to: "text", mode: 0o755)
            try tool.directory.write([0, 1, 2, 3], to: "binary", mode: 0o755)
            try tool.directory.write("#!/bin/sh\n", to: "closed", mode: 0o644)
            try tool.directory.write("plain", to: "plain")
            let cases: [(file: String, isRun: Bool, reason: String)] = [
                ("text", true, "has no interpreter"), ("binary", true, "is neither a script nor an ELF program"),
                ("closed", false, "is not executable (chmod +x)"), ("plain", false, "is neither a manifest"),
                ("none", false, "does not exist"), (".", false, "is a directory"),
                ("../../../dev/null", false, "not a regular"),
            ]
            for (file, isRun, reason) in cases {
                let (status, report) = try tool.once(tool.directory(file))
                #expect(status == 3, "\(file)")
                #expect(report.complaints.first?.reason.contains(reason) == true, "\(file): \(report.complaints)")
                #expect((report.trial?.run != nil) == isRun, "\(file)")
            }
        }

        @Test func aPushedWidgetHasNothingToRun() throws {
            let path = try tool.directory.write("[Update]\nProtocol=push\n", to: "org.test.p.widget")
            let (status, report) = try tool.once(path)
            #expect(status == 3 && report.isValid && report.trial?.run == nil)
            #expect(report.trial?.reason?.contains("todayctl push org.test.p") == true)
            #expect(report.trial?.item.state == .empty)
        }

        @Test func aResidentAnswersAndEnds() throws {
            let python = try #require(BuiltPrograms.installed("python3"))
            let program = """
                #!\(python)
                import json, os, socket
                todayd, received = socket.socket(fileno=3), b""
                open(os.environ["PIDFILE"], "w").write(str(os.getpid()))
                while data := todayd.recv(65536):
                    received += data
                    while b"\\0" in received:
                        message, _, received = received.partition(b"\\0")
                        call = json.loads(message)
                        if call.get("oneway"): continue
                        text = call["method"].rpartition(".")[2] + " " + call["parameters"].get("action", "")
                        update = {"result": "newData", "content": {"text": text.strip()}}
                        todayd.sendall(json.dumps({"parameters": {"update": update}}).encode() + b"\\0")
                """
            try tool.directory.script(program, to: "resident")
            let path = try tool.directory.write(
                "[Update]\nExecStart=./resident\nProtocol=varlink\nEnvironment=PIDFILE=\(tool.directory("pid"))\n",
                to: "org.test.r.widget")
            let (status, report) = try tool.once(path)
            #expect(status == 0 && report.trial?.item.content?.text == "PerformUpdate", "\(report)")
            #expect(report.trial?.printed == nil)
            let text = try tool.directory.read("pid")
            let pid = try #require(pid_t(text))
            #expect(!Processes.isRunning(pid))
            #expect(try tool.once(path, "--action", "go").report.trial?.item.content?.text == "PerformAction go")
        }

        @Test func aResidentHasAContextOfItsOwn() throws {
            let program = try #require(BuiltPrograms.has("greeting-widget") ? "greeting-widget" : nil)
            let path = try tool.directory.write(
                """
                [Widget]
                LargestDisplayMode=expanded
                AppGroups=group.org.todayd.greeting
                [Update]
                ExecStart=\(BuiltPrograms.directory)/\(program)
                Protocol=varlink
                """, to: "org.test.g.widget")
            let trial = try #require(try tool.once(path, "--mode", "expanded").report.trial)
            #expect(trial.run?.errorOutput == "" && trial.item.content?.text == "Hello" && trial.item.mode == .expanded)
        }

        @Test func aStateDirectoryIsKept() throws {
            let path = try tool.widget(#"echo x >>count; wc -l <count; echo "$TODAY_ACTION""#)
            let state = tool.directory("state")
            #expect(try tool.once(path, "--state", state).report.trial?.item.content?.text == "1")
            let second = try tool.once(path, "--state", state, "--action", "more").report.trial
            #expect(second?.printed?.beginning == "2\nmore\n" && second?.run?.reason == .action)
            #expect(second?.item.state == .ready && second?.item.source == .own)
            #expect(try tool.directory.read("state/widgets/org.test.a/count") == "x\nx\n")
            #expect(try tool.once(path).report.trial?.item.content?.text == "1")
        }

        /// The processes of a run end with a signal, and so does what it kept.
        @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func aSignalEndsTheRunAndItsProcesses(_ signal: Int32) async throws
        {
            let path = try tool.widget(
                #"echo $$ >"$PIDS"; (setsid tail -n0 -f "$0" & echo $! >>"$PIDS"); exec tail -n0 -f "$0""#,
                update: "Environment=PIDS=\(tool.directory("pids"))")
            var environment = tool.environment
            environment["TMPDIR"] = try tool.directory.makeDirectory("tmp")
            let program = try BuiltProgram("today-author", ["--user", "--once", path], environment: environment)
            var pids: [pid_t] = []
            for _ in 0..<500 where pids.count < 2 {
                usleep(20_000)
                pids = ((try? tool.directory.read("pids")) ?? "").split(separator: "\n").compactMap { pid_t($0) }
            }
            try #require(pids.count == 2)
            #expect(try tool.directory.names(in: "tmp").count == 1)
            program.signal(signal)
            let result = try program.finish()
            #expect(result.status == 128 + signal && result.output == "")
            // A busy machine takes a moment to end a process that was killed; one that was not would stay for ever.
            for pid in pids { try await eventually("end of \(pid)") { !Processes.isRunning(pid) } }
            #expect(try tool.directory.names(in: "tmp") == [])
        }

        @Test func leftoversOfAGoodRunEnd() throws {
            let path = try tool.widget(
                #"setsid tail -n0 -f "$0" & echo $! >"$PIDS"; echo hi"#,
                update: "Environment=PIDS=\(tool.directory("pids"))")
            #expect(try tool.once(path).status == 0)
            let pids = try tool.directory.read("pids").split(separator: "\n")
            let pid = try #require(pid_t(pids.first ?? ""))
            #expect(!Processes.isRunning(pid))
        }
    }
}
