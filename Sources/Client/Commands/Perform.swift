// SPDX-License-Identifier: MIT

import Arguments
import Console
import Link
import Rendering
import TodayModel

/// Presses a button, a link or an item.
struct PerformAction: ControlCommand {
    static let command = Command(
        "perform", summary: "press a button or an item of a widget",
        description: """
            ACTION is the name of the button's action, as in 'todayctl show --json ID'; or its number, as in 'todayctl \
            show --numbers ID'; or its title. Without it, the command presses the only thing that the widget offers, \
            or lists them if there are several. What the widget then asks to open is opened with xdg-open; if that \
            fails, the exit status is 8.

            A link is opened. The command of an item is executed by todayctl, as the user who calls it, with the \
            settings of the widget as variables and in the working directory of the widget. todayd allows this only if \
            the manifest has AllowsCommands=yes, as plugins do. A command that needs a terminal gets this one, or the \
            one that $TERMINAL names, or one that is installed. The exit status is 8 if the command fails. If the item \
            asks for it, the widget is updated afterwards.
            """,
        options: [.noOpen, .locked],
        positionals: [
            .widget(.pressable),
            Positional(
                "ACTION", isOptional: true, completion: CompletionKind.actions.completion,
                help: "The button's action, its number or its title, or the text beside it"),
        ],
        examples: [.init("todayctl perform todo 1", "Presses what 'todayctl show --numbers todo' shows as 1.")])

    let id: String
    let word: String?
    private let opens: Bool
    private let isLocked: Bool

    init(_ arguments: ParsedArguments) {
        id = arguments.word("ID")
        word = arguments.positional("ACTION")
        opens = !arguments.has(Option.noOpen.long)
        isLocked = arguments.has(Option.locked.long)
    }

    /// Sends the word as the name of an action first, so that an action named `2` wins over the second button. Only if todayd
    /// refuses that, it looks for the word among the numbers and the titles.
    func run(in context: CommandContext) throws -> ExitCode {
        let touch = TargetTouch(opens: opens, isLocked: isLocked, context)
        guard let word else { return try pressOnlyTarget(with: touch, in: context) }
        do {
            return try touch.press(word, of: id)
        } catch let refusal as ClientError where refusal.isRefusal {
            let item = try context.item(id)
            let choice = TargetChoice(item)
            switch choice.pressed(word) {
            case .one(let target) where target.action == word: throw refusal
            case .one(let target): return try touch.perform(target, of: item)
            case .several(let numbers): throw choice.ambiguous(word, numbers)
            case .none: throw choice.unknown(word, verb: "press", Array(1..<choice.targets.count + 1))
            }
        }
    }

    private func pressOnlyTarget(with touch: TargetTouch, in context: CommandContext) throws -> ExitCode {
        let choice = TargetChoice(try context.item(id))
        guard let first = choice.targets.first else { throw choice.unknown(nil, verb: "press", []) }
        let numbers = Array(1..<choice.targets.count + 1)
        guard choice.targets.allSatisfy({ $0.hasSameEffect(as: first) }) else {
            throw choice.unknown(nil, verb: "press", numbers)
        }
        return try touch.perform(first, of: choice.item)
    }
}
