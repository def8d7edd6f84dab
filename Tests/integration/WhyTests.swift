// SPDX-License-Identifier: MIT
import JSON
import TestSupport
import Testing
import TodayModel

extension Integration {
    /// The head of `todayctl status ID`: what the daemon knows, in sentences.
    @Suite struct WhyTests {
        private func sentences(_ daemon: PrivateDaemon, _ id: String) throws -> String {
            let result = try daemon.todayctl("status", id)
            #expect(result.status == 0 && result.errors == "", "\(result.errors)")
            // The facts follow after an empty line.
            return result.output.firstRange(of: "\n\n").map { String(result.output[..<$0.lowerBound]) + "\n" } ?? ""
        }

        @Test func aGoodWidgetIsExplained() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", "echo fine"))
            try daemon.follow("a") { $0.state == .ready }
            let text = try sentences(daemon, "a")
            #expect(
                text.hasPrefix("org.test.a (Test) is shown.\nIts content is its own last answer: \"fine\".\n"),
                "\(text)")
            #expect(text.contains("It was taken just now.\n"))
            #expect(text.contains("It ran last just now, because "))
            #expect(text.contains("It runs next in 1 h, by its interval of 1h."))
        }

        @Test func aFailureSaysWhatWasPrintedAndWhatWasMadeOfIt() throws {
            let body = "if [ -e \(#"$OUT"#) ]; then echo '{oops'; echo careful >&2; else echo '{\"text\":\"fine\"}'; fi"
            let directory = TemporaryDirectory()
            let daemon = try PrivateDaemon(
                widgets: Widgets.script(
                    "a", body, update: "Interval=1h\nProtocol=json\nEnvironment=OUT=\(directory("x"))"))
            try daemon.follow("a") { $0.state == .ready }
            #expect(try daemon.status("a").printed == nil)
            try directory.write("", to: "x")
            try daemon.update("a")
            #expect(try daemon.status("a").printed?.beginning == "{oops\n")
            let text = try sentences(daemon, "a")
            #expect(text.hasPrefix("org.test.a (Test) is failing: its last run brought no answer.\n"), "\(text)")
            #expect(text.contains("because a client asked for it, and failed after"))
            #expect(text.contains("It printed 6 bytes to standard output:\n  │ {oops\n"))
            #expect(text.contains("The end of its standard error:\n  │ careful\n"))
            #expect(text.contains("; it waits for its retry after a failure."))
            try directory.delete("x")
            try daemon.update("a")
            #expect(try daemon.status("a").printed == nil)
            #expect(try !sentences(daemon, "a").contains("oops"))
        }

        @Test func whatKeepsAWidgetFromTheViewIsSaidWithItsCure() throws {
            var widgets = Widgets.script("a", "echo fine")
            widgets["org.test.bad.widget"] = "[Update]\nInterval=soon\n"
            widgets["org.test.p.widget"] = "[Update]\nProtocol=push\n"
            let daemon = try PrivateDaemon(widgets: widgets)
            try daemon.follow("a") { $0.state == .ready }
            try daemon.todayctl("disable", "a")
            #expect(try sentences(daemon, "a").contains("'todayctl enable org.test.a' enables it."))
            try daemon.todayctl("enable", "a")
            try daemon.todayctl("set-has-content", "a", "false")
            #expect(try sentences(daemon, "a").contains("'todayctl set-has-content org.test.a true' shows it."))
            let bad = try sentences(daemon, "bad")
            #expect(bad.hasPrefix("org.test.bad is invalid, and not run: org.test.bad.widget:2: Interval=: "), "\(bad)")
            #expect(try sentences(daemon, "p").contains("'todayctl push org.test.p --text TEXT' gives it something."))
            try daemon.todayctl("push", "p", "--text", "hello", "--ttl", "1h")
            let pushed = try sentences(daemon, "p")
            #expect(pushed.contains("Its content was pushed by ") && pushed.contains(", for 59 min more: \"hello\"."))
            #expect(pushed.contains("changes in 59 min without a run, because the push ends."))
            #expect(try daemon.todayctl("status", "none").status == 4)
        }

        @Test func aTimelineAndStalenessAreSaid() throws {
            let content =
                #"{"text":"now","timeline":[{"date":"2900-01-01T00:00:00Z","content":{"text":"later"}}],"policy":"never"}"#
            let daemon = try PrivateDaemon(
                widgets: Widgets.script("a", "echo '\(content)'", update: "Interval=1h\nProtocol=json"))
            try daemon.follow("a") { $0.state == .ready }
            let text = try sentences(daemon, "a")
            #expect(text.contains("without a run, by its timeline."), "\(text)")
            #expect(
                text.contains("It does not run by itself; it waits for a change or a request: its timeline says never.")
            )
        }

        @Test func jsonHasTheFactsAndTheSentences() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", "echo fine"))
            try daemon.follow("a") { $0.state == .ready }
            let document = try JSON.parse(Array(try daemon.todayctl("--json", "status", "a").output.utf8))
            #expect(
                document["widgets"]?.arrayValue?.first?["id"] == "org.test.a"
                    && document["item"]?["content"]?["text"] == "fine")
            #expect(document["widgets"]?.arrayValue?.first?["freshUntil"]?.intValue != nil)
            #expect(document["sentences"]?.arrayValue?.first?["text"] == "org.test.a (Test) is shown.")
        }
    }
}
