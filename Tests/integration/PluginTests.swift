// SPDX-License-Identifier: MIT
import JSON
import TestSupport
import Testing
import TodayModel

extension Integration {
    /// Scripts of other hosts run unchanged.
    @Suite struct PluginTests {
        @Test func aPluginRunsInItsDirectoryWithTheVariablesOfItsHost() throws {
            let daemon = try PrivateDaemon(widgets: [:])
            try daemon.directory.script(
                """
                #!/bin/sh
                # <xbar.title>Where</xbar.title>
                # <xbar.var>string(NAME="Ada"): Who is greeted.</xbar.var>
                echo "$NAME $XBARDarkMode | color=red"
                echo "second"
                echo ---
                echo "$(basename "$PWD") :mushroom: | href=https://example.org/"
                echo "--Deep | shell=/bin/echo param1=x refresh=true"
                """, to: "plugins/where.5m.sh")
            try daemon.reload()
            #expect(try daemon.todayctl("update", "plugin.where").status == 0)
            let shown = try daemon.todayctl("--json", "show", "plugin.where").output
            #expect(shown.contains(#""text": "Ada false""#) && shown.contains("#ff0000"), "\(shown)")
            #expect(shown.contains("plugins 🍄") && shown.contains(#""second""#), "\(shown)")
            #expect(shown.contains(#""/bin/echo""#) && shown.contains(#""name": "Where""#), "\(shown)")
            // A setting reaches the next run.
            #expect(try daemon.todayctl("config", "plugin.where", "NAME=Grace").status == 0)
            #expect(try daemon.todayctl("update", "plugin.where").status == 0)
            #expect(try daemon.todayctl("--json", "show", "plugin.where").output.contains(#""text": "Grace false""#))
        }

        @Test func pluginsAreAddedWhereTheDaemonReadsThem() throws {
            let daemon = try PrivateDaemon(widgets: [:])
            let tool = AuthorTool()
            try tool.directory.write("#!/bin/sh\necho one\n", to: "one.5m.sh", mode: 0o644)
            try tool.directory.write("#!/bin/sh\necho two\n", to: "all/two.5m.sh", mode: 0o644)
            let plugins = daemon.directory("plugins")
            let (one, all) = (tool.directory("one.5m.sh"), tool.directory("all"))
            let added = try tool.todayctl("import", "--directory", plugins, one, all)
            #expect(added.status == 0 && added.errors == "", "\(added.errors)")
            #expect(added.output.contains("wrote \(plugins)/one.5m.sh") && added.output.contains("two.5m.sh"))
            #expect(!added.output.contains("Next:"))
            // To the first place, what another program reads, and nothing at all.
            for (arguments, start) in [([], "wrote "), (["--json"], "{"), (["--quiet"], "")] {
                let home = TemporaryDirectory().path
                let said = try run(
                    "todayctl", ["--user", "import", one] + arguments + AuthorTool.allowance,
                    environment: ["XDG_RUNTIME_DIR": home, "HOME": home])
                #expect(said.status == 0 && said.output.hasPrefix(start), "\(said.errors)")
                #expect(said.output.isEmpty == start.isEmpty && said.output.contains("\nNext: ") == arguments.isEmpty)
            }
            try daemon.reload()
            #expect(try daemon.todayctl("update", "plugin.two").status == 0)
            #expect(try daemon.item(id: "plugin.two").content?.text == "two")
            // Again, with one that the user has changed, and with one that does not exist.
            try daemon.directory.write("mine", to: "plugins/one.5m.sh")
            let again = try tool.todayctl("import", "-d", plugins, one, tool.directory("none"), all)
            #expect(again.status == 8 && again.errors.contains("none: does not exist"), "\(again.errors)")
            #expect(again.output.contains("kept: ") && again.output.contains("unchanged: "))
            let nowhere = try tool.todayctl("import", "-d", "/dev/null/plugins", one)
            #expect(nowhere.status == 8 && nowhere.output.hasPrefix("To know:\n"), "\(nowhere.output)")
            #expect(nowhere.errors == "todayctl: cannot make the directory /dev/null/plugins: Not a directory\n")
        }

        @Test func aCommandOfAnItemIsExecutedByTheHost() throws {
            let daemon = try PrivateDaemon(widgets: [:])
            try daemon.directory.script(
                """
                #!/bin/sh
                # <xbar.title>Menu</xbar.title>
                # <xbar.var>string(NAME="Ada"): Who is greeted.</xbar.var>
                echo "pressed $(cat "$TODAY_STATE_DIRECTORY/pressed" 2>/dev/null)"
                echo ---
                echo "Press | shell=lib/press param1='a b' refresh=true"
                echo "Fail | shell=lib/press param1=fail"
                echo "Gone | shell=./gone"
                """, to: "plugins/menu.1h.sh")
            try daemon.directory.script(
                "#!/bin/sh\necho \"$1 $NAME $TODAY_REASON.\" | tee \"$TODAY_STATE_DIRECTORY/pressed\"; [ \"$1\" != fail ]",
                to: "plugins/lib/press")
            try daemon.reload()
            #expect(try daemon.todayctl("config", "plugin.menu", "NAME=Grace").status == 0)
            #expect(try daemon.todayctl("update", "plugin.menu").status == 0)
            #expect(try daemon.todayctl("expand", "plugin.menu").status == 0)
            let pressed = try daemon.todayctl("perform", "plugin.menu", "Press")
            // The processes of a run have TODAY_REASON, and end with it; this one belongs to no run.
            #expect(pressed.status == 0 && pressed.output.hasPrefix("a b Grace .\n"), "\(pressed)")
            #expect(try daemon.todayctl("show", "plugin.menu").output.contains("pressed a b Grace ."))
            let failed = try daemon.todayctl("perform", "plugin.menu", "Fail")
            #expect(failed.status == 8 && failed.errors.contains("it exited with status 1"), "\(failed)")
            let gone = try daemon.todayctl("perform", "plugin.menu", "Gone")
            #expect(gone.status == 8 && gone.errors.contains("does not exist"), "\(gone)")
            let printed = try daemon.todayctl("perform", "--no-open", "plugin.menu", "Press")
            #expect(printed.output == "to be executed: lib/press 'a b'\n", "\(printed)")
            let json = try daemon.todayctl("--json", "perform", "plugin.menu", "Press")
            #expect(json.output.contains(#""status": 0"#) && json.errors == "a b Grace .\n", "\(json)")
        }

        @Test func aPictureIsFetchedByItsName() throws {
            let png = "iVBORw0KGgoAAAANSUhEUgAAAAE="
            let daemon = try PrivateDaemon(widgets: [:])
            try daemon.directory.script("#!/bin/sh\necho 'x | image=\(png)'", to: "plugins/icon.1h.sh")
            try daemon.reload()
            #expect(try daemon.todayctl("update", "plugin.icon").status == 0)
            let list = try daemon.todayctl("--json", "list").output
            #expect(!list.contains("iVBOR") && list.contains(#""image""#), "\(list)")
            let reply = try daemon.call("Show", ["id": "plugin.icon"])
            let item = try #require(JSONField(root: .object(reply), isTolerant: true).required("items").array().first)
            let name = try #require(try Item(item).content?.pictureNames.first)
            let json = try daemon.todayctl("--json", "get", "icon", "image.\(name)")
            #expect(json.status == 0 && json.output.contains(png), "\(json)")
            let wrong = try daemon.todayctl("get", "icon", "image.0000000000000000")
            #expect(wrong.status == 1 && wrong.errors.contains(name), "\(wrong)")
        }

        /// The variables of a command have the secrets of the widget, so that another widget must not get them.
        @Test func aWidgetGetsNoCommandOfAnother() throws {
            let menu = #"{"text":"m","compact":{"type":"item","title":"Do","command":["true"]}}"#
            let call =
                #"{"method":"org.todayd.Today.PrepareCommand","parameters":{"id":"org.test.menu","command":["true"]}}"#
            let python = """
                import os, socket
                s = socket.socket(socket.AF_UNIX); s.connect(os.environ["TODAY_SOCKET"])
                s.sendall(b'\(call)\\0'); print(s.recv(65536).decode().strip("\\0"))
                """
            let daemon = try PrivateDaemon(
                widgets: Widgets.all(
                    Widgets.script(
                        "menu", "echo '\(menu)'",
                        update: "Protocol=json\nInterval=1h", widget: "AllowsCommands=yes"),
                    Widgets.script(
                        "thief", "python3 \"$(dirname \"$0\")/../ask.py\"", update: "Protocol=text\nInterval=1h")))
            _ = try daemon.directory.write(python, to: "ask.py")
            #expect(try daemon.todayctl("update", "menu").status == 0)
            let own = try daemon.todayctl("perform", "menu", "1")
            #expect(own.status == 0, "\(own)")
            #expect(try daemon.todayctl("update", "thief").status == 0)
            let shown = try daemon.todayctl("show", "thief").output
            #expect(shown.contains("PermissionDenied"), "\(shown)")
        }

        @Test func aClickReachesAScriptForI3blocks() throws {
            let daemon = try PrivateDaemon(
                widgets: Widgets.script(
                    "clicks", "echo \"button ${BLOCK_BUTTON:-none}\"", update: "Protocol=i3blocks\nInterval=1h"))
            #expect(try daemon.todayctl("update", "clicks").status == 0)
            #expect(try daemon.todayctl("show", "clicks").output.contains("button none"))
            #expect(try daemon.todayctl("perform", "clicks", "click-3").status == 0)
            #expect(try daemon.todayctl("show", "clicks").output.contains("button 3"))
            #expect(try daemon.todayctl("perform", "clicks", "click-10").status != 0)
        }

        @Test func theStatusOfAMonitoringPluginIsItsSeverity() throws {
            let daemon = try PrivateDaemon(
                widgets: Widgets.script(
                    "disk", "echo 'DISK CRITICAL - 2% free | used=98%;80;90'; exit 2",
                    update: "Protocol=nagios\nInterval=1h"))
            #expect(try daemon.todayctl("update", "disk").status == 0)
            let shown = try daemon.todayctl("--json", "show", "disk").output
            #expect(shown.contains(#""severity": "critical""#) && shown.contains(#""state": "ready""#), "\(shown)")
        }

        @Test func notesAreForTheAuthorAndFailNothing() throws {
            let daemon = try PrivateDaemon(
                widgets: Widgets.script(
                    "menu", "echo 'a | colour=red'", update: "Protocol=xbar\nInterval=1h"))
            #expect(try daemon.todayctl("update", "menu").status == 0)
            let status = try daemon.todayctl("status", "menu").output
            #expect(status.contains("unknown key colour="), "\(status)")
        }
    }
}
