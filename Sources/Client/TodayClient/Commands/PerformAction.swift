// SPDX-License-Identifier: MIT

import Arguments
import TodayModel
import Varlink

/// Presses a button of a widget.
struct PerformAction: ControlCommand {
    static let command = Command(
        "perform", summary: "press a button of a widget",
        description: "ACTION is what the button is called in the content; 'todayctl show --json ID' has it.",
        options: [Option("no-open", help: "Do not open what the widget wants opened")],
        positionals: [.widget(), Positional("ACTION", help: "The action of the button")])

    let call: ServiceCall
    private let opens: Bool

    init(_ arguments: ParsedArguments) {
        call = ServiceCall(
            "PerformAction", ["id": .string(arguments.word("ID")), "action": .string(arguments.word("ACTION"))])
        opens = !arguments.has("no-open")
    }

    func run(in context: CommandContext) throws -> ExitCode {
        let reply = try context.service.call(call)
        let answer = try context.showAnswer(in: reply)
        if let url = answer.open, !context.output.isJSON { try open(url, in: context) }
        return answer.exitCode
    }

    /// The daemon has found that the widget may open this; it is opened by whoever pressed the button.
    private func open(_ url: String, in context: CommandContext) throws {
        if opens, URLOpener.open(url) { return }
        try context.output.print([context.output.presentation.line("to be opened: \(url)")])
    }
}
