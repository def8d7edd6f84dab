// SPDX-License-Identifier: MIT
import Arguments
import Import
import TestSupport
import Testing
import TodayDaemon
import TodayModel

@testable import AuthorTools

@Suite struct AuthorOptionsTests {
    @Test func helpAndVersionArePrinted() throws {
        #expect(try AuthorTask.parse(["--version"]) == .print("today-author \(Version.text)\n"))
        #expect(try AuthorTask.parse(["--help"]) == .print(AuthorTask.command.help()))
    }

    @Test func toolsForAuthorsHaveFiles() throws {
        #expect(
            try AuthorTask.parse(["--check", "a", "--user", "b", "--protocol=json"])
                == .run(
                    .check(
                        CheckOptions(
                            instance: DaemonOptions(instance: .user), files: ["a", "b"], scriptProtocol: .json))))
        var once = OnceOptions(instance: DaemonOptions(stateDirectory: "/d"), file: "-a")
        #expect(try AuthorTask.parse(["--once", "--state", "/d", "--", "-a"]) == .run(.once(once)))
        (once.mode, once.action, once.isKnown, once.settings) = (.expanded, "x", true, ["A=1", "B=2"])
        #expect(
            try AuthorTask.parse([
                "--once", "--state=/d", "--mode=expanded", "--action=x", "--known", "--set=A=1", "--set=B=2", "--",
                "-a",
            ])
                == .run(.once(once)))
    }

    @Test func anImportHasAHost() throws {
        #expect(try AuthorTask.parse(["--import", "argos"]) == .run(.importing(ImportOptions(host: .argos))))
        #expect(
            try AuthorTask.parse(["--import=waybar", "--user", "--directory=/d", "--link", "--dry-run", "--", "-c"])
                == .run(
                    .importing(
                        ImportOptions(
                            instance: DaemonOptions(instance: .user), host: .waybar, path: "-c", directory: "/d",
                            isLinked: true, isDryRun: true))))
    }

    @Test(arguments: [
        [], ["a"], ["--user", "--system", "--check", "a"], ["--sokcet", "/s"], ["--check"], ["--once"],
        ["--once", "a", "b"],
        ["--check", "--once", "a"], ["--check", "a", "--mode=expanded"], ["--check", "a", "--known"], ["--known"],
        ["--check", "a", "--delegated"],
        ["--set=A=b"], ["--check", "a", "--set", "A"],
        ["--import=plugins"],
        ["--action", "x"], ["--protocol", "text"], ["--once", "a", "--protocol", "xml"],
        ["--once", "a", "--mode", "big"], ["--import", "conky"], ["--import"], ["--import", "xbar", "a", "b"],
        ["--import", "xbar", "--check", "a"], ["--import", "xbar", "--mode=expanded"],
        ["--import", "xbar", "--protocol=json"], ["--dry-run"], ["--check", "a", "--link"],
        ["--directory", "/d", "--once", "a"],
    ])
    func wrongOptionsAreRefused(_ arguments: [String]) {
        #expect(throws: UsageError.self) { _ = try AuthorTask.parse(arguments) }
    }

    @Test func theManualHasEveryOptionAndNoOther() throws {
        let named = try ManualPage("today-author.8").options
        #expect(named == Set(AuthorTask.command.options.map(\.long)).union(["help"]))
    }
}
