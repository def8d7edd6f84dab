// SPDX-License-Identifier: MIT

import Arguments
import JSON
import Platform
import TodayModel

/// Opens the page that today-page(1) serves.
struct Page: ControlCommand {
    static let command = Command(
        "page", summary: "open the Today view in a browser",
        description: """
            Opens the page that today-page serves on this machine, or that of one widget. Where nothing serves it, says how to \
            enable it.
            """,
        options: [
            .noOpen,
            Option("port", value: "PORT", help: "The page's port, where it is another than 8733"),
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
        var url = "http://localhost:\(port)/"
        if let id { url += "?widget=\(try context.item(id).id.text)" }
        guard LoopbackPort.isListening(port) else { throw ClientError(Self.remedy(port), .unreachable) }
        if context.output.isJSON {
            try context.output.print(["url": .string(url)])
        } else if opens {
            try URLOpener(environment: context.environment).open(url)
        } else if !context.output.isQuiet {
            try context.output.print(url)
        }
        return .ok
    }

    static func remedy(_ port: UInt16) -> String {
        "no page is served at port \(port): "
            + (port == standardPort
                ? "systemctl --user enable --now today-page.socket" : "start one with 'today-page --listen \(port)'")
    }
}
