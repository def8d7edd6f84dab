// SPDX-License-Identifier: MIT

import Arguments
import ClientTestSupport
import JSON
import Testing

@testable import Commands

/// The command line as a whole: help, advice and wrong usage.
@Suite struct TodayControlTests {
    @Test func everyCommandHasASummaryAndAName() {
        for type in TodayControl.commands {
            #expect(!type.command.name.isEmpty && !type.command.summary.isEmpty)
        }
        #expect(Set(TodayControl.commands.map { $0.command.name }).count == TodayControl.commands.count)
    }

    @Test func helpIsACommandToo() throws {
        let program = Program()
        func output(_ arguments: String...) throws -> String { try program.run(arguments, namesSocket: false).output }
        #expect(try output("help") == output("--help"))
        #expect(try output("help", "show") == output("show", "--help"))
        #expect(try output("help", "show").contains("Usage: todayctl show"))
        #expect(try program.run(["help", "nonsense"], namesSocket: false).code == .usage)
    }

    @Test(arguments: [
        ["move", "disk", "before"], ["move", "disk", "up", "load"], ["push", "disk", "--percentage", "half"],
        ["push", "disk", "--ttl", "soon"], ["push", "disk", "--icon", "x"], ["push", "disk", "--unset", "--text", "x"],
        ["push", "disk", "file", "--text", "x"], ["update", "--timeout", "0"], ["show", "--json", "--quiet"],
        ["list", "--point", "desktop"], ["get"], ["completion", "tcsh"], ["config"], ["config", "--string", "disk"],
        ["config", "--group", "g", "a=1", "b"],
        ["config", "--group", "g", "--unset", "a", "b"], ["config", "--group", "g", "--secret", "x"],
        ["set-has-content", "true"],
        ["watch", "--events", "disk"], ["watch", "--events", "--all"], ["import", "wayland"],
        ["import", "waybar", "/", "/"],
        ["enable"], ["enable", "--on", "desktop", "disk"], ["move", "first"],
        ["edit", "disk", "--done", "--cancel"],
        ["show", "--json", "--numbers"], ["watch", "--numbers", "--json"], ["open"], ["perform"],
    ])
    func mistakesAreWrongUsage(arguments: [String]) throws {
        let result = try Program().run(arguments)
        #expect(result.code == .usage)
        #expect(result.errors.contains("--help"))
        #expect(result.output == "")
    }

    @Test(arguments: [
        ("hide", ["disable ID", "set-has-content ID false"]), ("show-again", ["enable ID", "set-has-content ID true"]),
        ("unhide", ["enable ID"]), ("refresh", ["update ID"]), ("press", ["perform ID ACTION"]),
        ("logs", ["status ID"]), ("why", ["status ID"]), ("has-content", ["get ID has-content"]),
        ("picture", ["get ID image.NAME"]), ("lock-screen", ["enable --on lock-screen ID"]),
        ("monitor", ["watch --events"]),
        ("defaults", ["config --group GROUP"]), ("plugin", ["import FILE"]),
    ])
    func anotherWordForACommandNamesTheCommand(word: String, commands: [String]) throws {
        let result = try Program().run([word, "disk"])
        #expect(result.code == .usage)
        #expect(result.errors.hasPrefix("todayctl: unknown command '\(word)'; "))
        for command in commands { #expect(result.errors.contains("'\(command)'")) }
    }

    /// `enable --on` and `disable --from` are opposites.
    @Test(arguments: [("disable", "--on", "--from PLACE"), ("enable", "--from", "--on PLACE")])
    func theOptionOfTheOppositeCommandIsNamed(command: String, option: String, meant: String) throws {
        let result = try Program().run([command, option, "today", "disk"])
        #expect(result.code == .usage && result.errors.contains("unknown option \(option); did you mean '\(meant)'?"))
    }

    /// A letter means the same in every command, and a group has every command that the help lists.
    @Test func aShortOptionHasOneMeaning() {
        let root = TodayControl.command
        func options(_ command: Command) -> [Option] { command.options + command.subcommands.flatMap(options) }
        var meanings: [Character: Set<String>] = [:]
        for option in options(root) { if let short = option.short { meanings[short, default: []].insert(option.long) } }
        for (short, names) in meanings { #expect(names.count == 1, "-\(short): \(names.sorted())") }
        let shown = root.subcommands.filter { !$0.isHidden }.map(\.name)
        #expect(root.groups.flatMap(\.names) == shown && shown.count <= 28)
    }

    /// The first word is the command, also if a later one is the name of another, and without one it is `show`.
    @Test(arguments: [["status", "show"], ["update", "status"], [], ["--quiet"], ["--quiet", "list"]])
    func theFirstWordIsTheCommand(arguments: [String]) throws {
        let result = try Program().run(["--socket=/nonexistent"] + arguments)
        let other = try Program().run(arguments + ["--socket=/nonexistent"])
        #expect(result.code == .unreachable && other.code == .unreachable, "\(result.errors)\(other.errors)")
    }

    @Test func noAdviceHidesACommand() {
        let commands = Set(TodayControl.command.subcommands.map(\.name))
        #expect(commands.isDisjoint(with: TodayControl.command.advice.keys))
        #expect(!TodayControl.command.advice.isEmpty)
    }

    @Test(arguments: [("disable", "set-has-content"), ("set-has-content", "disable"), ("enable", "set-has-content")])
    func helpNamesTheCommandWithASimilarEffect(command: String, other: String) {
        let help = TodayControl.command.help(for: [command]).split { $0.isWhitespace }.joined(separator: " ")
        #expect(help.contains("'todayctl \(other)"))
    }
}
