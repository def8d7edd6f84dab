// SPDX-License-Identifier: MIT
import Arguments
import TestSupport
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

    @Test func groupsAreForUnitsThatSaySo() throws {
        var options = DaemonOptions(instance: .user)
        #expect(!options.isDelegated)
        options.isDelegated = true
        #expect(try DaemonOptions.parse(["--user", "--delegated"]) == .run(options))
    }

    @Test func anInstanceIsNamed() throws {
        #expect(try DaemonOptions.parse(["--system"]) == .run(DaemonOptions(instance: .system)))
        #expect(try DaemonOptions.parse(["--user"]) == .run(DaemonOptions(instance: .user)))
    }

    @Test func helpAndVersionArePrinted() throws {
        #expect(try DaemonOptions.parse(["--version"]) == .print("todayd \(Version.text)\n"))
        #expect(try DaemonOptions.parse(["--help"]) == .print(DaemonOptions.command.help()))
    }

    @Test(arguments: [["--user", "--system"], ["--sokcet", "/s"], ["extra"], ["--socket"], ["--check", "a"]])
    func wrongOptionsAreRefused(_ arguments: [String]) {
        #expect(throws: UsageError.self) { _ = try DaemonOptions.parse(arguments) }
    }

    @Test func theManualHasEveryOptionAndNoOther() throws {
        // systemctl has --now.
        let named = try ManualPage("todayd.8").options.subtracting(["now"])
        #expect(named == Set(DaemonOptions.command.options.map(\.long)).union(["help"]))
    }
}
