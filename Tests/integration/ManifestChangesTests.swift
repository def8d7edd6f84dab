// SPDX-License-Identifier: MIT
import JSON
import TestSupport
import Testing
import TodayModel

extension Integration {
    /// The daemon notices changes of manifests while it runs.
    @Suite struct ManifestChangesTests {
        @Test func aDropInOverridesWhileTheWidgetRuns() throws {
            let daemon = try PrivateDaemon(
                widgets: Widgets.script("a", "echo $COLOUR", update: "Environment=COLOUR=red"))
            try daemon.follow("a") { $0.content?.text == "red" }
            try daemon.directory.write(
                "[Widget]\nDisplayName=Other\n[Update]\nEnvironment=COLOUR=blue\n",
                to: "widgets/org.test.a.widget.d/10-blue.conf")
            try daemon.follow("a") { $0.name == "Other" }
            // The widget runs at once, so that its author sees the result.
            try daemon.follow("a") { $0.content?.text == "blue" }
        }

        @Test func aBrokenDropInStopsTheWidgetAndSaysWhere() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", "echo fine"))
            try daemon.follow("a") { $0.state == .ready }
            try daemon.directory.write("[Limits]\nMemoryMax=much\n", to: "widgets/org.test.a.widget.d/limit.conf")
            let item = try daemon.follow("a") { $0.state == .invalid }
            #expect(item.failure?.contains("limit.conf:2: MemoryMax=:") == true, "\(item.failure ?? "")")
            // After the repair the last content is still there.
            try daemon.remove("org.test.a.widget.d/limit.conf")
            #expect(try daemon.follow("a") { $0.state == .ready }.content?.text == "fine")
        }

        @Test func maskingTakesAWidgetOutOfTheView() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", "echo fine"))
            try daemon.follow("a") { $0.state == .ready }
            try daemon.directory.link("widgets/.null", to: "/dev/null")
            try daemon.directory.rename("widgets/.null", to: "widgets/org.test.a.widget")
            try daemon.follow("a") { $0.state == .masked }
            #expect(try daemon.items().isEmpty)
            #expect(try daemon.update("a").answer == .refused)
        }

        @Test func aProgramThatComesLateMakesItsWidgetValid() throws {
            let daemon = try PrivateDaemon(widgets: ["org.test.a.widget": Widgets.manifest("a")])
            #expect(try daemon.item("a").state == .invalid)
            try daemon.add("a", "#!/bin/sh\necho here\n")
            #expect(try daemon.follow("a") { $0.state == .ready }.content?.text == "here")
        }

        @Test func aProgramThatIsNoLongerExecutableMakesItsWidgetInvalid() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", "echo fine"))
            try daemon.follow("a") { $0.state == .ready }
            try daemon.directory.write("#!/bin/sh\necho fine\n", to: "widgets/a", mode: 0o644)
            try daemon.call("Reload")
            let item = try daemon.item("a")
            #expect(item.state == .invalid)
            #expect(
                item.failure?.contains("ExecStart=: \(daemon.directory("widgets/a"))") == true, "\(item.failure ?? "")")
            #expect(item.content?.text == "fine")
        }

        @Test func aDirectoryThatAppearsLaterIsWatched() throws {
            let daemon = try PrivateDaemon(started: false)
            try daemon.directory.delete("widgets")
            try daemon.start()
            #expect(try daemon.items().isEmpty)
            let late = TemporaryDirectory()
            for (name, text) in Widgets.script("a", "echo here") {
                try late.write(text, to: "widgets/\(name)", mode: text.hasPrefix("#!") ? 0o755 : 0o644)
            }
            var isThere = false
            try daemon.connect().stream("org.todayd.Today.Show") { reply in
                if reply["items"]?.arrayValue?.isEmpty == true, !isThere {
                    try late.move("widgets", to: daemon.directory("widgets"))
                }
                isThere = true
                return reply["items"]?.arrayValue?.first?["state"] != "ready"
            }
            #expect(try daemon.item("a").content?.text == "here")
        }
    }
}
