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
        "update", summary: "update widgets, or all",
        description: """
            Runs each widget now, or joins the run that is in progress, and waits for the result. The exit status is 5 \
            if an update fails and 6 if one takes longer than --timeout.
            """,
        positionals: [.widget(isOptional: true, isRepeating: true)])

    let calls: [ServiceCall]
    let timeout: TimeSpan

    init(_ arguments: ParsedArguments) throws {
        let ids = arguments.positionals("ID")
        calls = ids.isEmpty ? [.updating(nil)] : ids.map { .updating($0) }
        timeout = try arguments.duration("timeout") ?? .minutes(5)
    }

    func run(in context: CommandContext) throws -> ExitCode {
        var tally = UpdateTally()
        let started = AwakeTime.now
        defer { context.output.clearProgress() }
        // Sends all calls to todayd before it waits for the first answer.
        let streams = calls.map { ReplyStream($0, of: context.service) }
        for stream in streams { try stream.connect() }
        var failure: ClientError?
        for stream in streams {
            defer { stream.close() }
            do {
                guard try read(stream, &tally, since: started, context.output) else { return .timedOut }
            } catch let error as ClientError {
                if streams.count == 1 || error.isAbsence { throw error }
                context.output.clearProgress()
                context.output.warn(error.description)
                failure = failure ?? error
            }
        }
        return failure?.code ?? tally.exitCode
    }

    /// Reads the replies to one call.
    ///
    /// - Returns: false if the time is over.
    private func read(
        _ stream: ReplyStream, _ tally: inout UpdateTally, since started: AwakeTime, _ output: CommandOutput
    ) throws -> Bool {
        while true {
            let left = started + timeout - AwakeTime.now
            if left <= .zero {
                output.clearProgress()
                output.warn("gave up after \(timeout.text)\(tally.unfinishedList)")
                return false
            }
            switch try stream.next(within: min(left, .seconds(1))) {
            case .nothing:
                if output.errorsAreLive && !output.isQuiet {
                    output.showProgress(tally.line(after: AwakeTime.now - started))
                }
            case .end: return true
            case .reply(let reply): try printAnswers(in: reply, &tally, output)
            }
        }
    }

    private func printAnswers(in reply: JSONObject, _ tally: inout UpdateTally, _ output: CommandOutput) throws {
        output.clearProgress()
        var answers: [UpdateAnswer] = []
        do {
            for field in try JSONField(root: .object(reply)).required("answers").array() {
                answers.append(try UpdateAnswer(field))
                // The JSON as received, including fields that this version does not know.
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
        "edit", summary: "begin to edit a widget, or stop",
        description: """
            The widget shows what can be changed, mostly as buttons for 'todayctl perform', which are printed with \
            their numbers. Editing ends with --done or --cancel, or by itself after five minutes without a change.
            """,
        options: [
            Option("done", help: "Stop editing and keep the changes"),
            Option("cancel", help: "Stop editing and discard the changes"),
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

/// The answers to an update so far.
struct UpdateTally {
    private var order: [WidgetID] = []
    private var answers: [WidgetID: UpdateAnswer] = [:]

    /// Records new answers and returns those to print. A deferred widget is printed only if it is the only one.
    mutating func apply(_ new: [UpdateAnswer]) -> [UpdateAnswer] {
        for answer in new {
            if answers.updateValue(answer, forKey: answer.id) == nil { order.append(answer.id) }
        }
        return new.filter { $0.isFinal || ($0.answer == .deferred && order.count == 1) }
    }

    private var unfinished: [WidgetID] { order.filter { answers[$0]?.isFinal == false } }

    /// For an error message: the widgets that have not finished.
    var unfinishedList: String {
        let names = unfinished.prefix(3).map(\.text).joined(separator: ", ")
        if names.isEmpty { return "" }
        return "; not finished: \(names)" + (unfinished.count > 3 ? " and \(unfinished.count - 3) more" : "")
    }

    /// The progress, for the last line of a terminal.
    func line(after elapsed: TimeSpan) -> String {
        let seconds = elapsed.microseconds / 1_000_000
        let done = order.count - unfinished.count
        let waiting = unfinished.first.map { ", waiting for \($0)" } ?? ""
        return "\(done) of \(order.count) updated\(waiting) (\(seconds) s)"
    }

    /// The exit code after the last reply.
    var exitCode: ExitCode {
        order.compactMap { answers[$0]?.exitCode }.max { $0.rawValue < $1.rawValue } ?? .ok
    }
}
