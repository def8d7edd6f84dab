// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import Arguments

@Suite struct CompletionsTests {
    /// The last word is the one to complete.
    private func completions(_ line: String, in command: Command = sample) -> Completions {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        return Completions(of: words.last ?? "", after: words.dropLast(), in: command)
    }

    @Test(arguments: [
        ("", "show set press group"), ("s", "show set"), ("--json g", "group"), ("show s", ""),
        ("--color ", "auto always never"), ("show --color = a", "auto always"),
        ("--color=a", "--color=auto --color=always"),
        ("set x ", "true false"), ("set x true ", ""), ("set --color auto x t", "true"), ("-w 5 set x f", "false"),
        ("group ", "add remove"), ("group add --d", "--deep"), ("group --d", ""), ("-w ", ""), ("--json=", ""),
        ("--unknown set x t", "true"), ("--s", "--system"),
        ("-", "--json --quiet --width --color --user --system --file --help"),
        ("group add -", "--deep --json --quiet --width --color --user --system --file --help"), ("group x ", ""),
    ])
    func wordsAreOffered(line: String, expected: String) {
        let completions = completions(line)
        #expect(completions.candidates.map(\.text).joined(separator: " ") == expected)
        #expect(!completions.hasFiles && completions.kinds.isEmpty || line == "show s")
    }

    /// What only the program knows, and the words that it has to know for that.
    @Test(arguments: [
        ("show ", ["ids"], []), ("show a b", ["ids"], ["a"]), ("press x", ["ids"], []),
        ("press --json one --width 3 t", ["answers"], ["one"]), ("press a b ", [], ["a", "b"]),
    ])
    func theProgramIsAsked(line: String, kinds: [String], words: [String]) {
        let completions = completions(line)
        #expect(completions.kinds == kinds && completions.words == words)
    }

    @Test func valuesOfOptionsKnowTheWordsBefore() {
        let option = Option("at", short: "a", value: "PLACE", completion: .asked("places"), help: "Where")
        let take = Command(
            "take", summary: "take one", options: [option], positionals: [Positional("ID", help: "Which")])
        let command = Command("demo", summary: "demonstrate", subcommands: [take])
        for line in ["take one --at ", "take one -a ", "take one --at=p"] {
            var completions = completions(line, in: command)
            #expect(completions.kinds == ["places"] && completions.words == ["one"])
            #expect(completions.value == (line.hasSuffix("p") ? "p" : ""))
            completions.add("park")
            completions.add("pa\trk")
            completions.add("sea")
            let expected = line.hasSuffix("p") ? ["--at=park"] : ["park", "sea"]
            #expect(completions.lines == expected, "\(line)")
        }
    }

    /// bash breaks words at an equals sign, and replaces only what follows it.
    @Test func aWordThatBashHasBrokenIsWhole() {
        var completions = completions("press one SIZE = b")
        #expect(completions.words == ["one"] && completions.value == "SIZE=b")
        for text in ["SIZE=big", "SIZE=small", "SIZE=", "big"] { completions.add(text) }
        #expect(completions.lines == ["big"])
    }

    /// Several may be meant after one that takes many words, because it ends where the next one begins.
    @Test func afterARepeatingPositionalComesAnyOther() {
        let command = Command(
            "demo", summary: "demonstrate",
            positionals: [
                Positional("ID", isRepeating: true, completion: .asked("ids"), help: "Which"),
                Positional("STATE", choices: ["on", "off"], help: "What"),
                Positional("FILE", completion: .filesOr(["-"]), help: "Where"),
            ])
        for (line, lines, kinds) in [("", [String](), ["ids"]), ("a ", ["on", "off", "-", "\tfiles"], ["ids"])] {
            #expect(completions(line, in: command).lines == lines)
            #expect(completions(line, in: command).kinds == kinds)
        }
    }

    @Test func theLinesOfAProgramWithoutCommands() throws {
        let command = Command(
            "demo", summary: "demonstrate", options: [Option("file", value: "PATH", completion: .files, help: "A file")]
        )
        func answer(_ typed: String...) throws -> String? {
            command.information(for: try command.parse([CompletionScript.question] + typed), version: "1")
        }
        #expect(try answer("--") == "--file\tA file\n--help\tShow this help\n")
        #expect(try answer("/e", "--file") == "\tfiles\n")
        #expect(try answer() == "")
    }
}

@Suite struct CompletionScriptTests {
    let script = CompletionScript(for: sample)

    /// A candidate with what it means, a typed word, and what bash has for it: bash closes an open quote itself. A widget can choose
    /// any text as an answer, of which bash must run nothing.
    @Test(
        arguments: [
            ("one\tfirst", "", "one"), ("two words", "two", #"two\ words"#), ("two words", #"two\ "#, #"two\ words"#),
            ("two words", "'two w", "two words"), ("two words", #""two"#, "two words"), ("NAME=", "N", "nospace NAME="),
            ("\tfiles", "asked-f", "filenames asked-file"), ("", "x", ""),
            ("do$(id)", "do", #"do\$\(id\)"#), ("do$(id)", #""do"#, ""), ("do`id`", #""do"#, ""),
            ("do'; id #", "'do", ""),
            ("do\\", #""do"#, ""), ("do\"; id", #""do"#, ""),
        ])
    func bashCompletes(answer: String, word: String, expected: String) throws {
        let test = """
            \(script.text(for: .bash))
            IFS= read -r answer <<'ANSWER'
            \(answer)
            ANSWER
            IFS= read -r word <<'WORD'
            \(word)
            WORD
            : >asked-file
            demo() { printf '%s|' "$@" >&3; [[ -z $answer ]] || printf '%s\\n' "$answer"; }
            compopt() { printf '%s ' "$2"; }
            COMP_WORDS=(demo press --at = one x "$word")
            COMP_CWORD=6
            _demo 3>asked
            echo "${COMPREPLY[0]}"
            cat asked
            """
        let typed = word.filter { !#"\'""#.contains($0) }
        #expect(
            try output(of: "cd $(mktemp -d) && bash", feeding: test)
                == "\(expected)\ncomplete|--|\(typed)|press|--at|=|one|x|")
    }

    /// With the real shells, where they are installed. zsh completes only on a terminal, so its script is only read.
    @Test(arguments: CompletionScript.Shell.allCases)
    func shellAcceptsTheScript(shell: CompletionScript.Shell) throws {
        guard try output(of: "sh", feeding: "command -v \(shell.rawValue) || :") != "" else { return }
        let check = shell == .fish ? "fish --no-execute" : "\(shell.rawValue) -n"
        #expect(script.text(for: shell).firstMatch(of: /@[A-Z]+@/) == nil)
        #expect(try output(of: "\(check) 2>&1", feeding: script.text(for: shell)) == "")
    }

    /// Runs a shell command line with `input` as its standard input, through popen(3) and a here-document.
    private func output(of command: String, feeding input: String) throws -> String {
        let mark = "END_OF_SCRIPT"
        let stream = try #require(popen("\(command) <<'\(mark)'\n\(input)\n\(mark)\n", "r"))
        defer { pclose(stream) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(stream), byte != EOF {
            bytes.append(UInt8(truncatingIfNeeded: byte))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
