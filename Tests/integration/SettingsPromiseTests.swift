// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel
import Varlink

extension Integration {
    /// What users set with `todayctl config`, from the manifest to the widget's program.
    @Suite struct SettingsPromiseTests {
        private static let secret = "hunter2-s3cret"

        private static let settings = """
            [Settings]
            CITY=string label="Your city" default=Berlin
            COUNT=number min=1 max=50 default=10
            TAGS=list default="a 'b c'"
            SHOW_ALL=boolean
            TOKEN=secret label="API key"
            """

        /// A widget that shows its settings but its secret, of which it shows the length, and why it ran.
        private static func daemon() throws -> PrivateDaemon {
            let view = #""compact":{"type":"button","title":"Go","action":"go"}"#
            let body = #"""
                tags=$(printf '%s' "$TAGS" | tr '\n' '|')
                printf '{"text":"%s %s %s %s %s %s",\#(view)}' \
                    "$CITY" "$COUNT" "$tags" "${SHOW_ALL-unset}" "${#TOKEN}" "$TODAY_REASON"
                """#
            let daemon = try PrivateDaemon(
                widgets: Widgets.script("a", body, update: "Protocol=json\nInterval=1h\n\(settings)"))
            try daemon.follow("a") { $0.content?.text == "Berlin 10 a|b c unset 0 boot" }
            return daemon
        }

        private static func setSecret(_ daemon: PrivateDaemon, _ line: String = secret) throws -> BuiltProgram.Result {
            try daemon.directory.write(line + "\n", to: "token")
            let command = "exec \"$0\" --socket \"$1\" config a --secret TOKEN < \"$2\""
            return try run(
                "/bin/sh",
                ["-c", command, "\(BuiltPrograms.directory)/todayctl", daemon.socket, daemon.directory("token")])
        }

        @Test func aChangeReachesUpdatesAndActionsAndSurvivesAKill() throws {
            let daemon = try Self.daemon()
            let set = try daemon.todayctl("config", "a", "CITY=New York", "COUNT=7", "TAGS=x 'y z'", "SHOW_ALL=on")
            #expect(set.status == 0 && set.output.isEmpty && set.errors.isEmpty, "\(set.errors)")
            try daemon.follow("a") { $0.content?.text == "New York 7 x|y z true 0 defaults" }
            #expect(try Self.setSecret(daemon).status == 0)
            let text = "New York 7 x|y z true \(Self.secret.count)"
            try daemon.follow("a") { $0.content?.text == "\(text) defaults" }
            #expect(try daemon.todayctl("perform", "a", "go").status == 0)
            #expect(try daemon.item("a").content?.text == "\(text) action")
            try daemon.kill()
            try daemon.start()
            #expect(try daemon.update("a").answer == .newData)
            #expect(try daemon.item("a").content?.text == "\(text) request")
            #expect(try daemon.todayctl("config", "a", "-u", "CITY", "--unset", "TOKEN").status == 0)
            try daemon.follow("a") { $0.content?.text == "Berlin 7 x|y z true 0 defaults" }
        }

        @Test func aSecretThatCannotBeReadIsAnError() throws {
            let daemon = try Self.daemon()
            let command = "exec \"$0\" --socket \"$1\" config a --secret TOKEN < /"
            let result = try run(
                "/bin/sh", ["-c", command, "\(BuiltPrograms.directory)/todayctl", daemon.socket], within: 10)
            #expect(result.status == 2 && result.errors.hasPrefix("todayctl: standard input: Is a directory"))
        }

        @Test func aHiddenWidgetRunsWithTheNewValueWhenItIsShown() throws {
            let daemon = try Self.daemon()
            try daemon.call("SetHasContent", ["id": "org.test.a", "hasContent": false])
            let runs = try daemon.status("a").activity.runs
            #expect(try daemon.todayctl("config", "a", "CITY=Bern").status == 0)
            #expect(try daemon.status("a").activity.runs == runs)
            try daemon.call("SetHasContent", ["id": "org.test.a", "hasContent": true])
            try daemon.follow("a") { $0.content?.text == "Bern 10 a|b c unset 0 defaults" }
        }

        @Test func theCommandShowsAndRefuses() throws {
            let daemon = try Self.daemon()
            #expect(try daemon.todayctl("config", "a", "CITY=Bern").status == 0)
            let table = try daemon.todayctl("config", "a").output
            #expect(table.contains("\nCITY      Bern       Berlin   string               Your city"), "\(table)")
            #expect(table.contains("\nTOKEN     (not set)  -        secret               API key"))
            let refused = try daemon.todayctl("config", "a", "CITY=Genf", "COUNT=51")
            #expect(refused.status == 8 && refused.errors == "todayctl: COUNT: \"51\" is more than 50\n")
            #expect(try daemon.todayctl("config", "nothing").status == 4)
            #expect(try daemon.todayctl("config", "a", "TOKEN=x").status == 2)
            #expect(try daemon.todayctl("config", "a").output == table)
        }

        /// The manifest changes: what does not fit is said, and the widget has the default.
        @Test func aValueThatNoLongerFitsCountsAsNotSet() throws {
            let daemon = try Self.daemon()
            #expect(try daemon.todayctl("config", "a", "COUNT=40").status == 0)
            try daemon.directory.makeDirectory("widgets/org.test.a.widget.d")
            try daemon.directory.write(
                "[Settings]\nCOUNT=max=20 default=5\n", to: "widgets/org.test.a.widget.d/less.conf")
            try daemon.call("Reload")
            try daemon.follow("a") { $0.content?.text == "Berlin 5 a|b c unset 0 defaults" }
            #expect(
                try daemon.todayctl("config", "a").output.contains(
                    "\nCOUNT: the value that was set is more than 20; it counts as not set\n"))
        }

        @Test func aSecretIsShownToNobodyButTheWidget() throws {
            let daemon = try Self.daemon()
            let monitor = try VarlinkConnection(path: daemon.socket, timeout: .seconds(5))
            try monitor.send(VarlinkCall("org.todayd.Today.Monitor", more: true))
            _ = try monitor.receive(within: .seconds(5))
            #expect(try Self.setSecret(daemon).status == 0)
            try daemon.follow("a") { $0.content?.text.hasSuffix(" \(Self.secret.count) defaults") == true }
            // A value that is refused is not quoted, either.
            let refused = try Self.setSecret(daemon, Self.secret + "\u{1b}[2J")
            #expect(refused.status == 8 && refused.errors.contains("the secret contains a terminal escape sequence"))

            var texts = [refused.errors]
            for (method, parameters) in [
                ("List", [:]), ("Show", [:]), ("Status", [:]), ("Status", ["id": "org.test.a"]),
                ("Settings", ["id": "org.test.a"]), ("Reload", [:]),
            ] as [(String, JSONObject)] {
                texts.append(JSON.object(try daemon.call(method, parameters)).text)
            }
            for command in [
                ["config", "a"], ["config", "a", "--json"], ["status", "a"], ["status", "--json"], ["show", "a"],
            ] {
                texts.append(try run("todayctl", ["--socket", daemon.socket] + command).output)
            }
            #expect(texts.contains { $0.contains("(set)") })
            // The manifest makes a text of it.
            try daemon.directory.makeDirectory("widgets/org.test.a.widget.d")
            try daemon.directory.write("[Settings]\nTOKEN=string\n", to: "widgets/org.test.a.widget.d/bare.conf")
            try daemon.call("Reload")
            texts.append(try daemon.todayctl("config", "a", "--json").output)
            try daemon.follow("a") { $0.content?.text.hasSuffix(" 0 defaults") == true }
            // All events up to now.
            try daemon.call("Disable", ["id": "org.test.a"])
            var events = ""
            while !events.contains("disabled") {
                let reply = try monitor.receive(within: .seconds(5))
                events += JSON.object(try reply.result()).text
            }
            #expect(events.contains("settings: TOKEN"))
            texts.append(events)
            var status = stat()
            for suffix in ["", "-wal"] {
                #expect(stat("\(daemon.stateDirectory)/todayd.sqlite\(suffix)", &status) == 0)
                #expect(status.st_mode & 0o777 == 0o600)
            }
            try daemon.stop()
            texts.append(daemon.log)
            for text in texts { #expect(!text.contains(Self.secret), "\(text)") }
        }

        /// A program that stays is started anew, so that its environment has the values, as Describe has them.
        @Test func aProgramThatStaysGetsNewValues() throws {
            let daemon = try ResidentProgramTests.daemon(
                """
                for method, parameters in calls():
                    told = ask('Describe')['parameters']['settings']
                    same = all(os.environ[name] == value for name, value in told.items())
                    show('%s %s %s %s' % (os.getpid(), told.get('CITY'), len(told.get('TOKEN', '')), same))
                """, manifest: "[Settings]\nCITY=string default=Berlin\nTOKEN=secret")
            func words() throws -> [String] {
                #expect(try ResidentProgramTests.update(daemon)?["answer"] != "failed")
                let text = try ResidentProgramTests.item(daemon)?["content"]?["text"]?.stringValue
                return (text ?? "").split(separator: " ").map(String.init)
            }
            let first = try words()
            #expect(first.dropFirst() == ["Berlin", "0", "True"])
            #expect(try words() == first)
            #expect(
                try daemon.call(
                    "SetSettings", ["id": .string(ResidentProgramTests.id), "values": ["CITY": "Bern", "TOKEN": "t"]])
                    == [:])
            let second = try words()
            #expect(second.dropFirst() == ["Bern", "1", "True"])
            #expect(second.first != first.first)
        }

        /// A process of a run has only its own settings, and no other way to them than its environment.
        @Test func aProcessOfARunNeitherReadsNorSetsSettings() throws {
            let body = """
                for arguments in 'config b' 'config b CITY=x' 'config a'; do
                    "\(BuiltPrograms.directory)/todayctl" $arguments >/dev/null 2>&1
                    printf '%s ' $?
                done
                """
            let settings = "Interval=1h\n[Settings]\nCITY=string default=Berlin"
            let daemon = try PrivateDaemon(
                widgets: Widgets.all(
                    Widgets.script("a", body, update: settings), Widgets.script("b", "echo $CITY", update: settings)))
            try daemon.follow("a") { $0.content?.text.hasPrefix("7 7 7") == true }
            #expect(try daemon.item("b").content?.text == "Berlin")
        }
    }
}
