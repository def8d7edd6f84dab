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
            Show.self, Watch.self, Bar.self, Page.self, Menu.self, List.self, Status.self, Get.self, Update.self,
            PerformAction.self,
            Open.self, Add.self, Remove.self, SetHasContent.self, Enable.self, Disable.self, Move.self, Expand.self,
            Collapse.self, Push.self,
            Edit.self, Config.self, Setup.self, Import.self, New.self, Preview.self, Lint.self, Completion.self,
            Reload.self,
            ClickCommand.self, Complete.self, GuardTerminal.self,
        ]
    }

    package static var command: Command { command(with: commands, groups, advice) }

    /// The program with only the command that the first word names: making the others takes a fifth of the time of `show`. Any
    /// other word needs all of them, to suggest what was meant.
    private static func command(for arguments: [String]) -> Command {
        guard let named = commands.first(where: { $0.command.name == arguments.first ?? Show.command.name }) else {
            return command
        }
        return command(with: [named], [], [:])
    }

    private static func command(
        with commands: [any ControlCommand.Type], _ groups: [Command.Group],
        _ advice: @autoclosure () -> [String: String]
    ) -> Command {
        Command(
            "todayctl", summary: "show and control the widgets of todayd",
            description: """
                Without a command it shows the Today view. ID is the identifier of a widget or its end, such as disk. \
                todayctl(1) says which todayd answers, and what an exit status means.
                """,
            options: [
                Option("user", help: "Talk to the user's own todayd"),
                Option("system", help: "Talk to the system's todayd"),
                Option("socket", value: "PATH", completion: .files, help: "Talk to the todayd at this socket"),
                Option(
                    RemoteHost.option, short: "H", value: "HOST",
                    help: "Run the command on another machine, by ssh"),
                Option(
                    "timeout", value: "TIME", help: "How long to wait for an answer (default 45s, for updates 5min)"),
                Option("json", short: "j", help: "Print JSON in the form of the protocol"),
                Option("quiet", short: "q", help: "Print only errors"),
                Option("color", value: "WHEN", choices: ["auto", "always", "never"], help: "Whether to use colours"),
                Option("width", short: "w", value: "COLUMNS", help: "The width to draw for, in columns"),
                .version,
            ],
            subcommands: commands.map { $0.command }, groups: groups, subcommandIsOptional: true,
            exclusiveOptions: [["user", "system", "socket"], ["json", "quiet"]],
            examples: [
                .init("todayctl show disk", "One widget; the end of its identifier is enough.")
            ],
            advice: advice())
    }

    private static let groups: [Command.Group] = [
        .init("See", ["show", "watch", "bar", "page", "menu", "list", "status", "get"]),
        .init("Run", ["update", "perform", "open"]),
        .init("Choose", ["add", "remove", "set-has-content", "enable", "disable", "move", "expand", "collapse"]),
        .init("Fill", ["push", "edit", "config"]),
        .init("Write", ["setup", "import", "new", "preview", "lint"]),
        .init("Shell", ["completion"]),
    ]

    /// Other words for commands, and what to type instead.
    private static let advice: [String: String] = {
        let hide = "use 'disable ID', until you enable it, or 'set-has-content ID false', until it has content again"
        let show = "use 'enable ID' after 'disable', or 'set-has-content ID true' after 'set-has-content ID false'"
        let words: [(String, [String])] = [
            (hide, ["hide", "off"]), (show, ["show-again", "unhide", "reveal", "on"]),
            ("did you mean 'update ID'?", ["refresh", "run"]),
            ("did you mean 'perform ID ACTION'?", ["press", "tap"]),
            ("did you mean 'status ID'?", ["log", "logs"]),
            ("did you mean 'lint FILE'?", ["check", "validate", "verify"]),
            ("did you mean 'preview FILE'?", ["simulate", "simulator", "try"]),
            ("did you mean 'status ID'?", ["why", "explain"]),
            ("did you mean 'get ID has-content'?", ["has-content"]),
            ("did you mean 'get ID image.NAME'?", ["picture"]),
            ("did you mean 'enable --on lock-screen ID', or disable?", ["lock-screen"]),
            ("did you mean 'watch --events'?", ["monitor", "events"]),
            ("did you mean 'config --group GROUP'?", ["defaults"]),
            ("did you mean 'setup'?", ["start", "wizard"]),
            ("did you mean 'get ID history.NAME'?", ["history"]),
            ("did you mean 'new NAME'?", ["create", "init"]),
            ("did you mean 'add WIDGET'?", ["install", "gallery", "offers", "available", "search"]),
            ("did you mean 'remove ID'?", ["delete", "rm", "uninstall"]),
            ("did you mean 'import FILE'?", ["plugin", "plugins"]),
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
        let root = command(for: arguments)
        func end(_ message: String, _ code: ExitCode) -> Int32 {
            CommandOutput.warn(message, environment.charset, to: errors)
            return code.rawValue
        }
        do {
            // `todayctl help show`, as in git.
            let asked = arguments.first == "help" ? arguments.dropFirst() + ["--help"] : arguments[...]
            let parsed = try root.parse(Array(asked))
            if let host = parsed.value(RemoteHost.option) {
                // Otherwise the remote todayctl would go on to another machine.
                let rest = RemoteHost.withoutOption(arguments)
                if try command(for: rest).parse(rest).value(RemoteHost.option) != nil {
                    throw ClientError("--host: write -H HOST once, and apart from other options", .usage)
                }
                return try RemoteHost(host).run(arguments, environment)
            }
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
            let service = ServiceClient(socket, environment: environment, timeout: try arguments.duration("timeout")) {
                output.note(DaemonSocket.fallbackNotice)
            }
            return try type.init(arguments).run(
                in: CommandContext(service: service, output: output, environment: environment))
        } catch is CommandOutput.ReaderLeft {
            return .ok
        }
    }
}
