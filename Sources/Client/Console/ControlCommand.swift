// SPDX-License-Identifier: MIT

import Arguments
import JSON
import Link
import Platform
import Rendering
import TodayModel

/// A subcommand of todayctl.
package protocol ControlCommand {
    static var command: Command { get }

    init(_ arguments: ParsedArguments) throws

    func run(in context: CommandContext) throws -> ExitCode
}

/// A command that sends a call for each widget and prints the replies only with `--json`.
package protocol PlainCall: ControlCommand {
    var calls: [ServiceCall] { get }
}

extension PlainCall {
    /// If the call fails for one widget, the others still get theirs.
    package func run(in context: CommandContext) throws -> ExitCode {
        var failure: ClientError?
        for call in calls {
            do {
                let reply = try context.service.call(call)
                if context.output.isJSON { try context.output.print(.object(reply)) }
            } catch let error as ClientError {
                if calls.count == 1 || error.isAbsence { throw error }
                context.output.warn(error.description)
                failure = failure ?? error
            }
        }
        return failure?.code ?? .ok
    }
}

/// What a command runs with: the service, the output and the environment.
package struct CommandContext {
    package let service: ServiceClient
    package let output: CommandOutput
    package let environment: EnvironmentVariables

    package init(service: ServiceClient, output: CommandOutput, environment: EnvironmentVariables) {
        self.service = service
        self.output = output
        self.environment = environment
    }
}

extension CommandContext {
    /// The item of a widget, as todayd shows it now.
    package func item(_ id: String) throws -> Item {
        let reply = try service.call(ServiceCall("Show", ["id": .string(id)]))
        return try service.translated {
            guard let item = try reply.member("items", [Item].self).first else {
                throw ClientError("no widget '\(id)'; 'todayctl list' shows all", .noSuchWidget)
            }
            return item
        }
    }

    /// Prints the answer to a call that ran a widget, and returns it.
    package func showAnswer(in reply: JSONObject) throws -> UpdateAnswer {
        let answer = try service.translated { try reply.member("answer", UpdateAnswer.self) }
        if output.isJSON {
            try output.print(.object(reply))
        } else if !output.isQuiet {
            try output.print([answer.line(output.presentation)])
        }
        return answer
    }
}

// MARK: - Arguments of several commands

extension Positional {
    /// The identifier of a widget, or the end of one.
    ///
    /// - Parameter kind: the widgets that shells offer.
    package static func widget(
        _ kind: CompletionKind = .widgets, isOptional: Bool = false, isRepeating: Bool = false
    ) -> Positional {
        Positional(
            "ID", isOptional: isOptional, isRepeating: isRepeating, completion: kind.completion,
            help: "A widget, such as org.todayd.disk or disk")
    }
}

extension Option {
    package static let sort = Option(
        "sort", value: "WORD", choices: ItemOrder.allCases.map(\.rawValue),
        help: "In the user's order (the default), or by the relevance that the widgets state")
    package static let numbers = Option(
        "numbers", short: "n", help: "Number what can be pressed or opened, starting at 1 in each widget")
    package static let all = Option("all", short: "a", help: "Show all that each widget draws, however long")
    /// The forms in which widgets can be written.
    ///
    /// - Parameter help: what the option does to the command.
    package static func form(_ long: String, short: Character? = nil, help: String) -> Option {
        Option(long, short: short, value: "FORM", choices: OutputForm.allCases.map(\.rawValue), help: help)
    }
    package static let locked = Option(
        "locked", help: "Say that the session is locked, so that no app, link or command is opened")
    package static let noOpen = Option("no-open", help: "Print what would be opened, and do not open it")
    package static let point = Option(
        "point", short: "p", value: "POINT", choices: ExtensionPoint.allCases.map(\.name),
        // The values of the protocol, which --json prints.
        synonyms: ExtensionPoint.allCases.filter { $0.rawValue != $0.name }.map { ($0.rawValue, $0.name) },
        help: "Only the widgets that are shown there")
}

extension ParsedArguments {
    /// The value of a positional that is not optional: the parser reports one that is missing.
    package func word(_ name: String) -> String { positional(name) ?? "" }

    /// The options that name an instance, for another program.
    package var instanceOptions: [String] { ["user", "system"].filter { has($0) }.map { "--\($0)" } }

    /// The value of `Option.sort`.
    package var order: ItemOrder { value("sort").flatMap { ItemOrder(rawValue: $0) } ?? .order }

    /// The value of an option that is a duration; nil if it is not given.
    package func duration(
        _ option: String, of command: String? = nil, atLeast least: TimeSpan? = nil
    ) throws(UsageError) -> TimeSpan? {
        guard let text = value(option) else { return nil }
        if let span = TimeSpan(text), span > .zero, span >= least ?? span { return span }
        let hint = least.map { "at least \($0.text)" } ?? "try 90s or 10min"
        throw UsageError(
            commands: ["todayctl"] + (command.map { [$0] } ?? []),
            reason: "--\(option): invalid duration '\(text)' (\(hint))")
    }

    /// The value of `--output`.
    package var outputForm: OutputForm? { value("output").flatMap { OutputForm(rawValue: $0) } }

    /// The value of `Option.point`.
    package var extensionPoint: ExtensionPoint? { value("point").flatMap { ExtensionPoint(name: $0) } }
}

/// What a shell asks todayctl for, to complete a word.
package enum CompletionKind: String, CaseIterable {
    /// All widgets.
    case widgets
    /// The widgets that can be edited now.
    case editable
    /// The widgets that show a button, a link or an item.
    case pressable
    /// The actions of the widget that the previous word names.
    case actions
    /// Of that widget: the settings that are set, its secrets, and `NAME=VALUE` for the others.
    case settings, secrets, assignments
    /// What may be added, and the settings of what the previous word names.
    case offers, offeredAssignments = "offered-assignments"
    /// The values that the widget has now, the histories of its numbers, and its pictures.
    case facts

    package var completion: ValueCompletion { .asked(rawValue) }
}
