// SPDX-License-Identifier: MIT

import Arguments
import JSON
import Platform
import TodayModel

/// Opens a link of a widget.
struct Open: ControlCommand {
    static let command = Command(
        "open", summary: "open a link of a widget",
        description: """
            LINK is the number of the link as 'todayctl show --numbers ID' has it, its title or its URL. Without it, the only \
            link that the widget shows is opened; where there are several they are printed with their numbers, none is \
            opened, and the exit status is 1. todayd decides whether the widget may open it: its manifest has to declare the \
            scheme in URLSchemes=.
            """,
        options: [.noOpen],
        positionals: [.widget(), Positional("LINK", isOptional: true, help: "Its number, its title or its URL")],
        examples: [
            .init("todayctl open feed", "The only link of the widget."),
            .init("todayctl open news 3", "What 'todayctl show --numbers news' shows as 3."),
        ])

    let id: String
    let word: String?
    private let opens: Bool

    init(_ arguments: ParsedArguments) {
        id = arguments.word("ID")
        word = arguments.positional("LINK")
        opens = !arguments.has(Option.noOpen.long)
    }

    func run(in context: CommandContext) throws -> ExitCode {
        let item = try context.item(id)
        let choice = TargetChoice(item)
        switch choice.url(word) {
        case .one(let url):
            let call = ServiceCall("OpenURL", ["id": .string(item.id.text), "url": .string(url)])
            _ = try context.service.call(call)
            return try finish(url, of: item, in: context)
        case .several(let numbers):
            if let word { throw choice.ambiguous(word, numbers) }
            try print(numbers, of: choice, in: context)
            return .no
        case .command(let number, let words): throw choice.command(number, words)
        case .otherKind(let number), .update(let number):
            throw ClientError("\(number) is no link: 'todayctl perform \(item.id) \(number)' presses it")
        case .none:
            throw choice.unknown(word, verb: "open", choice.openable)
        }
    }

    private func finish(_ url: String, of item: Item, in context: CommandContext) throws -> ExitCode {
        if context.output.isJSON {
            try context.output.print(["url": .string(url)])
        } else if opens {
            try URLOpener(environment: context.environment).open(url, for: item)
        } else if !context.output.isQuiet {
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

/// Opens URLs with xdg-open(1), as the desktop of the user does.
struct URLOpener {
    let environment: EnvironmentVariables

    /// Opens a URL for a widget. The widget must have declared the scheme, even where the daemon has allowed the URL. A URL
    /// with a scheme begins with a letter, so xdg-open reads it neither as an option nor as a path.
    func open(_ url: String, for item: Item) throws(ClientError) {
        if let reason = URLScheme.refusal(of: url, for: item.id, declaring: item.urlSchemes) {
            throw failure(url, reason)
        }
        guard let program else { throw failure(url, "xdg-open is not installed; --no-open prints the URL") }
        let ending: SpawnedProgram.Ending
        do throws(SpawnedProgram.Failure) {
            ending = try SpawnedProgram(.init(program, [url])).wait()
        } catch {
            throw failure(url, "\(error)")
        }
        switch ending {
        case .exited(0): return
        case .exited(let code): throw failure(url, "xdg-open exited with status \(code)\(Self.meanings[code] ?? "")")
        case .killed(let signal): throw failure(url, "xdg-open was killed by signal \(signal)")
        }
    }

    /// xdg-open(1), EXIT CODES.
    private static let meanings: [Int32: String] = [
        3: ": it found no program that opens it", 4: ": the program that opens it has failed",
    ]

    private var program: String? {
        SpawnedProgram.find("xdg-open", in: environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin")
    }

    private func failure(_ url: String, _ reason: String) -> ClientError {
        // Text without a scheme can have any length, so the message omits it.
        ClientError("cannot open \(URLScheme.of(url) == nil ? "what it wants opened" : url): \(reason)")
    }
}
