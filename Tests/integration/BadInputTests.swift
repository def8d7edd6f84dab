// SPDX-License-Identifier: MIT
import JSON
import TestSupport
import Testing
import TodayModel

extension Integration {
    /// What no plugin should do. Each gives content or a failure in words with the place, and harms no other widget. The
    /// tables of FormatsTests and RegistryTests have the details; here the programs run for real.
    @Suite struct BadInputTests {
        struct Row: Sendable {
            let file: String
            var contentProtocol: ContentProtocol?
            let script: String
            var text: String?
            var failure: String?
            /// What a note, a complaint or the content says.
            var says: [String] = []
        }

        private static func plugin(_ script: String, _ text: String, _ says: String...) -> Row {
            Row(file: "bad.5m.sh", script: script, text: text, says: says)
        }

        private static func named(_ file: String, _ says: String...) -> Row {
            Row(file: file, script: "echo x", text: "x", says: says)
        }

        private static func program(
            _ contentProtocol: ContentProtocol, _ script: String, _ text: String?, failure: String? = nil,
            _ says: String...
        ) -> Row {
            Row(
                file: "bad", contentProtocol: contentProtocol, script: script, text: text, failure: failure, says: says)
        }

        private static let deep =
            #"awk 'BEGIN { print "bar\n---"; for (i = 0; i < 1000; i++) { print s "x"; s = s "--" } }'"#
        private static let picture = "printf '| image='; head -c 5000000 /dev/zero | tr '\\0' A; echo"

        static let menus: [Row] = [
            plugin("echo bar; echo ---; seq 10000", "bar", "… 8810 more lines"),
            plugin(deep, "bar", "line 33: the menu is deeper than 30 levels"),
            plugin(#"printf 'a\000b\377\n---\nc\n'"#, "ab\u{fffd}", "line 1 has bytes that are not text"),
            plugin(picture, "●", "line 1: image= is longer than 262144 bytes"),
            plugin("echo 'x | color= size href='", "x", "line 1: color=size is not a colour"),
            plugin("echo \"x | color='red\"", "x", "line 1: the quote of color= does not close"),
            plugin("echo 'yes | no | maybe'", "yes", "line 1: \"no\" is not a parameter such as color=red"),
            plugin(#"printf 'a\r\n---\r\nb\r\n'"#, "a", #""title":"b""#),
            plugin("printf 'a\n---\nb'", "a", #""title":"b""#),
            plugin(#"printf '\033[31ma \302\23332mb\033]0;c'"#, "a b", "#cd0000", "#00cd00"),
        ]

        static let names: [Row] = [
            named("zero.0s.sh", "the interval 0s in its name is not possible; it runs as if it had none"),
            named("never.99999999d.sh"), named("my own plugin.5m.sh"), named("🍄.5m.sh"), named("\u{1b}[31mred.5m.sh"),
        ]

        static let programs: [Row] = [
            program(.waybar, "echo 42", "42"),
            program(
                .waybar, "echo '[{\"text\": 1}]'", "[{\"text\": 1}]",
                "line 1 is an array and shown as text; an object would be {\"text\": \"62 %\"}"),
            program(
                .waybar, "echo '{\"text\": \"a\"}'; echo '{\"text\": \"b\"}'", "a",
                "line 1: the object ends here, and what follows is not read"),
            program(
                .waybar, "echo '{\"text\": \"a\"'", nil,
                failure: "output is not JSON: line 2, column 1: expected ',' or '}', found the end"),
            program(.nagios, "echo 'OK | a=1,5 b=2e3 c=U d=1,2,3'", "OK", #""a":1.5"#, #""b":2000"#, "d: \"1,2,3\""),
            program(.nagios, "echo 'usage: {-p path | -x device}'", "usage: {-p path | -x device}"),
            program(
                .i3blocks, "echo loading; echo '{\"full_text\": \"x\"}'; echo '{\"full_text\":'", "x",
                "line 1 is not an object, and the one in line 2 counts", "what follows line 2 is not a whole object"),
            program(.i3blocks, "printf '{\"full_text\"'", nil, failure: "output is not JSON: line 1, column 13: "),
            program(
                .genmon, #"printf '<txt>a<bar>x</bar>\377'"#, "a", "<txt> has no </txt>", "<bar>: \"x\" is not a number"
            ),
            program(
                .keyvalue, "printf 'text=a\\nicn=b\\nmetric.=1'", nil, failure: "line 3: metric.=: write metric.NAME"),
            program(.keyvalue, "echo text='\"a'; echo color", "\"a", "line 2"),
            program(.text, #"printf 'a\000'"#, nil, failure: "line 1 contains the control character U+0000"),
            program(.json, "printf '{\"text\": \"a\"'", nil, failure: "output is not JSON: line 1, column 13: "),
            program(.text, "exit 0", nil, failure: "printed nothing"),
            program(.text, "kill -9 $$", nil, failure: "killed"),
        ]

        static let rows = menus + names + programs

        @Test(arguments: 0..<rows.count) func itIsContentOrAFailureInWords(place: Int) throws {
            let row = Self.rows[place]
            let tool = AuthorTool()
            let path = try tool.directory.script("#!/bin/sh\n\(row.script)\n", to: row.file)
            let options = row.contentProtocol.map { ["--protocol", $0.rawValue] } ?? []
            let result = try run(
                "today-author", ["--user", "--once"] + options + [path], environment: tool.environment)
            let report = try FileReport(JSONField(root: try JSON.parse(Array(result.output.utf8))))
            let ran = try #require(report.trial?.run, "\(result.output)")
            let content = report.trial?.item.content
            #expect(content?.text == row.text)
            let failure = ran.failure ?? ""
            #expect(row.failure == nil ? failure.isEmpty : failure.hasPrefix(row.failure ?? "-"), "\(failure)")
            let complaints = report.complaints.map(\.reason)
            let said = complaints + (report.trial?.notes ?? []) + [ran.errorOutput, content?.json.text ?? ""]
            for words in row.says { #expect(said.contains { $0.contains(words) }, "\(words): \(said)") }
        }

        /// The process has the file open; the next run says what is missing.
        @Test func aScriptThatIsDeletedWhileItRunsIsMissingLater() throws {
            let daemon = try PrivateDaemon(
                widgets: Widgets.script("good", "echo fine", update: "Protocol=text\nInterval=1h"))
            try daemon.directory.script(
                "#!/bin/sh\nrm \"$0\"\nsleep 0.3\necho still here\n", to: "plugins/gone.1h.sh")
            try daemon.reload()
            // The registry may see that the file is gone before the run ends: then the run is the last one.
            _ = try daemon.todayctl("update", "plugin.gone")
            let again = try daemon.todayctl("update", "plugin.gone")
            #expect(again.status != 0 && again.errors.contains("plugin.gone"), "\(again)")
            #expect(try daemon.todayctl("update", "good").status == 0)
            #expect(try daemon.item("good").content?.text == "fine")
        }

        /// A link that leads to a directory, one that leads nowhere, and a name without a letter.
        @Test func aFileThatCannotBeAPluginIsNamed() throws {
            let daemon = try PrivateDaemon(widgets: [:])
            try daemon.directory.makeDirectory("plugins/real")
            try daemon.directory.link("plugins/linked.5m.sh", to: "real")
            try daemon.directory.link("plugins/broken.5m.sh", to: "nowhere")
            try daemon.directory.script("#!/bin/sh\necho x\n", to: "plugins/---.5m.sh")
            try daemon.directory.script("#!/bin/sh\necho fine\n", to: "plugins/good.5m.sh")
            try daemon.reload()
            let status = try daemon.todayctl("status").output
            #expect(status.contains("linked.5m.sh: is a link to real, which is a directory"), "\(status)")
            #expect(status.contains("broken.5m.sh: is a link to nowhere, which does not exist"), "\(status)")
            #expect(status.contains("---.5m.sh: the name has no letter and no digit"), "\(status)")
            #expect(try daemon.todayctl("update", "plugin.good").status == 0)
        }
    }
}
