// SPDX-License-Identifier: MIT

import Testing

@testable import Arguments

/// A small program for all suites of this target.
let sample = Command(
    "demo", summary: "demonstrate",
    options: [
        Option("json", short: "j", help: "Print JSON"),
        Option("quiet", short: "q", help: "Print nothing"),
        Option("width", short: "w", value: "N", help: "Columns"),
        Option("color", value: "WHEN", choices: ["auto", "always", "never"], help: "When to colour"),
        Option("user", help: "The user's"),
        Option("system", help: "The system's"),
        Option("file", value: "PATH", completion: .files, help: "A file: any"),
    ],
    subcommands: [
        Command(
            "show", summary: "show things", description: "One paragraph\nin two lines.\n\nAnother one.",
            positionals: [
                Positional(
                    "ID", isOptional: true, isRepeating: true, completion: .asked("ids"), help: "Which")
            ],
            examples: [.init("demo show a", "Shows a.")]),
        Command(
            "set", summary: "set a thing",
            positionals: [
                Positional("ID", help: "Which"),
                Positional(
                    "STATE", choices: ["true", "false"], synonyms: Positional.booleans("true", "false"), help: "What"),
            ]
        ),
        Command(
            "press", summary: "press a thing",
            positionals: [
                Positional("ID", completion: .asked("ids"), help: "Which"),
                Positional("ACTION", completion: .asked("answers"), help: "What"),
            ]),
        Command(
            "group", summary: "deal with groups",
            subcommands: [
                Command("add", summary: "add one", options: [Option("deep", help: "All")]),
                Command("remove", summary: "remove one"),
            ]),
    ],
    exclusiveOptions: [["user", "system"]], advice: ["put": "use 'set ID STATE'"])

@Suite struct CommandParserTests {
    @Test(arguments: [
        (["show"], ["show"]), (["--json", "show", "x"], ["show"]), (["group", "add"], ["group", "add"]),
        (["-w", "5", "set", "a", "true"], ["set"]),
    ])
    func subcommandIsFoundAmongOptions(arguments: [String], path: [String]) throws {
        #expect(try sample.parse(arguments).path == path)
    }

    @Test(arguments: [
        ["show", "--width", "40"], ["show", "--width=40"], ["show", "-w40"], ["show", "-w", "40"], ["-jw40", "show"],
        ["--width", "10", "show", "--width", "40"],
    ])
    func everySpellingOfAValueIsAccepted(arguments: [String]) throws {
        #expect(try sample.parse(arguments).value("width") == "40")
    }

    @Test func everyValueOfARepeatedOptionIsKept() throws {
        #expect(try sample.parse(["show", "-w1", "-w2"]).values("width") == ["1", "2"])
    }

    @Test func flagsCanBeBundled() throws {
        let parsed = try sample.parse(["show", "-jq"])
        #expect(parsed.has("json") && parsed.has("quiet") && !parsed.has("user"))
    }

    @Test func anEmptyValueIsAValue() throws {
        #expect(try sample.parse(["show", "--file="]).value("file") == "")
    }

    @Test func wordsAreAssignedByPlace() throws {
        let parsed = try sample.parse(["set", "a", "false"])
        #expect(parsed.positional("ID") == "a" && parsed.positional("STATE") == "false")
    }

    @Test(arguments: [
        ("yes", "true"), ("on", "true"), ("1", "true"), ("true", "true"), ("no", "false"), ("off", "false"),
        ("YES", "true"), ("y", "true"), ("T", "true"), ("True", "true"), ("On", "true"), ("N", "false"), ("f", "false"),
        ("FALSE", "false"),
        ("0", "false"),
        ("false", "false"),
    ])
    func synonymsMeanTheirChoice(word: String, choice: String) throws {
        #expect(try sample.parse(["set", "a", word]).positional("STATE") == choice)
    }

    @Test func choicesWithoutSynonymsAreWrittenAsTheyAre() {
        let command = Command("demo", summary: "show", positionals: [Positional("TO", choices: ["up"], help: "Where")])
        #expect(throws: Never.self) { try command.parse(["up"]) }
        #expect(throws: UsageError.self) { try command.parse(["UP"]) }
    }

    @Test func anotherWordForACommandIsAnsweredWithAdvice() {
        func reason(_ word: String) -> String? {
            do {
                _ = try sample.parse([word])
                return nil
            } catch {
                return error.reason
            }
        }
        #expect(reason("put") == "unknown command 'put'; use 'set ID STATE'")
        #expect(reason("puts") == "unknown command 'puts'")
    }

    @Test func aRepeatingPositionalTakesTheRest() throws {
        #expect(try sample.parse(["show", "a", "-j", "b"]).positionals("ID") == ["a", "b"])
        #expect(try sample.parse(["show"]).positionals("ID") == [])
    }

    @Test func twoDashesEndTheOptions() throws {
        let parsed = try sample.parse(["show", "--", "--json", "-w"])
        #expect(parsed.positionals("ID") == ["--json", "-w"] && !parsed.has("json"))
    }

    @Test(arguments: ["-", "-5", "-.5"])
    func dashAndNegativeNumbersAreWords(word: String) throws {
        #expect(try sample.parse(["show", word]).positionals("ID") == [word])
    }

    @Test(arguments: [["--help"], ["-h"], ["set", "--help", "--unknown"], ["set", "-jh"]])
    func helpHidesLaterMistakes(arguments: [String]) throws {
        #expect(try sample.parse(arguments).isHelpRequested)
    }

    @Test(arguments: [
        ([], "demo: missing command\nTry 'demo --help'."),
        (["shwo"], "demo: unknown command 'shwo'; did you mean show?\nTry 'demo --help'."),
        (["xyzzy"], "demo: unknown command 'xyzzy'\nTry 'demo --help'."),
        (["show", "--jsn"], "demo: unknown option --jsn; did you mean --json?\nTry 'demo show --help'."),
        (["show", "-x"], "demo: unknown option -x\nTry 'demo show --help'."),
        (["show", "--json=1"], "demo: option --json takes no value\nTry 'demo show --help'."),
        (["show", "--width"], "demo: option --width needs a value: --width N\nTry 'demo show --help'."),
        (["show", "-w"], "demo: option -w needs a value: -w N\nTry 'demo show --help'."),
        (["set", "a"], "demo: missing STATE\nTry 'demo set --help'."),
        (["set", "a", "maybe"], "demo: STATE: 'maybe' is not one of true, false\nTry 'demo set --help'."),
        (["set", "a", "true", "b"], "demo: unexpected argument 'b'\nTry 'demo set --help'."),
        (["group"], "demo: missing command\nTry 'demo group --help'."),
        (["--user", "show", "--system"], "demo: --user and --system exclude each other\nTry 'demo show --help'."),
        (
            ["show", "--color", "red"],
            "demo: option --color: 'red' is not one of auto, always, never\nTry 'demo show --help'."
        ),
    ])
    func eachMistakeHasItsMessage(arguments: [String], message: String) {
        #expect {
            try sample.parse(arguments)
        } throws: { error in
            (error as? UsageError)?.description == message
        }
    }

    // MARK: Several words in front of others

    private static let several = Command(
        "demo", summary: "demonstrate",
        positionals: [
            Positional("ID", isRepeating: true, help: "Which"),
            Positional("TO", choices: ["up", "on", "off"], synonyms: [("yes", "on")], help: "Where"),
            Positional("OTHER", isOptional: true, help: "Whom"),
        ])

    @Test(
        arguments: [
            (["a", "up"], ["a"], "up", nil), (["a", "b", "up"], ["a", "b"], "up", nil),
            (["a", "b", "up", "c"], ["a", "b"], "up", "c"), (["up", "on"], ["up"], "on", nil),
            (["a", "Yes"], ["a"], "on", nil), (["a", "up", "off"], ["a"], "up", "off"),
        ] as [([String], [String], String, String?)])
    func aChoiceEndsWordsThatRepeat(words: [String], ids: [String], to: String, other: String?) throws {
        let parsed = try Self.several.parse(words)
        #expect(parsed.positionals("ID") == ids && parsed.positional("TO") == to)
        #expect(parsed.positional("OTHER") == other)
    }

    @Test(
        arguments: [
            ([], "missing ID"), (["a"], "missing TO"), (["up"], "missing TO"),
            (["a", "b", "upp"], "TO: 'upp' is not one of up, on, off; did you mean up?"),
            (["a", "up", "b", "c"], "unexpected argument 'c'"),
        ])
    func withoutTheChoiceTheMistakeIsTold(words: [String], reason: String) {
        #expect(throws: UsageError(commands: ["demo"], reason: reason)) { try Self.several.parse(words) }
    }

    @Test func theWordBeforeThemIsNotOneOfThem() throws {
        let command = Command(
            "demo", summary: "demonstrate",
            positionals: [
                Positional("FROM", help: "Whence"), Positional("ID", isRepeating: true, help: "Which"),
                Positional("TO", choices: ["up"], help: "Where"),
            ])
        let parsed = try command.parse(["x", "a", "b", "up"])
        #expect(parsed.positional("FROM") == "x" && parsed.positionals("ID") == ["a", "b"])
        #expect(throws: UsageError(commands: ["demo"], reason: "TO: 'c' is not one of up")) {
            try command.parse(["x", "a", "c"])
        }
    }

    /// Of a program that takes words as well as subcommands, those after the two dashes are words.
    @Test func afterTwoDashesAWordIsNoCommand() throws {
        #expect(try sample.parse(["--", "show"]).path == ["show"])
        let command = Command(
            "demo", summary: "demonstrate",
            positionals: [Positional("FILE", isOptional: true, help: "What")],
            subcommands: [Command("show", summary: "show")], subcommandIsOptional: true)
        #expect(try command.parse(["--", "show"]).positional("FILE") == "show")
        #expect(try command.parse(["show"]).path == ["show"])
    }

    @Test func equalArgumentsHaveEqualNames() throws {
        let one = try Command("demo", summary: "d", positionals: [Positional("A", help: "x")]).parse(["x"])
        let other = try Command("demo", summary: "d", positionals: [Positional("B", help: "x")]).parse(["x"])
        #expect(one == one && one != other)
        #expect(try sample.parse(["show", "a"]) != sample.parse(["show", "b"]))
        #expect(try sample.parse(["show", "-w1"]) != sample.parse(["show", "-w2"]))
    }
}
