// SPDX-License-Identifier: MIT

import Glibc
import Platform
import Rendering
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import Console
@testable import Link

/// What is started for a command of an item.
@Suite struct CommandExecutionTests {
    private let directory = TemporaryDirectory()

    init() throws {
        try directory.script("#!/bin/sh", to: "work/tool")
        try directory.script("#!/bin/sh", to: "home/tool")
        try directory.script("#!/bin/sh", to: "bin/named")
        try directory.script("#!/bin/sh", to: "other/named")
        try directory.write("", to: "work/plain")
    }

    private func execution(
        _ words: [String], terminal: Bool = false, here: Bool = false, own: [String: String] = [:],
        launch variables: [String: String] = [:], in name: String = "work"
    ) -> CommandExecution {
        var environment = ["PATH": directory("bin"), "HOME": directory("home")]
        for (name, value) in own { environment[name] = value }
        return CommandExecution(
            View.Command(words, isInTerminal: terminal),
            CommandLaunch(directory: directory(name), environment: variables), EnvironmentVariables(environment),
            hasTerminal: here)
    }

    private func reason(_ execution: CommandExecution) -> String? {
        do throws(ClientError) {
            _ = try execution.plan()
            return nil
        } catch {
            return error.description
        }
    }

    @Test func aProgramIsFoundByPathOrByName() throws {
        let table: [(word: String, path: String)] = [
            ("./tool", "work/./tool"), ("../bin/named", "work/../bin/named"), ("~/tool", "home/tool"),
            ("named", "bin/named"), (directory("home/tool"), "home/tool"),
        ]
        for (word, path) in table {
            let plan = try execution([word, "~/tool", "a b"]).plan()
            // Only the program is looked for: the other words are its own business.
            #expect(plan.path == directory(path) && plan.arguments == ["~/tool", "a b"], "\(word)")
        }
    }

    @Test func theVariablesOfTheWidgetWin() throws {
        let variables = ["PATH": directory("other"), "HOME": directory("work"), "TOKEN": "x"]
        let plan = try execution(["named"], launch: variables).plan()
        #expect(plan.path == directory("other/named") && plan.environment == variables)
        #expect(try execution(["~/tool"], launch: variables).plan().path == directory("work/tool"))
        #expect(plan.directory == directory("work"))
    }

    @Test func whatCannotBeExecutedIsSaid() {
        let table: [(CommandExecution, String)] = [
            (execution(["tool"]), "there is no program 'tool' in \(directory("bin"))"),
            (execution([""]), "there is no program '' in"), (execution([]), "there is no program '' in"),
            (execution(["echo hi; read"]), "; the whole text is the name of one program, and no shell reads it"),
            (execution(["/bin/echo hi"]), "/bin/echo hi does not exist; the whole text is the name of one program"),
            (execution(["./gone"]), "work/./gone does not exist"), (execution(["./plain"]), "(chmod +x)"),
            (execution(["/"]), "/ is a directory"), (execution(["~user/tool"]), "work/~user/tool does not exist"),
            (execution(["named"], in: "none"), "there is no directory \(directory("none"))"),
            (execution(["named"], terminal: true), "name yours in $TERMINAL"),
        ]
        for (execution, text) in table {
            #expect(reason(execution)?.contains(text) == true, "\(reason(execution) ?? "nothing")")
        }
        #expect(reason(execution(["tool"]))?.contains("no shell reads it") == false, "it is one word")
    }

    /// The user and the process that listen, the user who calls, and whether the words are executed.
    static let listeners: [(listener: (user: UInt32, process: Int32)?, user: UInt32, isAllowed: Bool)] = [
        ((1000, 77), 1000, true), ((1000, 77), 1001, false), ((1000, 77), 0, false), ((0, 1), 1000, false),
        ((0, 77), 0, true), ((0, 1), 0, false), (nil, 1000, false),
    ]

    @Test(arguments: listeners.indices) func onlyTheUsersOwnDaemonHasCommandsExecuted(index: Int) {
        let (listener, user, isAllowed) = Self.listeners[index]
        let who = listener.map { SocketListener(process: $0.process, user: $0.user) }
        #expect((CommandExecution.refusal(of: who, for: user) == nil) == isAllowed)
    }

    @Test func aCommandStaysWhenTodayctlIsInterrupted() throws {
        let plan = try execution(["named"], here: true).plan()
        #expect(plan.hasOwnSession && plan.input == .nothing)
    }

    @Test func aCommandForATerminalGetsTheOneOfTodayctl() throws {
        let plan = try execution(["named", "x"], terminal: true, here: true).plan()
        #expect(!plan.hasOwnSession && plan.input == .descriptor(STDIN_FILENO))
        #expect(plan.path == directory("bin/named") && plan.arguments == ["x"])
    }

    @Test func withoutATerminalOneIsOpened() throws {
        for name in ["xterm", "foot"] { try directory.script("#!/bin/sh", to: "bin/\(name)") }
        let command = execution(["named", "a b"], terminal: true)
        let plan = try command.plan()
        #expect(plan.path == directory("bin/foot") && plan.arguments.prefix(2) == ["/bin/sh", "-c"])
        #expect(plan.arguments.suffix(2) == [directory("bin/named"), "a b"] && plan.hasOwnSession)
        let chosen = try execution(["named"], terminal: true, own: ["TERMINAL": "xterm"]).plan()
        #expect(chosen.path == directory("bin/xterm") && chosen.arguments.first == "-e")
    }

    /// A name that is not installed is no reason to open none.
    static let terminals: [(variable: String?, installed: [String], path: String?, separator: [String])] = [
        (nil, [], nil, []), ("gone", [], nil, []), (nil, ["xterm"], "bin/xterm", ["-e"]),
        ("gone", ["kitty"], "bin/kitty", []), ("mine", ["mine", "foot"], "bin/mine", ["-e"]),
        ("gnome-terminal", ["gnome-terminal"], "bin/gnome-terminal", ["--"]),
        (nil, ["xterm", "xdg-terminal-exec"], "bin/xdg-terminal-exec", []),
    ]

    @Test(arguments: terminals)
    func aTerminalIsChosen(variable: String?, installed: [String], path: String?, separator: [String]) throws {
        for name in installed { try directory.script("#!/bin/sh", to: "bin/\(name)") }
        let environment = EnvironmentVariables(variable.map { ["TERMINAL": $0] } ?? [:])
        let found = TerminalEmulator(environment, search: directory("bin"))
        #expect(found?.path == path.map { directory($0) } && found?.separator ?? [] == separator)
    }
}
