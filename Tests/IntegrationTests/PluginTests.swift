// SPDX-License-Identifier: MIT
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
