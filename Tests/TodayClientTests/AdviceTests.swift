// SPDX-License-Identifier: MIT

import JSON
import Testing

@testable import TodayClient

/// Words that people try first.
@Suite struct AdviceTests {
    @Test(arguments: [
        ("hide", ["disable ID", "set-has-content ID false"]), ("show-again", ["enable ID", "set-has-content ID true"]),
        ("unhide", ["enable ID"]), ("refresh", ["update ID"]), ("press", ["perform ID ACTION"]),
        ("logs", ["status ID"]),
    ])
    func aWordThatIsNoCommandNamesTheRightOne(word: String, commands: [String]) throws {
        let result = try Program().run([word, "disk"])
        #expect(result.code == .usage)
        #expect(result.errors.hasPrefix("todayctl: unknown command '\(word)'; "))
        for command in commands { #expect(result.errors.contains("'\(command)'")) }
    }

    /// A text in the place of FILE. A directory is no text, and is named by what the kernel says.
    @Test(arguments: [("hello", "--text"), ("/", "Is a directory"), ("/dev/null/x", "Not a directory")])
    func aTextIsNoFile(file: String, words: String) throws {
        let result = try Program().run(["push", "disk", file])
        #expect(result.code == .usage)
        #expect(result.errors.contains("'\(file)'") == (file == "hello") && result.errors.contains(words))
    }

    @Test func everyCommandHasASummaryAndAName() {
        for type in TodayControl.commands {
            #expect(!type.command.name.isEmpty && !type.command.summary.isEmpty)
        }
        #expect(Set(TodayControl.commands.map { $0.command.name }).count == TodayControl.commands.count)
    }

    @Test func noAdviceStandsInTheWayOfACommand() {
        let commands = Set(TodayControl.command.subcommands.map(\.name))
        #expect(commands.isDisjoint(with: TodayControl.command.advice.keys))
        #expect(!TodayControl.command.advice.isEmpty)
    }

    @Test(arguments: [("yes", true), ("off", false)]) func yesAndNoAreFlags(word: String, flag: Bool) throws {
        let hasContent = SetHasContent(try TodayControl.command.parse(["set-has-content", "a", word]))
        #expect(hasContent.call.parameters["hasContent"] == .bool(flag))
        let lockScreen = SetLockScreen(try TodayControl.command.parse(["lock-screen", "a", word]))
        #expect(lockScreen.call.parameters["allowed"] == .bool(flag))
    }

    @Test(arguments: [("disable", "set-has-content"), ("set-has-content", "disable"), ("enable", "set-has-content")])
    func eachHelpNamesTheOther(command: String, other: String) {
        let help = TodayControl.command.help(for: [command]).split { $0.isWhitespace }.joined(separator: " ")
        #expect(help.contains("'todayctl \(other)"))
    }
}
