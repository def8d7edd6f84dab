// SPDX-License-Identifier: MIT

import Arguments
import Console
import JSON
import Link
import TodayModel

/// Opens a link of a widget.
struct Open: ControlCommand {
    static let command = Command(
        "open", summary: "open a link of a widget",
        description: """
            LINK is the number of the link as in 'todayctl show --numbers ID', its title or its URL. Without it, the \
            only link that the widget shows is opened; if there are several, they are printed with their numbers, none \
            is opened, and the exit status is 1. todayd decides whether the widget may open it: its manifest must \
            declare the scheme in URLSchemes=.
            """,
        options: [.noOpen, .locked],
        positionals: [.widget(), Positional("LINK", isOptional: true, help: "Its number, its title or its URL")],
        examples: [
            .init("todayctl open feed", "The only link of the widget."),
            .init("todayctl open news 3", "What 'todayctl show --numbers news' shows as 3."),
        ])

    let id: String
    let word: String?
    private let opens: Bool
    private let isLocked: Bool

    init(_ arguments: ParsedArguments) {
        id = arguments.word("ID")
        word = arguments.positional("LINK")
        opens = !arguments.has(Option.noOpen.long)
        isLocked = arguments.has(Option.locked.long)
    }

    func run(in context: CommandContext) throws -> ExitCode {
        let item = try context.item(id)
        let choice = TargetChoice(item)
        switch choice.link(word) {
        case .one(let target):
            guard let url = target.url else {
                let number = word ?? "it"
                throw ClientError("\(number) is not a link: 'todayctl perform \(item.id) \(number)' presses it")
            }
            let call = ServiceCall("OpenURL", ["id": .string(item.id.text), "url": .string(url)])
            _ = try context.service.call(call.whileLocked(isLocked))
            return try finish(url, of: item, in: context)
        case .several(let numbers):
            if let word { throw choice.ambiguous(word, numbers) }
            try print(numbers, of: choice, in: context)
            return .no
        case .none:
            throw choice.unknown(word, verb: "open", choice.openable)
        }
    }

    private func finish(_ url: String, of item: Item, in context: CommandContext) throws -> ExitCode {
        if context.output.isJSON {
            try context.output.print(["url": .string(url)])
        }
        if opens {
            try URLOpener(environment: context.environment).open(url, for: item, of: context.service.listener)
        } else if !context.output.isQuiet, !context.output.isJSON {
            try context.output.print(url)
        }
        return .ok
    }

    private func print(_ numbers: [Int], of choice: TargetChoice, in context: CommandContext) throws {
        if context.output.isJSON {
            let links = numbers.map { number -> JSON in
                let target = choice.targets[number - 1]
                return [
                    "number": .int(Int64(number)), "title": .string(target.title), "url": .string(target.url ?? ""),
                ]
            }
            try context.output.print(["links": .array(links)])
        } else if !context.output.isQuiet {
            for line in choice.list(numbers) { try context.output.print(line) }
        }
    }
}
