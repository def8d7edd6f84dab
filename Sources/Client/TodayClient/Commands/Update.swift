// SPDX-License-Identifier: MIT

import Arguments
import Glibc
import JSON
import TodayModel

/// Has widgets perform their update, and waits for what comes of it.
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
                context.output.complain("gave up after \(timeout.text)\(tally.unfinishedList)")
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
                try take(reply, &tally, context.output)
            }
        }
    }

    private func take(_ reply: JSONObject, _ tally: inout UpdateTally, _ output: Output) throws {
        output.clearProgress()
        var answers: [UpdateAnswer] = []
        do {
            for field in try JSONField(root: .object(reply), isTolerant: true).required("answers").array() {
                answers.append(try UpdateAnswer(field))
                // As it came: a field that this version does not know is there, too.
                if output.isJSON { try output.printLine(field.value) }
            }
        } catch let error as JSONMismatch {
            throw ClientError(error)
        }
        let news = tally.apply(answers)
        if !output.isJSON && !output.isQuiet { try output.print(news.map { $0.line(output.presentation) }) }
    }
}
