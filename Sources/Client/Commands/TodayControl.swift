// SPDX-License-Identifier: MIT

import Arguments
import Bars
import Console
import Glibc
import Link
import Platform
import Rendering
import TodayModel
import Watch

/// The program todayctl: from its arguments to its exit code.
package enum TodayControl {
    static var commands: [any ControlCommand.Type] {
        [
            Show.self, Watch.self, Bar.self, List.self, Update.self, Status.self, Monitor.self, SetHasContent.self,
            HasContent.self, Enable.self, Disable.self, Move.self, Expand.self, Collapse.self, SetLockScreen.self,
            Config.self, PerformAction.self, ClickCommand.self, Open.self, Page.self, Picture.self, Edit.self,
            Push.self,
            Defaults.self, Reload.self,
            Lint.self, Preview.self, Why.self, Get.self, New.self, Import.self, Plugin.self, Completion.self,
            Complete.self, GuardTerminal.self,
        ]
    }

    package static var command: Command {
        Command(
            "todayctl", summary: "show and control the widgets of todayd",
            description: """
                Without a command it shows the Today view, as 'todayctl show' does. Without --user, --system or \
                --socket it talks to the todayd at $TODAYD_SOCKET, else at $TODAY_SOCKET, which is set where a widget \
                calls it, else to the user's own, else to the system's, which \
                is said on standard error to users other than root.

                Exit status: 0 success, 1 the answer is no, 2 wrong usage, 3 todayd cannot be reached, 4 no such widget, 5 \
                an update failed, 6 it took too long, 7 not permitted, 8 any other error.
                """,
            options: [
                Option("user", help: "Talk to the user's own todayd"),
                Option("system", help: "Talk to the system's todayd"),
                Option("socket", value: "PATH", completion: .files, help: "Talk to the todayd at this socket"),
                Option("timeout", value: "TIME", help: "Wait so long for an answer: by default 45s, for updates 5min"),
                Option("json", short: "j", help: "Print JSON, as the protocol has it"),
                Option("quiet", short: "q", help: "Print nothing but errors"),
                Option("color", value: "WHEN", choices: ["auto", "always", "never"], help: "Whether to use colours"),
                Option("width", short: "w", value: "COLUMNS", help: "Draw for so many columns"),
                Option("version", help: "Print the version"),
            ],
            subcommands: commands.map { $0.command }, subcommandIsOptional: true,
            exclusiveOptions: [["user", "system", "socket"], ["json", "quiet"]],
            examples: [
                .init("todayctl show disk", "One widget; the end of its identifier is enough."),
                .init("todayctl set-has-content org.todayd.disk false", "Hides it, until it is set to true again."),
            ],
            advice: advice)
    }

    /// Other words for commands, and what to type instead.
    private static let advice: [String: String] = {
        let hide = "use 'disable ID', until you enable it, or 'set-has-content ID false', until it has content again"
        let show = "use 'enable ID' after 'disable', or 'set-has-content ID true' after 'set-has-content ID false'"
        let words: [(String, [String])] = [
            (hide, ["hide", "remove", "off"]), (show, ["show-again", "unhide", "reveal", "on"]),
            ("did you mean 'update ID'?", ["refresh", "run"]),
            ("did you mean 'perform ID ACTION'?", ["press", "tap"]),
            ("did you mean 'status ID'?", ["log", "logs"]),
            ("did you mean 'lint FILE'?", ["check", "validate", "verify"]),
            ("did you mean 'preview FILE'?", ["simulate", "simulator", "try"]),
            ("did you mean 'why ID'?", ["explain"]),
            ("did you mean 'get ID history.NAME'?", ["history"]),
            ("did you mean 'new NAME'?", ["add", "create", "init"]),
            ("did you mean 'plugin add FILE'?", ["install", "plugins"]),
            ("did you mean 'import HOST'?", ["migrate", "convert"]),
            ("did you mean 'config ID'?", ["set", "settings", "configure", "preferences"]),
        ]
        return words.reduce(into: [:]) { advice, entry in for word in entry.1 { advice[word] = entry.0 } }
    }()

    /// - Parameter arguments: without the program's name.
    package static func run(
        _ arguments: [String], environment: EnvironmentVariables = .process, output: Int32 = STDOUT_FILENO,
        errors: Int32 = STDERR_FILENO
    ) -> Int32 {
        StandardStreams.fill()
        let root = command
        func end(_ message: String, _ code: ExitCode) -> Int32 {
            CommandOutput.warn(message, environment.charset, to: errors)
            return code.rawValue
        }
        do {
            // `todayctl help show`, as git has it.
            let asked = arguments.first == "help" ? arguments.dropFirst() + ["--help"] : arguments[...]
            let parsed = try root.parse(Array(asked))
            let output = try CommandOutput(parsed, environment: environment, to: output, errors: errors)
            return try run(root, parsed, environment, output).rawValue
        } catch let error as ClientError {
            return end("todayctl: \(error)", error.code)
        } catch let error as UsageError {
            return end("\(error)", .usage)
        } catch {
            return end("todayctl: \(error)", .failed)
        }
    }

    private static func run(
        _ root: Command, _ arguments: ParsedArguments, _ environment: EnvironmentVariables, _ output: CommandOutput
    ) throws -> ExitCode {
        do {
            if arguments.isHelpRequested {
                try output.write(root.help(for: arguments.path, width: output.size.columns))
                return .ok
            }
            if arguments.has("version") {
                try output.print("todayctl \(Version.text)")
                return .ok
            }
            let name = arguments.path.first ?? Show.command.name
            guard let type = commands.first(where: { $0.command.name == name }) else {
                preconditionFailure("the parser accepts only commands there are")
            }
            let socket = DaemonSocket(arguments, environment: environment)
            let service = ServiceClient(socket, environment: environment, timeout: try arguments.timeout()) {
                output.note(DaemonSocket.fallbackNotice)
            }
            return try type.init(arguments).run(
                in: CommandContext(service: service, output: output, environment: environment))
        } catch is CommandOutput.ReaderLeft {
            return .ok
        }
    }
}

extension ParsedArguments {
    /// How long the user wants to wait; nil for as long as the command does by itself.
    func timeout() throws(UsageError) -> TimeSpan? {
        guard let text = value("timeout") else { return nil }
        guard let span = TimeSpan(text), span > .zero else {
            throw UsageError(commands: ["todayctl"], reason: "--timeout: '\(text)' is no time such as 90s or 10min")
        }
        return span
    }
}
