// SPDX-License-Identifier: MIT
import TestSupport
import Testing
import TodayModel

@testable import Import

@Suite struct UnitQuotingTests {
    @Test(arguments: [
        ("df", "df"), ("/usr/bin/df", "/usr/bin/df"), ("a=b", "a=b"), ("", "''"), ("a b", "'a b'"),
        ("it's", "'it\\'s'"),
        ("50%", "'50%%'"), ("a\\b", "'a\\\\b'"), ("a\nb", "'a\\nb'"), ("a\tb", "'a\\tb'"), ("\u{1b}[1m", "'\\x1b[1m'"),
        ("\u{7}", "'\\x07'"), ("~", "'~'"), ("$HOME", "'$HOME'"), ("größe", "'größe'"), ("\"", "'\"'"),
        ("a;b", "'a;b'"),
    ])
    func wordsAreWritten(text: String, written: String) throws {
        #expect(UnitQuoting.word(text) == written)
        #expect(try Unquoting.words(written) == [text])
    }

    @Test(arguments: [
        ("~", "~"), ("~/.config/x", "~/.config/x"), ("~/My Scripts", "'~/My Scripts'"), ("/etc", "/etc"),
        ("/srv/100%", "'/srv/100%%'"),
    ])
    func pathsAreWritten(path: String, written: String) throws {
        #expect(UnitQuoting.path(path) == written)
        #expect(try Unquoting.words(written) == [path])
    }

    @Test func everyScriptSurvives() throws {
        var random = SeededNumbers(seed: 12)
        let letters: [Character] = Array(
            " \t\n\r\\\\''\"\"%%$`~#;&|<>(){}[]*?!=:,.-_/abcxnt019sSuUhä€😀\u{1b}\u{7f}\u{1}")
        for _ in 0..<3_000 {
            let length = Int.random(in: 0...60, using: &random)
            let text = String((0..<length).compactMap { _ in letters.randomElement(using: &random) })
            let words = try Unquoting.words("/bin/sh -c \(UnitQuoting.word(text))")
            #expect(words.map { Array($0.utf8) } == ["/bin/sh", "-c", text].map { Array($0.utf8) })
        }
    }

    /// The other way round: what a manifest says is what the configuration said.
    @Test func commandsOfAllHostsSurvive() throws {
        let script = "printf '%s\\n' \"it's 100 %\" | sed 's/\\\\/x/' # \\"
        let json = script.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
        let waybar = Machine.plan(.waybar, "{\"custom/x\": {\"exec\": \"\(json)\", \"interval\": 5}}")
        #expect(try waybar.manifest("import.waybar.x").script() == script)
        let blocks = Machine.plan(.i3blocks, "[x]\ncommand=\(script)\ninterval=5\n")
        #expect(try blocks.manifest("import.i3blocks.x").script() == script)
        let doubled = script.map { $0 == "\\" ? "\\\\" : "\($0)" }.joined()
        let polybar = Machine.plan(.polybar, "[module/x]\ntype = custom/script\nexec = \(doubled)\n")
        #expect(try polybar.manifest("import.polybar.x").script() == script)
        let rust = Machine.plan(.i3statusRust, "[[block]]\nblock = \"custom\"\ncommand = '''\(script)'''\n")
        #expect(try rust.manifests.first?.script() == script)
    }
}

@Suite struct ShellCommandTests {
    @Test(arguments: [
        ("df", "true", "if ( true ) >/dev/null; then df; fi"),
        ("df;", "true", "if (\ntrue\n) >/dev/null\nthen\ndf;\nfi"),
        ("df # all", "true", "if (\ntrue\n) >/dev/null\nthen\ndf # all\nfi"),
        ("df &", "true", "if (\ntrue\n) >/dev/null\nthen\ndf &\nfi"),
        ("df", "true \\ ", "if (\ntrue \\ \n) >/dev/null\nthen\ndf\nfi"),
    ])
    func conditions(command: String, condition: String, script: String) {
        #expect(ShellCommand.conditional(command, if: condition) == script)
    }

    /// What a real shell makes of it.
    @Test(arguments: [
        ("echo yes", "true", "yes\n", Int32(0)), ("echo yes", "false", "", 0), ("echo yes;", "true; # why", "yes\n", 0),
        ("echo yes # no", "echo noise", "yes\n", 0), ("echo yes", "exit 3", "", 0), ("exit 3", "true", "", 3),
        ("echo a; echo b &", "(true)", "a\nb\n", 0), ("cat <<X\nhi\nX", "test -n x", "hi\n", 0),
        ("echo yes", "exit 0;", "yes\n", 0), ("false", "true", "", 1),
    ])
    func aShellRunsIt(command: String, condition: String, output: String, status: Int32) throws {
        let result = try Shell.run(ShellCommand.conditional(command, if: condition))
        #expect(result.output == output)
        #expect(result.status == status)
    }

    @Test(arguments: [
        ("curl -s wttr.in", "curl"), ("LANG=C curl -s wttr.in", "curl"),
        ("python3 ~/bin/weather.py --short", "weather"),
        ("~/.config/x/mail.sh", "mail"), ("/bin/sh -c \"df -h\"", "df"), ("n=$(checkupdates | wc -l)", "checkupdates"),
        ("while true; do date; sleep 1; done", "date"), ("while :; do cpu; done", "cpu"), ("  'khal' list", "khal"),
        ("./.hidden", ".hidden"),
    ])
    func programNames(command: String, name: String) {
        #expect(ShellCommand.programName(of: command) == name)
    }

    @Test(arguments: ["", "   ", "$SCRIPT", "A=b", "--help", "sh -c"])
    func noProgramName(command: String) {
        #expect(ShellCommand.programName(of: command) == nil)
    }
}

@Suite struct LabelTextTests {
    @Test(arguments: [
        ("\u{f0f3}", "\u{f0f3}"), (" ☀ ", "☀"), ("<span color='red'>♪</span> ", "♪"), ("☀:", "☀:"), ("🇩🇪", "🇩🇪"),
    ])
    func symbols(text: String, symbol: String) {
        #expect(LabelText.symbol(text) == symbol)
    }

    @Test(arguments: ["", " ", "CPU", "°C", "%", ":", "☀5", "♪\u{202e}", "☀☀☀☀☀", "☀\\", "<b></b>"])
    func noSymbols(text: String) {
        #expect(LabelText.symbol(text) == nil)
    }

    @Test(arguments: [
        ("{}", [""], ""), ("{text:>5}%", ["text"], "%"), ("<b>{icon}</b> {}", ["icon", ""], " "), ("{", [], "{"),
        ("}{", [], "}{"), ("{{}}", ["{"], "}"),
    ])
    func placeholders(format: String, names: [String], rest: String) {
        let parts = LabelText.placeholders(in: format)
        #expect(parts.names == names)
        #expect(parts.rest == rest)
    }
}
