// SPDX-License-Identifier: MIT

import Arguments
import Console
import Glibc
import JSON
import Link
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
        positionals: [.widget(isOptional: true)])

    let call: ServiceCall
    let timeout: TimeSpan

    init(_ arguments: ParsedArguments) throws {
        call = .updating(arguments.positional("ID"))
        timeout = try arguments.timeout() ?? .minutes(5)
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
        let step: EditStep = arguments.has("cancel") ? .cancel : arguments.has("done") ? .done : .begin
        begins = step == .begin
        call = .editing(arguments.word("ID"), step)
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
