// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Import

/// How scripts spell the directories of their user.
struct SpelledPathsTests {
    static let lines: [(line: String, shell: String)] = [
        (#"x = Path.home() / ".cache" / 'a' / "b.json""#, #"x = "$HOME/.cache/a/b.json""#),
        (#"(pathlib.Path.home()/".a").read_text()"#, #"("$HOME/.a").read_text()"#),
        (#"open(f'{Path.home()}/.config/x')"#, #"open(f'$HOME/.config/x')"#),
        (#"os.path.join(os.path.expanduser("~"), ".a", f"b"), "w")"#, #"os.path.join("$HOME/.a/b"), "w")"#),
        (#"open(os.path.expanduser('~') + '/.a', "w")"#, #"open("$HOME/.a", "w")"#),
        (#"Path(os.environ["HOME"]) / "a" / name / "b""#, #"Path("$HOME/a" / name / "b""#),
        (#"x = os.environ.get('XDG_RUNTIME_DIR', f("/tmp", [1])) + "/state""#, #"x = "$XDG_RUNTIME_DIR/state""#),
        (#"os.path.join(os.getenv("XDG_CACHE_HOME"), "a")"#, #"os.path.join("$XDG_CACHE_HOME/a")"#),
        (#"os.path.join(os.getenv("XDG_CACHE_HOME", f("a")), "b")"#, #"os.path.join("$XDG_CACHE_HOME/b")"#),
        (#"f(os.environ["HOME"], "a")"#, #"f("$HOME", "a")"#),
        (#"path.join(os.homedir(), '.a', 'b')"#, #"path.join("$HOME/.a/b")"#),
        (#"`${process.env.HOME}/.a`"#, #"`$HOME/.a`"#), (#"File.join(Dir.home, ".a")"#, #"File.join("$HOME/.a")"#),
        (##""#{ENV['HOME']}/.a""##, ##""$HOME/.a""##), (##""#{Dir.home}/.a""##, ##""$HOME/.a""##),
        (#"my $f = $ENV{HOME} . "/x";"#, #"my $f = $ENV{HOME} . "/x";"#),
        (#"home = Path.home()"#, #"home = "$HOME""#), (#"cat "$HOME/x" ~/y"#, #"cat "$HOME/x" ~/y"#),
        (#"Path.home() / "a"#, #""$HOME" / "a"#), (#"os.environ["HOME"#, #"os.environ["HOME"#),
        (#"os.environ.get("HOME""#, #""$HOME""#), (#"print("HOME", x)"#, #"print("HOME", x)"#),
        (#"Path.home() /"#, #""$HOME" /"#), ("~", "~"), ("", ""),
    ]

    @Test(arguments: lines) func aPlaceIsSpelledAsInAShell(line: String, shell: String) {
        #expect(SpelledPaths.inShell(line[...]) == shell)
    }

    static let words: [(word: String, place: String?)] = [
        ("$HOME/a", "%h/a"), ("${HOME}/a/b", "%h/a/b"), ("-I$HOME/a", "%h/a"), ("$HOMES/a", nil), ("$HOME", nil),
        ("$HOME:$HOME/a", "%h/a"),
        ("$XDG_CONFIG_HOME/a", "%h/.config/a"), ("${XDG_CACHE_HOME:-$HOME/.cache}/a", "%h/.cache/a"),
        ("${XDG_DATA_HOME:-${HOME}/.local/share}/a/$x.json", "%h/.local/share/a"),
        ("${XDG_STATE_HOME}/a", "%h/.local/state/a"),
        ("${XDG_CONFIG_HOME:-$HOME/.config}", "%h/.config"), ("${XDG_RUNTIME_DIR:-/tmp}/a", "%t/a"),
        ("$XDG_RUNTIME_DIR/a-$x", nil),
        ("$XDG_RUNTIME_DIR/50%", "%t/50%%"), ("$XDG_RUNTIME_DIR/%t/a", "%t/%%t/a"), ("$XDG_RUNTIME_DIR/../a", nil),
        ("$x/$HOME/a", "%h/a"), ("${HOME/a", nil), ("%t/a", nil),
    ]

    @Test(arguments: words) func aVariableNamesAPlace(word: String, place: String?) {
        #expect(SandboxWishes.place(named: word, "/home/ada") == place)
    }

    @Test func aFileOfTheSessionIsNoSocket() {
        func wishes(_ script: String) -> SandboxWishes {
            SandboxWishes(ofProgram: Array(script.utf8), Machine().importFiles)
        }
        let state = wishes("cat $XDG_RUNTIME_DIR/state\n")
        #expect(state.evidence == [.files: "$XDG_RUNTIME_DIR/state"])
        #expect(state.dropIn(.everyWish, isSystem: false).hasSuffix("Level=strict\nWritePaths=-%t/state\n"))
        #expect(state.dropIn(.everyWish, isSystem: true).hasSuffix("Level=strict\n"))
        #expect(state.withheld(by: Sandbox(level: .strict), home: "/home/ada", visible: []) == [])
        for socket in ["hypr/x/.socket2.sock", "hypr/$sig/a", "bus", "i3/ipc", "pipewire-0"] {
            let evidence = wishes("nc -U $XDG_RUNTIME_DIR/\(socket)\n").evidence
            #expect(evidence[.session] != nil && evidence[.files] == nil, "\(socket)")
        }
        for file in ["i3blocks", "busy", "wayland"] {
            #expect(wishes("cat $XDG_RUNTIME_DIR/\(file)\n").evidence == [.files: "$XDG_RUNTIME_DIR/\(file)"])
        }
    }
}
