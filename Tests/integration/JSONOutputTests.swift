// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel
import VarlinkInterface

extension Integration {
    /// The output of `todayctl --json` has the names of the interface.
    @Suite struct JSONOutputTests {
        typealias Part = InterfaceDescription.Part

        static let commands: [([String], Part)] = [
            (["show"], .output(of: "Show")), (["show", "disk"], .output(of: "Show")),
            (["show", "disk", "disk"], .output(of: "Show")), (["show", "--sort=relevance"], .output(of: "Show")),
            (["show", "--point", "status_bar"], .output(of: "Show")), (["list"], .output(of: "List")),
            (["list", "--point", "status-bar", "--sort=relevance"], .output(of: "List")),
            (["status"], .output(of: "Status")),
            (["set-has-content", "disk", "true"], .output(of: "SetHasContent")),
            (["enable", "disk"], .output(of: "Enable")), (["disable", "other"], .output(of: "Disable")),
            (["move", "disk", "first"], .output(of: "Move")), (["expand", "disk"], .output(of: "SetDisplayMode")),
            (["collapse", "disk"], .output(of: "SetDisplayMode")),
            (["disable", "--from", "lock-screen", "disk"], .output(of: "Disable")),
            (["perform", "disk", "go"], .output(of: "PerformAction")), (["edit", "disk"], .output(of: "SetEditing")),
            (["edit", "--cancel", "disk"], .output(of: "SetEditing")), (["update", "disk"], .type("UpdateAnswer")),
            (["push", "disk", "--text", "x"], .output(of: "Push")), (["push", "disk", "--unset"], .output(of: "Push")),
            (["config", "--group", "group.org.test", "k=1"], .output(of: "SetDefaults")),
            (["config", "disk"], .output(of: "Settings")), (["config", "disk", "CITY=x"], .output(of: "SetSettings")),
            (["reload"], .output(of: "Reload")),
        ]

        @Test func namesAreThoseOfTheInterface() throws {
            let today = InterfaceDescription(constant: Interfaces.today)
            let content = #"{"text":"x","percentage":50,"compact":{"type":"button","title":"Go","action":"go"}}"#
            var widgets = Widgets.script(
                "disk", "echo '\(content)'",
                update:
                    "Interval=1h\nProtocol=json\n[Settings]\nCITY=string default=Berlin\nCOUNT=number max=5\nTOKEN=secret",
                widget:
                    "AppGroups=group.org.test\nAllowsEditing=yes\nLargestDisplayMode=expanded\nExtensionPoint=today status-bar"
            )
            widgets = Widgets.all(widgets, Widgets.script("other", "echo other"))
            let daemon = try PrivateDaemon(widgets: widgets)
            try daemon.follow("disk") { $0.state == .ready }
            for (arguments, part) in Self.commands {
                let result = try run("todayctl", ["--socket", daemon.socket, "--json"] + arguments)
                #expect(result.status == 0, "\(arguments): \(result.errors)")
                // `update` prints one object a line.
                var documents = [result.output]
                if case .type = part { documents = result.output.split(separator: "\n").map(String.init) }
                #expect(!documents.isEmpty)
                for document in documents {
                    let object = try #require(try JSON.parse(Array(document.utf8)).objectValue)
                    let mismatch = today.check(object, against: part)
                    #expect(mismatch == nil, "\(arguments): \(document)")
                }
            }
        }

        @Test func pointsHaveTwoSpellings() throws {
            let daemon = try PrivateDaemon(
                widgets: Widgets.script("bar", "echo bar", widget: "ExtensionPoint=status-bar"))
            try daemon.follow("bar") { $0.state == .ready }
            for word in ["status-bar", "status_bar"] {
                #expect(try daemon.todayctl("list", "--ids", "--point", word).output == "org.test.bar\n")
            }
            #expect(try daemon.todayctl("list", "--point", "statusbar").status == 2)
        }
    }
}
