// SPDX-License-Identifier: MIT
import Arguments
import Import
import Testing
import TodayModel

@testable import TodayDaemon

@Suite struct DaemonOptionsTests {
    @Test func noOptionIsNeeded() throws {
        #expect(try DaemonOptions.parse([]) == .run(DaemonOptions()))
    }

    @Test func everyOptionIsUnderstood() throws {
        let arguments = [
            "--user", "--socket", "/s", "--state=/d", "--widgets", "/a", "--widgets", "/b", "--config", "/c",
        ]
        #expect(
            try DaemonOptions.parse(arguments)
                == .run(
                    DaemonOptions(
                        instance: .user, socket: "/s", stateDirectory: "/d", widgetDirectories: ["/a", "/b"],
                        configuration: "/c")))
    }

    @Test func anInstanceIsNamed() throws {
        #expect(try DaemonOptions.parse(["--system"]) == .run(DaemonOptions(instance: .system)))
        #expect(try DaemonOptions.parse(["--user"]) == .run(DaemonOptions(instance: .user)))
    }

    @Test func helpAndVersionArePrinted() throws {
        #expect(try DaemonOptions.parse(["--version"]) == .print("todayd \(Version.text)\n"))
        #expect(try DaemonOptions.parse(["--help"]) == .print(DaemonOptions.command.help()))
    }

    @Test func toolsForAuthorsHaveFiles() throws {
        #expect(
            try DaemonOptions.parse(["--check", "a", "--user", "b", "--protocol=json"])
                == .check(
                    CheckOptions(instance: DaemonOptions(instance: .user), files: ["a", "b"], scriptProtocol: .json)))
        var once = OnceOptions(instance: DaemonOptions(stateDirectory: "/d"), file: "-a")
        #expect(try DaemonOptions.parse(["--once", "--state", "/d", "--", "-a"]) == .once(once))
        (once.mode, once.action, once.isKnown) = (.expanded, "x", true)
        #expect(
            try DaemonOptions.parse(["--once", "--state=/d", "--mode=expanded", "--action=x", "--known", "--", "-a"])
                == .once(once))
    }

    @Test func anImportHasAHost() throws {
        #expect(try DaemonOptions.parse(["--import", "argos"]) == .importing(ImportOptions(host: .argos)))
        #expect(
            try DaemonOptions.parse(["--import=waybar", "--user", "--directory=/d", "--link", "--dry-run", "--", "-c"])
                == .importing(
                    ImportOptions(
                        instance: DaemonOptions(instance: .user), host: .waybar, path: "-c", directory: "/d",
                        isLinked: true, isDryRun: true)))
    }

    @Test(arguments: [
        ["--user", "--system"], ["--sokcet", "/s"], ["extra"], ["--socket"], ["--check"], ["--once"],
        ["--once", "a", "b"],
        ["--check", "--once", "a"], ["--check", "a", "--mode=expanded"], ["--check", "a", "--known"], ["--known"],
        ["--set=A=b"], ["--check", "a", "--set", "A"],
        ["--import=plugins"],
        ["--action", "x"], ["--protocol", "text"], ["--once", "a", "--protocol", "xml"],
        ["--once", "a", "--mode", "big"], ["--import", "conky"], ["--import"], ["--import", "xbar", "a", "b"],
        ["--import", "xbar", "--check", "a"], ["--import", "xbar", "--mode=expanded"],
        ["--import", "xbar", "--protocol=json"], ["--dry-run"], ["--check", "a", "--link"],
        ["--directory", "/d", "--once", "a"],
    ])
    func wrongOptionsAreRefused(_ arguments: [String]) {
        #expect(throws: UsageError.self) { _ = try DaemonOptions.parse(arguments) }
    }
}
