// SPDX-License-Identifier: MIT

import Arguments
import Console
import Glibc
import JSON
import Link
import Platform
import Rendering
import Spelling
import TodayModel

/// Opens the page that today-page(1) serves.
struct Page: ControlCommand {
    static let command = Command(
        "page", summary: "open the Today view in a browser",
        description: """
            Opens the page that today-page serves on this machine, or the page of one widget. If nothing serves it, \
            the error says how to enable it.
            """,
        options: [
            .noOpen,
            Option("port", value: "PORT", help: "The page's port (default 8733)"),
        ],
        positionals: [.widget(isOptional: true)],
        examples: [
            .init("todayctl page", "All widgets."),
            .init("todayctl page disk", "One of them."),
        ])

    static let standardPort: UInt16 = 8_733

    let id: String?
    let port: UInt16
    private let opens: Bool

    init(_ arguments: ParsedArguments) throws {
        id = arguments.positional("ID")
        opens = !arguments.has(Option.noOpen.long)
        guard let text = arguments.value("port") else {
            port = Self.standardPort
            return
        }
        guard let number = UInt16(text), number > 0 else {
            throw UsageError(commands: ["todayctl", "page"], reason: "--port is a number from 1 to 65535")
        }
        port = number
    }

    func run(in context: CommandContext) throws -> ExitCode {
        // The name localhost also means ::1, where another user may listen.
        var url = "http://127.0.0.1:\(port)/"
        if let id { url += "?widget=\(try context.item(id).id.text)" }
        guard LoopbackPort.isListening(port) else {
            throw ClientError(Self.remedy(port, context.service.socket), .unreachable)
        }
        if let owner = LoopbackPort.owner(of: port), owner != geteuid(), owner != 0 {
            throw ClientError(Self.refusal(port, owner: owner), .notPermitted)
        }
        if context.output.isJSON {
            try context.output.print(["url": .string(url)])
        } else if opens {
            try URLOpener(environment: context.environment).open(url)
        } else if !context.output.isQuiet {
            try context.output.print(url)
        }
        return .ok
    }

    static func remedy(_ port: UInt16, _ socket: DaemonSocket) -> String {
        let way =
            switch socket.kind {
            case .user where port == standardPort: "systemctl --user enable --now today-page.socket"
            case .system where port == standardPort: "systemctl enable --now today-page.socket"
            case .user, .system, .given:
                "start one with '\(ShellWords.text(of: ["today-page"] + socket.options + ["--listen", "\(port)"]))'"
            }
        return "no page is served at port \(port): \(way)"
    }

    /// All users share the ports of a machine.
    static func refusal(_ port: UInt16, owner: uid_t) -> String {
        "the user \(owner) serves port \(port): start your page at another one, with 'today-page --listen PORT' or in the socket "
            + "unit, and open it with 'todayctl page --port PORT'"
    }
}
