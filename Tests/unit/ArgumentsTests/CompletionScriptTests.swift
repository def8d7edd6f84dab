// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import Arguments

@Suite struct CompletionScriptTests {
    let script = CompletionScript(for: sample)

    @Test(arguments: [
        ("demo ", "show set press group"), ("demo s", "show set"), ("demo --json g", "group"),
        ("demo --color ", "auto always never"), ("demo show --color = a", "auto always"),
        ("demo set x ", "true false"), ("demo set x true ", ""), ("demo show ", "one two"), ("demo show a t", "two"),
        ("demo group ", "add remove"), ("demo group add --d", "--deep"), ("demo -w ", ""),
        ("demo press one ", #"of-one two\ words"#), ("demo press --json two t", #"two\ words"#),
        ("demo press one of-o", "of-one"),
    ])
    func bashCompletes(line: String, expected: String) throws {
        // The typed words become COMP_WORDS, as bash sets them. A function answers `demo ids`.
        let test = """
            \(script.text(for: .bash))
            demo() {
                case $1 in
                answer) [[ $2 == -- ]] && printf '%s\\n' "of-$4" 'two words' ;;
                *) printf '%s\\n' one two ;;
                esac
            }
            compopt() { :; }
            COMP_WORDS=(\(line))
            [[ '\(line)' == *' ' ]] && COMP_WORDS+=('')
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _demo
            echo "${COMPREPLY[*]}"
            """
        #expect(try output(of: "bash", feeding: test) == expected + "\n")
    }

    /// A value follows `NAME=` at once.
    @Test(arguments: [("N", "nospace NAME="), ("P", "PLACE")])
    func noSpaceFollowsAnEqualsSign(word: String, expected: String) throws {
        let positional = Positional("NAME=VALUE", completion: .answers(of: "demo answer"), help: "What")
        let script = CompletionScript(
            for: Command("demo", summary: "demonstrate", positionals: [positional]))
        let test = """
            \(script.text(for: .bash))
            demo() { printf '%s\\n' NAME= PLACE; }
            compopt() { [[ $2 == nospace ]] && printf 'nospace '; }
            COMP_WORDS=(demo \(word))
            COMP_CWORD=1
            _demo
            echo "${COMPREPLY[*]}"
            """
        #expect(try output(of: "bash", feeding: test) == expected + "\n")
    }

    /// The command gets the words before, behind the names of commands, also where the value of an option is completed.
    @Test func valuesOfOptionsKnowTheWordsBefore() throws {
        let option = Option("at", value: "PLACE", completion: .answers(of: "demo answer"), help: "Where")
        let script = CompletionScript(
            for: Command(
                "demo", summary: "demonstrate",
                subcommands: [
                    Command(
                        "take", summary: "take one", options: [option], positionals: [Positional("ID", help: "Which")])
                ]))
        let test = """
            \(script.text(for: .bash))
            demo() { [[ $2 == -- ]] && printf '%s\\n' "of-$4"; }
            COMP_WORDS=(demo take one --at '')
            COMP_CWORD=4
            _demo
            echo "${COMPREPLY[*]}"
            """
        #expect(try output(of: "bash", feeding: test) == "of-one\n")
        #expect(script.text(for: .fish).contains("-l at -r -a '(__demo_answers 1 demo answer)'"))
        #expect(script.text(for: .fish).split(separator: "\n").filter { $0.contains(" -l help ") }.count == 1)
    }

    /// A typed beginning of a name with a space, and the candidate. bash closes an open quote itself.
    @Test(arguments: [(#"two\ "#, #"two\ words"#), ("'two w", "two words"), (#""two"#, "two words"), ("x", "")])
    func bashCompletesNamesThatHaveToBeQuoted(word: String, expected: String) throws {
        let test = """
            \(script.text(for: .bash))
            demo() { printf '%s\\n' 'two words'; }
            IFS= read -r word <<'WORD'
            \(word)
            WORD
            COMP_WORDS=(demo press one "$word")
            COMP_CWORD=3
            _demo
            echo "${COMPREPLY[*]}"
            """
        #expect(try output(of: "bash", feeding: test) == expected + "\n")
    }

    /// A widget can choose any text as an answer. bash must run nothing of it.
    @Test(
        arguments: [
            ("do$(id)", "do", #"do\$\(id\)"#), ("do$(id)", #""do"#, ""), ("do`id`", #""do"#, ""),
            ("do'; id #", "'do", ""),
            ("do\\", #""do"#, ""), ("do\"; id", #""do"#, ""), ("do it", #""do"#, "do it"),
        ])
    func bashOffersNoAnswerThatItWouldRun(answer: String, word: String, expected: String) throws {
        let test = """
            \(script.text(for: .bash))
            IFS= read -r answer <<'ANSWER'
            \(answer)
            ANSWER
            demo() { printf '%s\\n' "$answer"; }
            IFS= read -r word <<'WORD'
            \(word)
            WORD
            COMP_WORDS=(demo press one "$word")
            COMP_CWORD=3
            _demo
            printf '%s\\n' "${COMPREPLY[*]}"
            """
        #expect(try output(of: "bash", feeding: test) == expected + "\n")
    }

    @Test(arguments: CompletionScript.Shell.allCases)
    func everyCommandAndOptionIsOffered(shell: CompletionScript.Shell) {
        let text = script.text(for: shell)
        for word in [
            "show", "set", "group", "add", "remove", "json", "width", "color", "deep", "help", "demo ids",
            "demo answer",
        ] {
            #expect(text.contains(word), "\(word)")
        }
    }

    @Test func zshLeavesOptionsToTheFunctionOfTheSubcommand() {
        let text = script.text(for: .zsh)
        // The program, and the one command with subcommands.
        #expect(text.split(separator: "'(-)*:: :->arguments'").count == 3)
        #expect(!text.contains("'*:: :->arguments'"))
    }

    /// What _arguments sets stays in the function, or the user's shell has it. Candidates of one value are a list.
    @Test func zshHasTheValuesOfACommand() {
        let text = script.text(for: .zsh)
        #expect(
            text.contains(
                "() {\n    local curcontext=$curcontext state line\n    typeset -A opt_args\n    _arguments -C"))
        let kind = Positional("KIND", choices: ["a", "b"], help: "What")
        let single = CompletionScript(for: Command("demo", summary: "demonstrate", positionals: [kind]))
        #expect(single.text(for: .zsh).contains("'1:KIND:(a b)'"))
    }

    /// One dispatch for the program, and one for the command with subcommands.
    @Test func zshDispatchesWhereThereAreSubcommands() {
        #expect(script.text(for: .zsh).ranges(of: "case $state in").count == 2)
    }

    @Test(arguments: CompletionScript.Shell.allCases)
    func shellAcceptsTheScript(shell: CompletionScript.Shell) throws {
        guard try output(of: "sh", feeding: "command -v \(shell.rawValue) || :") != "" else { return }
        let check = shell == .fish ? "fish --no-execute" : "\(shell.rawValue) -n"
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
