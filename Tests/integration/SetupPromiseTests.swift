// SPDX-License-Identifier: MIT
import Files
import Glibc
import TestSupport
import Testing

extension Integration {
    /// `todayctl setup`: what a person finds on the first evening.
    @Suite struct SetupPromiseTests {
        private let tool = AuthorTool()

        private func writeBars() throws {
            try tool.directory.write(
                "[hello]\ncommand=echo Grüße\ninterval=5\nlabel=HI\n\n[time]\ncommand=date +%H:%M\ninterval=30\n",
                to: ".config/i3blocks/config")
            try tool.directory.write("bar {\n    status_command i3blocks\n}\n", to: ".config/sway/config")
        }

        @Test func withoutConsentNothingIsWritten() throws {
            let nothing = try tool.todayctl("setup")
            #expect(nothing.status == 1 && nothing.output.contains("todayctl new NAME"), "\(nothing)")
            try tool.directory.write("bar {\n    status_command i3status\n}\n", to: ".config/i3/config")
            let status = try tool.todayctl("setup")
            #expect(status.status == 1 && status.output.contains("config  1 program\n"), "\(status)")
            try tool.directory.write("bar {\n    status_command todayctl bar i3bar\n}\n", to: ".config/i3/config")
            let bars = try tool.todayctl("setup")
            #expect(bars.status == 0 && bars.output.contains("There is no script of a bar to import."), "\(bars)")
            #expect(bars.output.contains("To show widgets in i3:\n") && !bars.output.contains("0 programs"))
            try tool.directory.write("bar {\n}\n", to: ".config/sway/config")
            #expect(
                try tool.todayctl("setup").output.split(separator: "\n").filter { $0.hasPrefix("To show") } == [
                    "To show widgets in sway and i3:"
                ])
            try writeBars()
            let asked = try tool.todayctl("setup")
            #expect(
                asked.status == 1 && asked.output.contains("i3blocks  ~/.config/i3blocks/config  2 programs"),
                "\(asked)")
            #expect(asked.output.contains("Nothing is written. 'todayctl setup --yes' does it."))
            #expect(!Paths.exists(tool.directory(".config/todayd")))
        }

        @Test func itImportsShowsAndTakesBack() throws {
            try tool.directory.makeDirectory(".config")
            try tool.directory.makeDirectory(".config/todayd")
            try tool.directory.makeDirectory(".config/todayd/widgets")
            let widgets = tool.directory(".config/todayd/widgets")
            let daemon = try PrivateDaemon(options: ["--widgets", widgets], started: false)
            daemon.environment["HOME"] = tool.directory.path
            try daemon.start()
            try tool.directory.makeDirectory("todayd")
            #expect(symlink(daemon.socket, tool.directory("todayd/todayd.sock")) == 0)
            try writeBars()
            func setup(_ options: String...) throws -> BuiltProgram.Result {
                try run("todayctl", ["--user", "setup"] + options, environment: tool.environment)
            }
            let made = try setup("--yes")
            #expect(made.status == 0, "\(made)")
            // Where a sandbox can be made, these programs want nothing.
            let isSandboxed = !made.output.contains("--yes")
            #expect(isSandboxed || made.output.contains(". --yes lets these programs run without one,"))
            #expect(made.output.contains("Wrote 4 files; 'todayctl setup --undo' removes them."))
            #expect(made.output.contains("hello") && made.output.contains("Grüße"), "the widgets after their first run")
            #expect(made.output.contains("They are in bars; 'todayctl enable --on today ID' shows one"))
            #expect(
                made.output.contains("To show widgets in sway:")
                    && made.output.contains("status_command todayctl bar i3bar"))
            let segments = try daemon.todayctl("show", "--point", "status-bar", "--output", "tmux")
            #expect(segments.output.hasPrefix("HI Grüße"), "\(segments)")
            #expect(try daemon.todayctl("show").output.hasPrefix("Nothing to show."), "they begin in bars alone")
            try tool.directory.write("[disk]\ncommand=df -h /\ninterval=60\n", to: ".config/i3blocks/config")
            let wish = try setup("-y").output
            #expect(wish.contains("disk (df)\n--yes allows each what it seems to want.\n") == isSandboxed, "\(wish)")
            try writeBars()
            let again = try setup("-y")
            #expect(again.status == 0 && again.output.contains("There is nothing new to import."), "\(again)")
            let time = "\(widgets)/import.i3blocks.time.widget"
            try tool.directory.write(
                "[Update]\nExecStart=/bin/true\n", to: ".config/todayd/widgets/import.i3blocks.time.widget")
            let undone = try setup("--undo")
            #expect(
                undone.status == 0
                    && undone.output.contains("removed ~/.config/todayd/widgets/import.i3blocks.hello.widget"))
            #expect(undone.errors.contains("import.i3blocks.time.widget stays: it is not as setup wrote it"))
            #expect(!Paths.exists("\(widgets)/import.i3blocks.hello.widget") && Paths.exists(time))
            // What stays keeps its sandbox, and nothing else is left.
            #expect(
                try tool.directory.names(in: ".config/todayd/widgets") == [
                    "import.i3blocks.time.widget", "import.i3blocks.time.widget.d",
                ])
            #expect(undone.errors.contains("import.conf stays with the program that it shuts in"))
            #expect(try setup("--undo").status == 1)
        }
    }
}
