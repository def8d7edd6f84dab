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
        #expect(Array(words.dropLast()) == ["-T", "--", "ada@office"])
        #expect(host.words(for: ["watch"], isTerminal: true).first == "-t")
        // A program of that name notes what it gets.
        let home = TemporaryDirectory()
        try home.script("#!/bin/sh\nprintf '<%s>' \"$@\" >\"$HOME/said\"\n", to: ".local/bin/todayctl")
        let command = try #require(words.last)
        #expect(system("HOME='\(home.path)' \(command)") == 0)
        #expect(try home.read("said") == "<push><x><--text><it's $HOME>")
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

    @Test func aMachineWithoutTodayctlIsSaid() throws {
        let directory = TemporaryDirectory()
        try directory.script("#!/bin/sh\nexit 127\n", to: "ssh")
        #expect(throws: ClientError("office has no todayctl in PATH or ~/.local/bin")) {
            try RemoteHost("office").run(["list"], .init(["PATH": directory.path]))
        }
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
        #expect(try directory.read("said").hasPrefix("-T\n--\noffice\nexec sh -c "))
        #expect(
            TodayControl.run(["-H", "office", "list"], environment: .init(["PATH": "/nonexistent"]))
                == ExitCode.failed.rawValue)
    }
}
