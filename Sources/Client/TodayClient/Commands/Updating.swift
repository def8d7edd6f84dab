// SPDX-License-Identifier: MIT

import Arguments
import Glibc
import JSON
import Rendering
import TodayModel

/// Updates one widget or all, and waits for the results.
struct Update: ControlCommand {
    static let command = Command(
        "update", summary: "update one widget, or all",
        description: """
            Runs the widget now, or joins the run that is under way, and waits for the result. Exits with 5 when an update \
            fails and with 6 when one takes longer than --timeout.
            """,
        options: [Option("timeout", value: "TIME", help: "How long to wait, by default 5min")],
        positionals: [.widget(isOptional: true)])

    let call: ServiceCall
    let timeout: TimeSpan

    init(_ arguments: ParsedArguments) throws {
        call = ServiceCall("Update", optional: [("id", arguments.positional("ID"))])
        guard let text = arguments.value("timeout") else {
            timeout = .minutes(5)
            return
        }
        guard let span = TimeSpan(text), span > .zero else {
            throw UsageError(
                commands: ["todayctl", "update"], reason: "--timeout: '\(text)' is no time such as 90s or 10min")
        }
        timeout = span
    }

    func run(in context: CommandContext) throws -> ExitCode {
        var tally = UpdateTally()
        let replies = ReplyStream(call, of: context.service)
        let started = AwakeTime.now
        let deadline = started + timeout
        defer { context.output.clearProgress() }
        while true {
            let left = deadline - AwakeTime.now
            if left <= .zero {
                context.output.clearProgress()
                context.output.warn("gave up after \(timeout.text)\(tally.unfinishedList)")
                return .timedOut
            }
            switch try replies.next(within: min(left, .seconds(1))) {
            case .nothing:
                if context.output.errorsAreLive && !context.output.isQuiet {
                    context.output.showProgress(tally.line(after: AwakeTime.now - started))
                }
            case .end:
                return tally.exitCode
            case .reply(let reply):
                try printAnswers(in: reply, &tally, context.output)
            }
        }
    }

    private func printAnswers(in reply: JSONObject, _ tally: inout UpdateTally, _ output: CommandOutput) throws {
        output.clearProgress()
        var answers: [UpdateAnswer] = []
        do {
            for field in try JSONField(root: .object(reply), isTolerant: true).required("answers").array() {
                answers.append(try UpdateAnswer(field))
                // The JSON as it came, with fields that this version does not know.
                if output.isJSON { try output.printLine(field.value) }
            }
        } catch let error as JSONMismatch {
            throw ClientError(error)
        }
        let printed = tally.apply(answers)
        if !output.isJSON && !output.isQuiet { try output.print(printed.map { $0.line(output.presentation) }) }
    }
}

/// Presses a button of a widget, and opens what the widget then wants opened.
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

    /// Sends the word as the name of an action first, so that an action named `2` wins over the second button. Only where
    /// todayd refuses that, looks for the word among the numbers and the titles.
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
            case .update: return try updated(item, in: context)
            case .command(let number, let words): throw choice.command(number, words)
            case .otherKind(let number):
                throw ClientError("\(number) is a link: 'todayctl open \(item.id) \(number)' opens it")
            case .none: throw choice.unknown(word, verb: "press", choice.pressable)
            }
        }
    }

    /// Requests an update, which is all that the item is for, and waits for its end.
    private func updated(_ item: Item, in context: CommandContext) throws -> JSONObject {
        let reply = try context.service.call(ServiceCall("Update", ["id": .string(item.id.text)]))
        guard let answer = reply["answers"]?.arrayValue?.first else { throw ClientError("todayd gave no answer") }
        return ["answer": answer]
    }

    private func call(_ id: String, _ action: String) -> ServiceCall {
        ServiceCall("PerformAction", ["id": .string(id), "action": .string(action)])
    }
}

/// Begins or ends the editing of a widget.
struct Edit: ControlCommand {
    static let command = Command(
        "edit", summary: "begin to edit a widget, or end it",
        description: """
            The widget shows what can be changed, mostly as buttons for 'todayctl perform', which are printed with their \
            numbers. It ends with --done or --cancel, and by itself when nothing is edited for five minutes.
            """,
        options: [
            Option("done", help: "End it: the widget shows again what it has to say"),
            Option("cancel", help: "End it, as if nothing had been changed"),
        ],
        positionals: [.widget(.editable)], exclusiveOptions: [["done", "cancel"]],
        examples: [
            .init("todayctl edit clocks", "Shows what can be changed."),
            .init("todayctl perform clocks 1", "Changes it."), .init("todayctl edit --done clocks", "Keeps it."),
        ])

    let call: ServiceCall
    let begins: Bool

    init(_ arguments: ParsedArguments) {
        let isCancelled = arguments.has("cancel")
        begins = !isCancelled && !arguments.has("done")
        var parameters: JSONObject = ["id": .string(arguments.word("ID")), "editing": .bool(begins)]
        if isCancelled { parameters["cancel"] = true }
        call = ServiceCall("SetEditing", parameters)
    }

    func run(in context: CommandContext) throws -> ExitCode {
        let answer = try context.showAnswer(in: try context.service.call(call))
        let output = context.output
        if begins, answer.exitCode == .ok, !output.isJSON, !output.isQuiet {
            let item = try context.item(answer.id.text)
            try output.print(
                TodayPage([item], output.presentation, .init(numbers: true, commands: true, whole: true)).lines)
        }
        return answer.exitCode
    }
}
