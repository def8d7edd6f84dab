// SPDX-License-Identifier: MIT
import Glibc
import Link
import TestSupport
import Testing

@testable import Commands

/// `todayctl -H HOST`.
@Suite struct RemoteHostTests {
    private static let table: [(typed: [String], there: [String])] = [
        (["-H", "office", "show", "disk"], ["show", "disk"]), (["show", "-Hoffice", "--json"], ["show", "--json"]),
        (["--host", "office"], []), (["status", "--host=office", "-q"], ["status", "-q"]),
        (["push", "x", "--text", "a b"], ["push", "x", "--text", "a b"]),
        (["-H", "office", "perform", "x", "--", "-H", "y"], ["perform", "x", "--", "-H", "y"]),
    ]

    @Test(arguments: table.indices) func theOptionStaysHere(index: Int) {
        let (typed, there) = Self.table[index]
        #expect(RemoteHost.withoutOption(typed) == there)
    }

    @Test func theShellThereGetsQuotedWords() throws {
        let host = try RemoteHost("ada@office")
        let words = host.words(for: ["-H", "ada@office", "push", "x", "--text", "it's $HOME"], isTerminal: false)
        #expect(words == ["-T", "--", "ada@office", #"exec todayctl push x --text 'it'\''s $HOME'"#])
        #expect(host.words(for: ["watch"], isTerminal: true) == ["-t", "--", "ada@office", "exec todayctl watch"])
    }

    @Test(arguments: ["", "-oProxyCommand=x"]) func anOptionIsNoMachine(host: String) {
        #expect(throws: ClientError.self) { _ = try RemoteHost(host) }
    }

    @Test func theCommandThereReadsWhatIsPipedIn() throws {
        let directory = TemporaryDirectory()
        try directory.script("#!/bin/sh\nread -r line\n[ \"$line\" = piped ]\n", to: "ssh")
        let command = "echo piped | PATH='\(directory.path)' '\(BuiltPrograms.directory)/todayctl' -H office push x"
        #expect(system(command) == 0)
    }

    /// What ssh gets, and its exit status.
    @Test func aCommandRunsOnTheOtherMachine() throws {
        let directory = TemporaryDirectory()
        try directory.script("#!/bin/sh\nprintf '%s\\n' \"$@\" >\(directory("said"))\nexit 7\n", to: "ssh")
        let status = TodayControl.run(
            ["-H", "office", "get", "disk", "text"], environment: .init(["PATH": directory.path]))
        #expect(status == 7)
        for words in [["-jH", "office", "list"], ["list", "-qHoffice"]] {
            #expect(TodayControl.run(words, environment: .init(["PATH": directory.path])) == ExitCode.usage.rawValue)
        }
        #expect(try directory.read("said") == "-T\n--\noffice\nexec todayctl get disk text\n")
        #expect(
            TodayControl.run(["-H", "office", "list"], environment: .init(["PATH": "/nonexistent"]))
                == ExitCode.failed.rawValue)
    }
}
