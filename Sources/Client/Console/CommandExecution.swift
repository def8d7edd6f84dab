// SPDX-License-Identifier: MIT

import Files
import Glibc
import JSON
import Link
import Platform
import Rendering
import Spelling
import TodayModel
import Varlink

/// The execution of an item's command, as the user who calls todayctl. todayd says in which directory and with which variables;
/// it executes nothing itself.
package struct CommandExecution {
    package let command: View.Command
    private let launch: CommandLaunch
    private let environment: EnvironmentVariables
    private let hasTerminal: Bool

    /// Asks todayd, which refuses what the manifest does not allow.
    package init(_ command: View.Command, of id: String, isLocked: Bool, in context: CommandContext) throws {
        if let reason = Self.refusal(of: context.service.listener, for: geteuid()) {
            throw ClientError("\(reason) (\(context.service.socket.path))", .notPermitted)
        }
        let words = command.arguments.map(JSON.string)
        let reply: JSONObject
        do {
            let call = ServiceCall("PrepareCommand", ["id": .string(id), "command": .array(words)])
            reply = try context.service.call(call.whileLocked(isLocked))
        } catch let error as ClientError where error.code == .notPermitted {
            throw ClientError(
                "permission denied: commands are executed for the user whose todayd it is, and for no other user",
                .notPermitted)
        }
        let launch = try context.service.translated {
            try CommandLaunch(JSONField(root: .object(reply)))
        }
        let isAtTerminal = isatty(STDIN_FILENO) == 1 && isatty(context.output.descriptor) == 1
        self.init(
            command, launch, context.environment, hasTerminal: isAtTerminal && !context.output.isJSON)
    }

    /// Why a command from a daemon is not executed, whatever that daemon allows: the daemon belongs to another user, or is the
    /// system's, in which any system widget may be the source.
    package static func refusal(of listener: SocketListener?, for user: UInt32) -> String? {
        guard let listener, listener.user == user else {
            return "commands are executed only for the todayd of the user who calls, and this one is another user's"
        }
        // The system's manager listens for the system's todayd.
        return user == 0 && listener.process == 1 ? "commands of the system's todayd are not executed" : nil
    }

    /// - Parameter hasTerminal: whether a command that wants a terminal gets todayctl's.
    package init(
        _ command: View.Command, _ launch: CommandLaunch, _ environment: EnvironmentVariables, hasTerminal: Bool
    ) {
        self.command = command
        self.launch = launch
        self.environment = environment
        self.hasTerminal = hasTerminal
    }

    /// The command in the syntax of a shell.
    package var line: String { ShellWords.text(of: command.arguments) }

    // MARK: What is started

    private var isForTodayctlsTerminal: Bool { command.isInTerminal && hasTerminal }

    private func variable(_ name: String) -> String? { launch.environment[name] ?? environment[name] }

    private var search: String { launch.environment["PATH"] ?? environment.programPath }

    package func plan() throws(ClientError) -> SpawnedProgram.Plan {
        if let reason = Paths.isDirectory(launch.directory) ? nil : "there is no directory \(launch.directory)" {
            throw failure(reason)
        }
        var words = [try program()] + command.arguments.dropFirst()
        if command.isInTerminal, !hasTerminal {
            guard let terminal = TerminalEmulator(environment, search: search) else {
                throw failure(
                    "it wants a terminal, and there is none: execute this in one, or name yours in $TERMINAL")
            }
            words = terminal.words(for: words)
        }
        var plan = SpawnedProgram.Plan(words[0], Array(words.dropFirst()))
        plan.directory = launch.directory
        plan.environment = launch.environment
        if isForTodayctlsTerminal { plan.input = .descriptor(STDIN_FILENO) }
        plan.hasOwnSession = !isForTodayctlsTerminal
        return plan
    }

    /// What to do about a missing program whose name is a line for a shell.
    private static func cure(for word: String) -> String {
        word.utf8.contains { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ";") }
            ? "; the whole text is the name of one program, and no shell reads it: 'bash -c' with the text would" : ""
    }

    /// The program: a path, which may be relative to the directory or begin with `~/`, or otherwise a name in `PATH`.
    private func program() throws(ClientError) -> String {
        let word = command.arguments.first ?? ""
        if !word.utf8.contains(UInt8(ascii: "/")) {
            if let found = SpawnedProgram.find(word, in: search) { return found }
            throw failure("there is no program '\(word)' in \(search)\(Self.cure(for: word))")
        }
        var path = word
        if word.hasPrefix("~/"), let home = variable("HOME") { path = home + word.dropFirst() }
        if !path.hasPrefix("/") { path = "\(launch.directory)/\(path)" }
        if let reason = Paths.whyNotExecutable(path) {
            throw failure("\(path) \(reason)\(reason == Paths.doesNotExist ? Self.cure(for: word) : "")")
        }
        return path
    }

    // MARK: Starting it

    /// Executes the command, and waits until it ends.
    ///
    /// - Returns: its exit status, which is 0: any other end is an error.
    package func run(_ output: CommandOutput) throws(ClientError) -> Int32 {
        var plan = try plan()
        plan.output = .descriptor(output.isJSON ? STDERR_FILENO : output.descriptor)
        // As in system(3), Ctrl-C in the terminal is for the command, not for the program that waits for it.
        let before = isForTodayctlsTerminal ? (signal(SIGINT, SIG_IGN), signal(SIGQUIT, SIG_IGN)) : nil
        defer {
            if let before { _ = (signal(SIGINT, before.0), signal(SIGQUIT, before.1)) }
        }
        let ending: SpawnedProgram.Ending
        do throws(SpawnedProgram.Failure) {
            ending = wait(for: try SpawnedProgram(plan), output)
        } catch {
            throw failure("\(error)")
        }
        switch ending {
        case .exited(0): return 0
        case .exited(let status): throw failure("it exited with status \(status)")
        case .killed(let signal): throw failure("it was killed by signal \(signal)")
        }
    }

    /// Says once that it waits: a command that opens a window ends when the window is closed.
    private func wait(for program: SpawnedProgram, _ output: CommandOutput) -> SpawnedProgram.Ending {
        guard !isForTodayctlsTerminal, output.errorsAreLive, !output.isQuiet else { return program.wait() }
        for _ in 0..<50 {
            if let ending = program.endingNow() { return ending }
            usleep(20_000)
        }
        output.note("waiting for the end of \(line); Ctrl-C ends the waiting, and not the command")
        return program.wait()
    }

    private func failure(_ reason: String) -> ClientError {
        ClientError("cannot execute \(PlainText.line(line, upTo: 300)): \(reason)")
    }
}

/// A terminal in a window, for a command that wants one while todayctl has none, because a bar started it.
package struct TerminalEmulator: Equatable {
    package let path: String
    /// The words between the terminal and its program.
    package let separator: [String]

    /// `$TERMINAL`, or otherwise the first that is installed.
    package init?(_ environment: EnvironmentVariables, search: String) {
        if let name = environment["TERMINAL"],
            let path = name.hasPrefix("/") ? name : SpawnedProgram.find(name, in: search)
        {
            self.path = path
            let base = path.split(separator: "/").last.map(String.init) ?? path
            separator = Self.known.first { $0.name == base }?.separator ?? ["-e"]
            return
        }
        for (name, separator) in Self.known {
            guard let path = SpawnedProgram.find(name, in: search) else { continue }
            (self.path, self.separator) = (path, separator)
            return
        }
        return nil
    }

    /// The choice of the desktop and the distribution comes first. The manual page of each says how it takes a program.
    private static let known: [(name: String, separator: [String])] = [
        ("xdg-terminal-exec", []), ("x-terminal-emulator", ["-e"]), ("foot", []), ("kitty", []), ("alacritty", ["-e"]),
        ("ghostty", ["-e"]), ("wezterm", ["start", "--"]), ("konsole", ["-e"]), ("gnome-terminal", ["--"]),
        ("ptyxis", ["--"]), ("kgx", ["--"]), ("xfce4-terminal", ["-x"]), ("urxvt", ["-e"]), ("st", ["-e"]),
        ("xterm", ["-e"]),
    ]

    /// What to start. The window stays until the user has read what the program printed.
    package func words(for command: [String]) -> [String] {
        [path] + separator + ["/bin/sh", "-c", Self.script] + command
    }

    private static let script = """
        "$0" "$@"; status=$?; printf '\\n%s' "It ended with status $status. Enter closes this window."; read -r _; exit $status
        """
}
