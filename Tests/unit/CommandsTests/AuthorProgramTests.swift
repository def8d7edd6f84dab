// SPDX-License-Identifier: MIT

import ClientTestSupport
import Glibc
import Platform
import TestSupport
import Testing

@testable import Commands
@testable import Link

@Suite struct AuthorProgramTests {
    private let directory = TemporaryDirectory()

    private func path(_ own: String?, path: String = "") throws -> String {
        try AuthorProgram(
            DaemonSocket(path: "/s", kind: .user), instance: [], environment: EnvironmentVariables(["PATH": path]),
            own: own
        ).path
    }

    @Test func itIsBesideTodayctlOrInPath() throws {
        let inPath = try directory.script("#!/bin/sh", to: "other/today-author")
        #expect(try path(directory("bin/todayctl"), path: directory("other")) == inPath)
        try directory.script("#!/bin/sh", to: "libexec/todayd/today-author")
        try directory.makeDirectory("bin")
        #expect(
            try path(directory("bin/todayctl"), path: directory("other"))
                == directory("libexec/todayd/today-author"))
        let beside = try directory.script("#!/bin/sh", to: "bin/today-author")
        #expect(try path(directory("bin/todayctl"), path: directory("other")) == beside)
    }

    @Test func aMissingOneSaysWhatToDo() {
        do {
            _ = try path(directory("bin/todayctl"), path: directory("other"))
            Issue.record("found")
        } catch {
            #expect("\(error)".contains("install it, or put its directory into PATH"))
        }
    }

    /// What stands in for today-author, and the error.
    static let impostors = [
        ("exit 2", "are they of one version?"), ("exit 9", "exited with status 9"),
        ("kill -9 $$", "killed by signal 9"),
        ("echo hi", "printed what this todayctl does not understand"),
        ("echo '{}'", "printed what this todayctl does not understand"),
    ]

    @Test(arguments: impostors) func anotherProgramIsAnError(script: String, words: String) throws {
        try directory.script("#!/bin/sh\n\(script)\n", to: "bin/today-author")
        let author = try AuthorProgram(
            DaemonSocket(path: "/s", kind: .user), instance: [], environment: EnvironmentVariables([:]),
            own: directory("bin/todayctl"))
        do {
            _ = try author.once("/f", [])
            Issue.record("no error")
        } catch {
            #expect("\(error)".contains(words), "\(error)")
        }
    }

    /// Whether a service manager answers, the end of systemd-run, and the words of each program that was started.
    static let scopes: [(hasManager: Bool, fails: Bool, words: [String])] = [
        (false, false, ["author --once -- /f"]), (true, true, ["scope", "author --once -- /f"]),
        (true, false, ["scope", "author --delegated --once -- /f"]),
    ]

    @Test(arguments: scopes.indices) func aRunIsHeldWhereAServiceManagerAnswers(index: Int) throws {
        let row = Self.scopes[index]
        let started = directory("started")
        let end = row.fails ? "exit 1" : "shift 6; exec \"$@\""
        let options = "--user --scope --quiet --collect --property=Delegate=yes --"
        let scope = "#!/bin/sh\ncase \"$*\" in '\(options) '*) echo scope >>'\(started)' ;; esac\n\(end)\n"
        try directory.script(scope, to: "path/systemd-run")
        try directory.script("#!/bin/sh\necho author \"$*\" >>'\(started)'\n", to: "bin/today-author")
        try directory.makeDirectory("run/systemd")
        let listener = row.hasManager ? ScriptedService.listen(at: directory("run/systemd/private")) : -1
        defer { close(listener) }
        let variables = ["PATH": "\(directory("path")):/usr/bin:/bin", "XDG_RUNTIME_DIR": directory("run")]
        let author = try AuthorProgram(
            DaemonSocket(path: "/s", kind: .user), instance: [], environment: EnvironmentVariables(variables),
            own: directory("bin/todayctl"))
        #expect(throws: ClientError.self) { _ = try author.once("/f", []) }
        #expect(try directory.read("started") == row.words.map { "\($0)\n" }.joined())
    }

    @Test func theInstanceAndTheSocketArePassedOn() throws {
        let arguments = directory("arguments")
        try directory.script("#!/bin/sh\necho \"$*\" >'\(arguments)'\n", to: "bin/today-author")
        let author = try AuthorProgram(
            DaemonSocket(path: "/s", kind: .given), instance: ["--user"], environment: EnvironmentVariables([:]),
            own: directory("bin/todayctl"))
        #expect(try author.check(["-f"], ["--protocol", "json"]).isEmpty)
        #expect(try directory.read("arguments") == "--check --user --socket /s --protocol json -- -f\n")
        // Nothing is not a report of an import.
        #expect(throws: ClientError.self) { _ = try author.importing("argos", "-d", ["--dry-run"]) }
        #expect(try directory.read("arguments") == "--import argos --user --socket /s --dry-run -- -d\n")
    }
}
