// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel

extension Integration {
    /// `todayctl lint`, `preview` and `new`, by today-author.
    @Suite struct AuthorCommandTests {
        private let tool = AuthorTool()

        // MARK: lint

        @Test func lintNamesEveryMistakeWithItsPlace() throws {
            let text = """
                [Widget]
                DisplayNam=x
                ExtensionPoint=mars
                LargestDisplayMode=huge
                AllowsEditing=perhaps
                URLSchemes=a:b
                [Update]
                Interval=soon
                Timeout=never
                Protocol=xml
                ExecStart=a | b
                [Limits]
                MemoryMax=lots

                """
            let path = try tool.directory.write(text, to: "org.test.a.widget")
            let result = try tool.todayctl("lint", path)
            #expect(result.status == 1 && result.errors == "")
            let lines = result.output.split(separator: "\n")
            #expect(lines.count == 10, "\(result.output)")
            for line in [2, 3, 4, 5, 6, 8, 9, 10, 11, 13] {
                #expect(lines.contains { $0.hasPrefix("\(path):\(line):") }, "line \(line): \(result.output)")
            }
            #expect(
                lines.contains("\(path):2:1: warning: unknown key DisplayNam= in [Widget]; did you mean DisplayName=?"))
            let json = try tool.todayctl("--json", "lint", path)
            let document = try JSON.parse(Array(json.output.utf8))
            #expect(document["files"]?.arrayValue?.first?["complaints"]?.arrayValue?.count == 10)
            #expect(try tool.todayctl("-q", "lint", path).output == "")
        }

        @Test func lintRunsAWidgetIfAsked() throws {
            let good = try tool.widget("echo hi >>\(tool.directory("ran")); echo hi")
            #expect(try tool.todayctl("lint", good).output == "\(good): no complaints\n")
            #expect(!tool.directory.exists("ran"))
            let result = try tool.todayctl("lint", "--run", good)
            #expect(result.status == 0 && result.output.hasPrefix("\(good): it ran: new content in "))
            let bad = try tool.directory.script("#!/bin/sh\necho '{\"text\": 3}'\n", to: "bad")
            let failed = try tool.todayctl("lint", "--run", "--protocol", "json", bad)
            #expect(failed.status == 5)
            #expect(failed.output.hasPrefix("\(bad): error: its run failed: text: expected"), "\(failed.output)")
        }

        /// The script, and whether More would change nothing.
        @Test(arguments: [
            ("echo hi", true), ("seq 9", false), ("echo $TODAY_DISPLAY_MODE", false), ("date +%N", false),
            ("exit 1", false),
        ])
        func aWidgetThatShowsNothingMoreIsTold(script: String, isTold: Bool) throws {
            let file = try tool.widget(script, widget: "LargestDisplayMode=expanded")
            let reason = "warning: LargestDisplayMode=expanded, but both modes show the same: More changes nothing"
            let results = [
                try tool.todayctl("lint", "--run", file), try tool.todayctl("preview", file),
                try tool.todayctl("preview", "--mode", "expanded", file),
            ]
            for result in results { #expect((result.output + result.errors).contains(reason) == isTold, "\(result)") }
            #expect(try !tool.todayctl("lint", "--run", try tool.widget(script)).output.contains(reason))
            let plugin = try tool.directory.script("#!/bin/sh\n\(script)\n", to: "plugin.5s.sh")
            #expect(try !tool.todayctl("preview", plugin).errors.contains(reason))
        }

        @Test func lintTellsWhatAGoodRunWritesToStandardError() throws {
            let file = try tool.widget("echo careful >&2; echo hi")
            let lines = try tool.todayctl("lint", "--run", file).output.split(separator: "\n")
            #expect(lines.first == "\(file): warning: it wrote to standard error: careful")
        }

        @Test func lintOfWhatIsNoFileSaysWhatItIs() throws {
            let result = try tool.todayctl("lint", "/dev/null", tool.directory("none"), tool.directory.path)
            #expect(result.status == 1)
            #expect(result.output.split(separator: "\n").count == 3)
            #expect(result.output.contains("\(tool.directory("none")): error: does not exist"))
        }

        // MARK: preview

        @Test func previewDrawsAsShowDoes() throws {
            let body = "echo one; echo two; echo note >&2"
            let path = try tool.widget(body, update: "Interval=1h")
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", body))
            try daemon.follow("a") { $0.state == .ready }
            let result = try tool.todayctl("preview", path)
            #expect(result.status == 0)
            let shown = try daemon.todayctl("show", "a").output
            #expect(result.output == shown)
            #expect(
                result.errors.hasPrefix("it wrote to standard error:\n  | note\nnew content in "), "\(result.errors)")
        }

        @Test func previewHasFormsAndModes() throws {
            let content =
                #"{"text":"x","compact":["small"],"expanded":["large",{"type":"button","title":"Go","action":"go"}]}"#
            let path = try tool.widget(
                "echo '\(content)'", update: "Protocol=json", widget: "LargestDisplayMode=expanded")
            let colours = ["--color=always", "preview", path, "--mode", "expanded", "--numbers"]
            let terminal = try run("todayctl", ["--user"] + colours, environment: tool.environment)
            #expect(terminal.output.contains("\u{1b}[") && terminal.output.contains("[1: Go]"), "\(terminal.output)")
            let plain = try run("todayctl", ["--user"] + colours + ["--as", "plain"], environment: tool.environment)
            #expect(!plain.output.contains("\u{1b}[") && plain.output.contains("large"), "\(plain.output)")
            let json = try tool.todayctl("preview", path, "--as", "json")
            let report = try FileReport(JSONField(root: try JSON.parse(Array(json.output.utf8))))
            #expect(report.trial?.item.content?.text == "x" && json.errors == "")
            #expect(try tool.todayctl("--json", "preview", path).output.contains("\"kind\":\"manifest\""))
        }

        @Test func previewOfAFailureSaysWhy() throws {
            let result = try tool.todayctl("preview", try tool.widget("echo broken >&2; exit 4"))
            #expect(result.status == 5)
            #expect(result.output.contains("exited with status 4: broken"))
            #expect(result.errors.contains("failed in "))
            let missing = try tool.todayctl("preview", tool.directory("none.widget"))
            #expect(missing.status == 2 && missing.errors.contains("does not exist"))
            let directory = try tool.todayctl("preview", tool.directory.path)
            #expect(directory.status == 2 && directory.output == "" && directory.errors.contains("is a directory"))
        }

        @Test func previewWatchesTheFilesOfTheWidget() throws {
            let path = try tool.widget("echo first")
            let output = tool.directory("output")
            let script =
                "exec '\(BuiltPrograms.directory)/todayctl' --user preview --watch --as plain '\(path)' >'\(output)'"
            let program = try BuiltProgram("/bin/sh", ["-c", script], environment: tool.environment)
            func wait(for text: String) throws {
                for _ in 0..<500 {
                    if ((try? tool.directory.read("output")) ?? "").contains(text) { return }
                    usleep(20_000)
                }
                throw BuiltProgram.Failure(description: "never printed \(text): \(try tool.directory.read("output"))")
            }
            try wait(for: "first")
            // A run that hangs is given up when its file is saved.
            try tool.widget("echo $$ >\(tool.directory("pid")); exec tail -n0 -f \"$0\"")
            for _ in 0..<500 where !tool.directory.exists("pid") { usleep(20_000) }
            try tool.widget("echo second")
            try wait(for: "second")
            let text = try tool.directory.read("pid")
            let pid = try #require(pid_t(text.dropLast()))
            #expect(!Processes.isRunning(pid))
            try tool.directory.write(
                Widgets.manifest("a").replacing("DisplayName=Test", with: "DisplayName=Other"), to: "org.test.a.widget")
            try wait(for: "Other")
            program.signal(SIGTERM)
            #expect(try program.finish().status == 0)
        }

        @Test(arguments: [SIGINT, SIGTERM]) func aSignalToPreviewEndsTheRun(_ signal: Int32) throws {
            let path = try tool.widget("echo $$ >\(tool.directory("pid")); exec tail -n0 -f \"$0\"")
            let program = try BuiltProgram("todayctl", ["--user", "preview", path], environment: tool.environment)
            for _ in 0..<500 where ((try? tool.directory.read("pid")) ?? "").isEmpty { usleep(20_000) }
            let text = try tool.directory.read("pid")
            let pid = try #require(pid_t(text.dropLast()))
            program.signal(signal)
            #expect(try program.finish().status == 128 + signal)
            #expect(!Processes.isRunning(pid))
        }

        // MARK: new

        /// A protocol and a language. Shells cannot have varlink, and push has no program.
        static let beginnings = [
            ("text", "sh"), ("text", "python"), ("json", "sh"), ("json", "python"), ("varlink", "python"),
        ]

        @Test(arguments: beginnings) func aNewWidgetWorksAtOnce(contentProtocol: String, language: String) throws {
            if language == "python" { try #require(BuiltPrograms.installed("python3") != nil) }
            let directory = tool.directory("w")
            let made = try tool.todayctl(
                "new", "load", "--directory", directory, "--protocol", contentProtocol, "--language", language)
            #expect(made.status == 0 && made.errors == "", "\(made.errors)")
            let path = "\(directory)/org.example.load.widget"
            #expect(try tool.todayctl("lint", "--run", path).status == 0)
            for mode in ["compact", "expanded"] {
                let (status, report) = try tool.once(path, "--mode", mode)
                #expect(status == 0, "\(report)")
                #expect(report.complaints.isEmpty && report.trial?.run?.errorOutput == "")
                let content = try #require(report.trial?.item.content)
                #expect(!content.text.isEmpty && content.compact != nil)
                guard let action = content.actions.first else {
                    #expect(contentProtocol == "text")
                    continue
                }
                let pressed = try tool.once(path, "--mode", mode, "--action", action).report.trial
                #expect(pressed?.item.content?.text != content.text && pressed?.run?.result == .newData)
            }
        }

        /// The compiler may be anywhere in the PATH of the user.
        @Test(arguments: [("text", "Load "), ("json", "Counted to 0")])
        func aNewScriptInSwiftWorksAtOnce(contentProtocol: String, text: String) throws {
            let path = try #require(getenv("PATH").map { String(cString: $0) })
            let directory = tool.directory("w")
            let made = try tool.todayctl(
                "new", "load", "--directory", directory, "--protocol", contentProtocol, "--language", "swift")
            #expect(made.status == 0 && made.errors == "", "\(made.errors)")
            let shown = try tool.todayctl(
                "preview", "--as=plain", "\(directory)/org.example.load.widget", environment: ["PATH": path])
            #expect(shown.status == 0 && shown.output.contains(text), "\(shown.errors)")
        }

        @Test(arguments: [
            "xbar", "bitbar", "swiftbar", "argos", "i3blocks", "waybar", "nagios", "genmon", "polybar", "keyvalue",
        ])
        func aNewScriptForAnotherHostWorksAtOnce(contentProtocol: String) throws {
            let directory = tool.directory("w")
            let made = try tool.todayctl("new", "load", "--directory", directory, "--protocol", contentProtocol)
            #expect(made.status == 0 && made.errors == "", "\(made.errors)")
            let (status, report) = try tool.once("\(directory)/org.example.load.widget", "--mode", "expanded")
            #expect(status == 0 && report.complaints.isEmpty, "\(report)")
            #expect(report.trial?.run?.errorOutput == "")
            let content = try #require(report.trial?.item.content)
            #expect(content.text.contains("oad ") || content.text.hasPrefix("LOAD OK"), "\(content.text)")
        }

        @Test func aNewWidgetOfPushesShowsThem() throws {
            let daemon = try PrivateDaemon()
            let made = try tool.todayctl("new", "ci", "--directory", daemon.directory("widgets"), "--protocol", "push")
            #expect(made.status == 0 && made.output.contains("todayctl push org.example.ci --text"))
            try daemon.reload()
            #expect(try daemon.todayctl("push", "ci", "--text", "It works").status == 0)
            #expect(try daemon.item(id: "org.example.ci").content?.text == "It works")
        }

        @Test func aNewWidgetIsShownByADaemonThatRuns() throws {
            let daemon = try PrivateDaemon()
            #expect(try tool.todayctl("new", "org.test.fresh", "--directory", daemon.directory("widgets")).status == 0)
            try daemon.reload()
            #expect(try daemon.follow("fresh") { $0.state == .ready }.content?.text.hasPrefix("Load ") == true)
        }
    }
}
