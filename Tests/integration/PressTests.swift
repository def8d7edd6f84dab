// SPDX-License-Identifier: MIT
import JSON
import TestSupport
import Testing
import TodayModel
import Varlink

extension Integration {
    /// Buttons and links with their numbers, and the commands that press and open them.
    @Suite struct PressTests {
        private static let view = """
            [{"type":"hstack","children":[{"type":"button","title":"Done","action":"done 4"},\
            {"type":"link","title":"Page","url":"https://example.org/a"}]},\
            {"type":"item","title":"Elsewhere","url":"gopher://example.org"}]
            """

        /// The widget prints its reason and its action beside buttons and links, so a test can see the press.
        private func daemon() throws -> PrivateDaemon {
            let script =
                #"echo '{"text":"'$TODAY_REASON$TODAY_ACTION'","relevance":{"score":0.5},"compact":"# + Self.view + "}'"
            let widgets = Widgets.all(
                Widgets.script("a", script, update: "Protocol=json\nInterval=1h", widget: "URLSchemes=https"),
                Widgets.script("plain", "echo plain"))
            let daemon = try PrivateDaemon(widgets: widgets)
            try daemon.follow("a") { $0.state == .ready }
            try daemon.follow("plain") { $0.state == .ready }
            return daemon
        }

        @Test(arguments: ["1", "Done", "done 4"]) func aButtonIsPressedByNumberTitleOrAction(_ word: String) throws {
            let daemon = try daemon()
            let shown = try daemon.todayctl("show", "a", "--numbers").output
            #expect(shown.contains("    [1: Done]  2: Page\n    • 3: Elsewhere\n"), "\(shown)")
            #expect(try daemon.todayctl("perform", "a", word).status == 0)
            #expect(try daemon.item("a").content?.text == "actiondone 4")
        }

        /// What updates the widget as well says what came of it.
        @Test func aRowThatUpdatesSaysSo() throws {
            let row = #"{"type":"item","title":"Row","url":"https://example.org/r","update":true}"#
            let script = #"echo '{"text":"'$TODAY_REASON'","compact":"# + row + "}'"
            let daemon = try PrivateDaemon(
                widgets: Widgets.script("a", script, update: "Protocol=json\nInterval=1h", widget: "URLSchemes=https"))
            try daemon.follow("a") { $0.state == .ready }
            let pressed = try daemon.todayctl("perform", "--no-open", "a", "1")
            #expect(pressed.output == "to be opened: https://example.org/r\norg.test.a: new content\n", "\(pressed)")
            #expect(try daemon.item("a").content?.text == "request")
            let json = try daemon.todayctl("perform", "--no-open", "--json", "a", "1").output
            #expect(json.contains("\"noData\"") || json.contains("\"newData\""), "\(json)")
            #expect(!json.contains("org.test.a: "))
            #expect(try daemon.todayctl("perform", "--no-open", "--quiet", "a", "1").output.isEmpty)
        }

        @Test func anUnknownButtonIsReportedWithTheKnownOnes() throws {
            let daemon = try daemon()
            let refused = try daemon.todayctl("perform", "a", "Do")
            #expect(refused.status == 8)
            let list = "  1: Done (done 4)\n  2: Page (https://example.org/a)\n  3: Elsewhere (gopher://example.org)\n"
            #expect(refused.errors.hasSuffix("nothing called 'Do' to press; there is:\n\(list)"), "\(refused.errors)")
            let link = try daemon.todayctl("perform", "--no-open", "a", "2")
            #expect(link.status == 0 && link.output == "to be opened: https://example.org/a\n", "\(link)")
        }

        @Test func aLinkIsOpenedIfTheManifestAllowsItsScheme() throws {
            let daemon = try daemon()
            let opener = "#!/bin/sh\necho \"$*\" >>\"${0%/*}/opened\"\n"
            _ = try daemon.directory.write(opener, to: "bin/xdg-open", mode: 0o755)
            func open(_ words: String...) throws -> (status: Int32, output: String, errors: String) {
                let result = try run(
                    "todayctl", ["--socket", daemon.socket, "open", "a"] + words,
                    environment: ["PATH": daemon.directory("bin")])
                return (result.status, result.output, result.errors)
            }
            let list = try open()
            #expect(list.status == 1)
            #expect(list.output == "2: Page (https://example.org/a)\n3: Elsewhere (gopher://example.org)\n")
            let opened = try open("Page")
            #expect(opened.status == 0, "\(opened.errors)")
            #expect(try daemon.directory.read("bin/opened") == "https://example.org/a\n")
            let refused = try open("3")
            #expect(refused.status == 8)
            #expect(refused.errors.contains("does not declare the scheme gopher"), "\(refused.errors)")
            try daemon.directory.delete("bin/xdg-open")
            let failed = try open("2")
            #expect(failed.status == 8)
            #expect(failed.errors.hasPrefix("todayctl: cannot open https://example.org/a: "), "\(failed.errors)")
        }

        @Test(arguments: ["done", "cancel"]) func editingIsShownAndEnded(_ end: String) throws {
            let daemon = try PrivateDaemon(
                widgets: Widgets.script("a", #"echo "says ${TODAY_EDITING:-own}""#, widget: "AllowsEditing=yes"))
            try daemon.follow("a") { $0.content?.text == "says own" }
            #expect(try daemon.todayctl("show", "a").output.hasSuffix("\n  Edit: todayctl edit org.test.a\n"))
            let begun = try daemon.todayctl("edit", "a")
            #expect(begun.status == 0)
            #expect(
                begun.output.contains(" Test [editing]") && begun.output.contains(" says begin\n"), "\(begun.output)")
            #expect(begun.output.hasSuffix("\n  Done: todayctl edit --done org.test.a\n"))
            #expect(try daemon.todayctl("list").output.contains("  edit --done  "))
            #expect(try daemon.todayctl("edit", "--\(end)", "a").status == 0)
            let ended = try daemon.todayctl("show", "a").output
            #expect(!ended.contains("[editing]") && ended.hasSuffix("\n  Edit: todayctl edit org.test.a\n"), "\(ended)")
            #expect(!ended.contains("says begin"))
        }

        @Test func theMostRelevantComesFirst() throws {
            let daemon = try daemon()
            #expect(try daemon.todayctl("move", "plain", "first").status == 0)
            #expect(try daemon.todayctl("list", "--ids").output == "org.test.plain\norg.test.a\n")
            #expect(try daemon.todayctl("list", "--ids", "--sort=relevance").output == "org.test.a\norg.test.plain\n")
        }
    }
}
