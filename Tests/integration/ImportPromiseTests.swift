// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel

extension Integration {
    /// `todayctl import`: the configurations of other hosts become widgets that run.
    @Suite struct ImportPromiseTests {
        private let tool = AuthorTool()

        private static let waybar = """
            // A bar, as people write it.
            {
                "modules-right": ["custom/hello", "clock"],
                "custom/hello": {
                    "exec": "echo '{\\"text\\": \\"<b>Grüße</b> & more\\", \\"class\\": \\"warning\\", \\"percentage\\": 40}'",
                    "return-type": "json", "interval": 5, "format": "{} ☀", "on-click": "true",
                },
            }

            """

        @discardableResult
        private func writeWaybar(_ text: String = waybar) throws -> String {
            try tool.directory.write(text, to: ".config/waybar/config")
        }

        /// Imported programs run in the home directory.
        private func daemonWithHome() throws -> PrivateDaemon {
            let daemon = try PrivateDaemon(started: false)
            daemon.environment["HOME"] = tool.directory.path
            try daemon.start()
            return daemon
        }

        @Test func aModuleOfWaybarIsShownByTheDaemonThatRuns() throws {
            let daemon = try daemonWithHome()
            let path = try writeWaybar()
            let made = try tool.todayctl("import", "waybar", path, "--directory", daemon.directory("widgets"))
            #expect(made.status == 0 && made.errors == "", "\(made.errors)")
            try daemon.reload()
            #expect(try daemon.todayctl("update", "import.waybar.hello").status == 0)
            let item = try daemon.item(id: "import.waybar.hello")
            #expect(item.content?.text == "Grüße & more" && item.content?.severity == .warning)
        }

        /// What the user is offered for Waybar's configuration, run as Waybar runs it.
        @Test func waybarGetsTheWidgetFromTodayd() throws {
            let daemon = try daemonWithHome()
            let path = try writeWaybar()
            let report = try JSON.parse(
                Array(
                    try tool.todayctl("--json", "import", "waybar", path, "--directory", daemon.directory("widgets"))
                        .output.utf8))
            try daemon.reload()
            #expect(try daemon.todayctl("update", "import.waybar.hello").status == 0)
            let value = try #require(report["replacements"]?.arrayValue?.first?["value"])
            #expect(value["format"] == "{} ☀" && value["escape"] == nil)
            let exec = try #require(value["exec"]?.stringValue)
            let environment = [
                "PATH": "\(BuiltPrograms.directory):/usr/local/bin:/usr/bin:/bin", "TODAYD_SOCKET": daemon.socket,
            ]
            let shown = try run("/usr/bin/timeout", ["3", "/bin/sh", "-c", exec], environment: environment)
            let line = try #require(shown.output.split(separator: "\n").last, "\(shown.errors)")
            let module = try JSON.parse(Array(line.utf8))
            let click = try #require(value["on-click"]?.stringValue)
            #expect(click.hasPrefix("true; "))
            let runs = try daemon.status(id: "import.waybar.hello").activity.runs
            #expect(try run("/bin/sh", ["-c", click], environment: environment).status == 0)
            #expect(try daemon.status(id: "import.waybar.hello").activity.runs == runs + 1)
            #expect(module["text"] == "Grüße &amp; more" && module["percentage"] == 40)
            #expect(module["class"]?.arrayValue == ["today", "ready", "warning"])
            #expect(try daemon.todayctl("set-has-content", "import.waybar.hello", "false").status == 0)
            let hidden = try run("/usr/bin/timeout", ["3", "/bin/sh", "-c", exec], environment: environment)
            #expect(hidden.output.contains("\"text\":\"\""), "\(hidden.output)")
        }

        @Test func itSaysWhatBecameOfEachThing() throws {
            try writeWaybar()
            let first = try tool.todayctl("import", "waybar")
            #expect(first.status == 0 && first.errors == "")
            for line in [
                "wrote ~/.config/todayd/widgets/import.waybar.hello.widget (custom/hello, ~/.config/waybar/config:4)\n",
                "\nNot carried over:\n", "~/.config/waybar/config:4: custom/hello: on-click stays in Waybar's own",
                "\nWaybar, ~/.config/waybar/config: 1 written, 1 thing not carried over\n",
                "Next: start todayd, which reads them: systemctl --user start todayd.socket\n",
                "// ~/.config/waybar/config:4\n\"custom/hello\": {\n",
            ] { #expect(first.output.contains(line), "\(line): \(first.output)") }
            let second = try tool.todayctl("import", "waybar")
            #expect(second.status == 0 && second.output.hasPrefix("unchanged: ~/.config/todayd/widgets/"))
            #expect(!second.output.contains("Next:"))
            try tool.directory.write("mine\n", to: ".config/todayd/widgets/import.waybar.hello.widget")
            let third = try tool.todayctl("import", "waybar")
            #expect(third.status == 0 && third.output.contains("it says something else; remove it to import this\n"))
            #expect(try tool.todayctl("-q", "import", "waybar").output == "")
        }

        @Test func aDaemonThatReadsTheDirectoryIsNamed() throws {
            let daemon = try PrivateDaemon(options: ["--widgets", tool.directory(".config/todayd/widgets")])
            try tool.directory.makeDirectory("todayd")
            try tool.directory.link("todayd/todayd.sock", to: daemon.socket)
            try writeWaybar()
            #expect(try tool.todayctl("import", "waybar").output.contains("\nNext: todayctl list\n"))
            let other = try PrivateDaemon()
            try tool.directory.delete("todayd/todayd.sock")
            try tool.directory.link("todayd/todayd.sock", to: other.socket)
            try tool.directory.delete(".config/todayd/widgets/import.waybar.hello.widget")
            let result = try tool.todayctl("import", "waybar").output
            #expect(result.contains("the one that answers does not\n"), "\(result)")
        }

        @Test func aDryRunWritesNothing() throws {
            try writeWaybar()
            let result = try tool.todayctl("import", "waybar", "--dry-run")
            #expect(
                result.status == 0 && result.output.hasPrefix("would write ~/.config/todayd/widgets/import.waybar."))
            #expect(result.output.contains("\n    Interval=5s\n") && result.output.contains(": 1 to write, "))
            #expect(try tool.directory.names(in: ".config") == ["waybar"])
        }

        @Test func whereNothingIsThePlacesAreNamed() throws {
            let result = try tool.todayctl("import", "argos")
            #expect(result.status == 1 && result.output == "")
            #expect(
                result.errors == "todayctl: Argos has nothing to import: none of these exists:\n  ~/.config/argos\n")
        }

        @Test func aConfigurationThatIsWrongSaysWhere() throws {
            try writeWaybar("{\r\n  \"custom/x\": {\r\n")
            let result = try tool.todayctl("import", "waybar")
            #expect(result.status == 8 && result.output.contains("~/.config/waybar/config:3: is not JSON"))
            #expect(
                try tool.todayctl("-q", "import", "waybar").errors.contains("~/.config/waybar/config:3: is not JSON"))
        }

        @Test func pluginsRunAfterTheImport() throws {
            let daemon = try PrivateDaemon()
            try tool.directory.script("#!/bin/sh\necho 'from Argos'\n", to: ".config/argos/hello.1h.sh")
            let made = try tool.todayctl("import", "argos", "--directory", daemon.directory("plugins"))
            #expect(made.status == 0, "\(made.errors)")
            try daemon.reload()
            #expect(try daemon.todayctl("update", "plugin.hello").status == 0)
            #expect(try daemon.item(id: "plugin.hello").content?.text == "from Argos")
        }

        @Test(.enabled(if: PrivateMounts.areAllowed, "needs a mount namespace"))
        func aFullDiskLeavesNoHalfManifest() throws {
            let modules = (1...9).map { "[b\($0)]\ncommand=echo \($0)\ninterval=5\n" }.joined()
            let path = try tool.directory.write(modules, to: "config")
            let disk = try tool.directory.makeDirectory("disk")
            let script = """
                '\(BuiltPrograms.directory)/todayctl' --user import i3blocks '\(path)' --directory '\(disk)' --allow network; echo "status $?"
                cat '\(disk)'/*.widget; ls -A '\(disk)'
                """
            // Each file takes a page of 4 KiB, and each directory one.
            let wrapper = PrivateMounts.smallDisk(at: disk, room: 20)
            let result = try run(
                wrapper[0], wrapper.dropFirst() + ["/bin/sh", "-c", script], environment: tool.environment)
            #expect(result.output.contains("status 8"), "\(result.output)")
            #expect(result.errors.contains("No space left on device"), "\(result.errors)")
            let written = result.output.split(separator: "\n").filter {
                $0.hasPrefix("wrote ") && $0.contains(".widget (")
            }.count
            #expect(written > 0 && written < 9)
            // Each file that is there is whole, and no draft stays.
            let whole = result.output.split(separator: "\n").filter { $0.hasPrefix("Environment=BLOCK_INTERVAL=") }
                .count
            #expect(whole == written)
            // A sandbox may be there without its program, and no program without its sandbox.
            let names = result.output.split(separator: "\n").filter { $0.hasPrefix("import.i3blocks.") }.map(
                String.init)
            #expect(names.filter { $0.hasSuffix(".widget") } == (1...written).map { "import.i3blocks.b\($0).widget" })
            for number in 1...written { #expect(names.contains("import.i3blocks.b\(number).widget.d")) }
            #expect(!result.output.contains("\n.new-"))
        }

        /// Whether a process of another user can run the programs.
        private static let hasOtherUsers: Bool = {
            let arguments = ["--reuid=12345", "--clear-groups", "test", "-x", "\(BuiltPrograms.directory)/todayd"]
            return (try? run("/usr/bin/setpriv", arguments))?.status == 0
        }()

        @Test(.enabled(if: hasOtherUsers, "needs root, setpriv, and programs that other users can run"))
        func whatMayNotBeWrittenIsNotPermitted() throws {
            let path = try writeWaybar()
            let closed = try tool.directory.makeDirectory("closed")
            chmod(tool.directory.path, 0o755)
            let result = try run(
                "/usr/bin/setpriv",
                [
                    "--reuid=12345", "--clear-groups", "\(BuiltPrograms.directory)/todayctl", "--user", "import",
                    "waybar",
                    path, "--directory", "\(closed)/w",
                ] + AuthorTool.allowance, environment: tool.environment)
            #expect(result.status == 7, "\(result.output) \(result.errors)")
            #expect(result.errors == "todayctl: cannot make the directory \(closed)/w: Permission denied\n")
        }
    }
}
