// SPDX-License-Identifier: MIT

import Arguments
import JSON
import TodayModel

/// Presses a button of a widget.
struct PerformAction: ControlCommand {
    static let command = Command(
        "perform", summary: "press a button of a widget",
        description: """
            ACTION is the name of the button's action, which 'todayctl show --json ID' has; or else its number, which \
            'todayctl show --numbers ID' shows; or else its title. What the widget then wants opened is opened with \
            xdg-open; where that fails the exit status is 8.
            """,
        options: [.noOpen],
        positionals: [
            .widget(.pressable),
            Positional(
                "ACTION", completion: Complete.Kind.actions.completion,
                help: "The button's action, its number or its title"),
        ],
        examples: [.init("todayctl perform todo 1", "Presses what 'todayctl show --numbers todo' shows as 1.")])

    let id: String
    let word: String
    private let opens: Bool

    init(_ arguments: ParsedArguments) {
        id = arguments.word("ID")
        word = arguments.word("ACTION")
        opens = !arguments.has(Option.noOpen.long)
    }

    func run(in context: CommandContext) throws -> ExitCode {
        let answer = try context.showAnswer(in: try press(in: context))
        if let url = answer.open, !context.output.isJSON {
            if opens {
                try URLOpener(environment: context.environment).open(url, for: try context.item(answer.id.text))
            } else if !context.output.isQuiet {
                try context.output.print([context.output.presentation.line("to be opened: \(url)")])
            }
        }
        return answer.exitCode
    }

    /// The word is sent as it is first, so that what is called 2 is pressed and not the second; only where todayd finds no
    /// such action it is looked for among the numbers and the titles.
    private func press(in context: CommandContext) throws -> JSONObject {
        do {
            return try context.service.call(call(id, word))
        } catch let refusal as ClientError where refusal.isRefusal {
            let item = try context.item(id)
            let choice = TargetChoice(item)
            switch choice.action(word) {
            case .one(word): throw refusal
            case .one(let action): return try context.service.call(call(item.id.text, action))
            case .several(let numbers): throw choice.ambiguous(word, numbers)
            case .otherKind(let number):
                throw ClientError("\(number) is a link: 'todayctl open \(item.id) \(number)' opens it")
            case .none: throw choice.unknown(word, verb: "press", choice.pressable)
            }
        }
    }

    private func call(_ id: String, _ action: String) -> ServiceCall {
        ServiceCall("PerformAction", ["id": .string(id), "action": .string(action)])
    }
}
