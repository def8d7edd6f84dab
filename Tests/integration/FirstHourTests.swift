// SPDX-License-Identifier: MIT
import JSON
import TestSupport
import Testing
import TodayModel
import Varlink

extension Integration {
    /// Typical first mistakes of an author of widgets, and the messages of todayctl about them.
    @Suite struct FirstHourTests {
        @Test func commandsSuggestAnIdentifierForANameWithoutADot() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", "echo fine"))
            try daemon.directory.write(Widgets.manifest("a"), to: "widgets/temp.widget")
            try daemon.reload()
            let path = daemon.directory("widgets/temp.widget")
            for arguments in [["status", "temp"], ["show", "temp"], ["watch", "temp"], ["update", "temp.widget"]] {
                let result = try run("todayctl", ["--socket", daemon.socket] + arguments)
                #expect(result.status == 4, "\(arguments)")
                #expect(result.errors.contains("\(path): the name is not an identifier"), "\(result.errors)")
                #expect(result.errors.contains("org.example.temp.widget"), "\(result.errors)")
            }
            let list = try daemon.todayctl("list")
            #expect(list.status == 0 && !list.output.contains("temp"))
            #expect(list.errors.contains("rename the file to org.example.temp.widget"), "\(list.errors)")
            try daemon.directory.rename("widgets/temp.widget", to: "widgets/org.example.temp.widget")
            try daemon.reload()
            #expect(try daemon.todayctl("status", "temp").status == 0)
            #expect(try daemon.todayctl("list").errors == "")
        }

        @Test func anIncompleteManifestKeepsItsName() throws {
            let daemon = try PrivateDaemon(
                widgets: ["org.test.a.widget": "[Widget]\nDisplayName=Room\nDescription=How warm\n"])
            #expect(try daemon.item("a").name == "Room")
            let status = try daemon.status("a")
            #expect(status.name == "Room" && status.description == "How warm")
            #expect(try daemon.todayctl("show", "a").output.contains("Room"))
            #expect(try daemon.todayctl("list", "--json").output.contains("\"Room\""))
        }

        private static let silences: [(name: String, update: String, command: [String], words: String)] = [
            ("empty", "Protocol=push", [], "nothing has been pushed to it"),
            (
                "off", "Interval=1h", ["disable"],
                "the user has disabled it. 'todayctl enable org.test.off' enables it."
            ),
            (
                "hidden", "Interval=1h", ["set-has-content", "false"],
                "its has-content flag is false. 'todayctl set-has"
            ),
            ("slow", "Interval=1h", [], "waits for its first answer"),
        ]

        @Test(arguments: 0..<4) func statusHasTheReasonWhyAWidgetIsNotShown(place: Int) throws {
            let (name, update, command, words) = Self.silences[place]
            let body = name == "slow" ? "sleep 20" : "echo fine"
            let daemon = try PrivateDaemon(widgets: Widgets.script(name, body, update: update))
            if let verb = command.first {
                let words = [verb, name] + command.dropFirst()
                #expect(try run("todayctl", ["--socket", daemon.socket] + words).status == 0)
            }
            let output = try daemon.todayctl("status", name).output
            #expect(output.contains(words), "\(output)")
        }

        @Test func statusHasTheReasonForAPluginAndAMask() throws {
            let daemon = try PrivateDaemon(widgets: ["org.test.a.widget": ""])
            try daemon.directory.script("echo x\n", to: "plugins/cpu.5m.sh")
            try daemon.reload()
            let mask = try daemon.todayctl("status", "a").output
            #expect(mask.contains("masked: \(daemon.directory("widgets/org.test.a.widget")) is empty"))
            let plugin = try daemon.todayctl("status", "plugin.cpu").output
            #expect(plugin.contains("cpu.5m.sh:1: has no interpreter: begin the first line with #!"))
        }

        @Test func aProgramIsFoundInPATHAndInTheHomeDirectory() throws {
            let home = TemporaryDirectory()
            try home.script("#!/bin/sh\necho \"$1 $WHERE\"\n", to: "bin/hello-today")
            let manifest = "[Update]\nInterval=1h\nEnvironment=WHERE=%h\nExecStart="
            let daemon = try PrivateDaemon(
                widgets: [
                    "org.test.named.widget": manifest + "hello-today %u",
                    "org.test.tilde.widget": manifest + "~/bin/hello-today 5%%",
                    "org.test.missing.widget": manifest + "hello-tomorrow",
                ], started: false)
            daemon.environment = ["HOME": home.path, "PATH": "\(home.path)/bin:/usr/bin:/bin"]
            try daemon.start()
            let named = try daemon.follow("named") { $0.state == .ready }
            #expect(named.content?.text.hasSuffix(" \(home.path)") == true)
            #expect(try daemon.follow("tilde") { $0.state == .ready }.content?.text == "5% \(home.path)")
            #expect(
                try daemon.item("missing").failure?.contains(
                    "there is no program \"hello-tomorrow\"; install it, or write its path: it is not in \(home.path)/bin"
                )
                    == true)
        }
    }
}
