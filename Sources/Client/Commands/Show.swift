// SPDX-License-Identifier: MIT

import Arguments
import Console
import JSON
import Link
import Rendering
import TodayModel
import Watch

/// The Today view, or single widgets.
struct Show: ControlCommand {
    static let command = Command(
        "show", summary: "show the Today view, or single widgets",
        description: """
            The visible widgets in the user's order, from their snapshots: no program is waited for. \
            A widget that is named is shown even when it is hidden, in full, with what else can be done with it. Of the \
            others each has the rows that it is offered, and with --all those that it draws.

            With --output all widgets are written once for another program, in UTF-8: html is a page and svg an image; \
            waybar is an object a line, i3bar an array of blocks, prometheus its text format; the other bars get one line \
            or one block. What is stale or failing says so, with its age. The exit status of i3blocks is 33 where a widget \
            is critical. That of nagios is 2 where one is critical, else 1 where one is a warning or stale, else 3 where \
            one fails, has no answer or does not run, and else 0; errors but wrong usage are 3, and on standard output.
            """,
        options: [
            .point, .sort, .numbers, .all, .form("output", short: "o", help: "Write it for people or for a program"),
            Option("follow", short: "f", help: "Keep the view up to date until Ctrl-C; see 'todayctl watch --help'"),
        ],
        positionals: [.widget(isOptional: true, isRepeating: true)],
        exclusiveOptions: [["json", "numbers"], ["json", "output"], ["follow", "output"], ["quiet", "output"]],
        examples: [
            .init("todayctl show", "The Today view."),
            .init("todayctl show --all", "The same, and no widget is cut."),
            .init("todayctl show --sort=relevance", "What matters most now first."),
            .init("todayctl show disk --json", "What a program wants to know about one widget."),
            .init("todayctl show disk --output=tmux", "For '#(...)' in the status line of tmux."),
            .init("todayctl show --output=svg > today.svg", "A picture for '<img>'."),
        ])

    let view: ViewRequest
    let form: OutputForm
    let follows: Bool

    init(_ arguments: ParsedArguments) throws {
        view = ViewRequest(arguments)
        form = arguments.outputForm ?? (arguments.has("json") ? .json : .terminal)
        follows = arguments.has("follow")
    }

    func run(in context: CommandContext) throws -> ExitCode {
        if follows { return try Watch(view).run(in: context) }
        let output = context.output
        let shown: Shown
        do {
            shown = try self.shown(in: context)
        } catch let error as ClientError {
            guard let report = form.report(of: error.description) else { throw error }
            try output.write(report.text)
            return ExitCode(rawValue: report.status)
        }
        let presentation = output.presentation
        if !output.isQuiet { try output.write(form.text(of: shown, presentation)) }
        return ExitCode(rawValue: form.exitStatus(of: shown, presentation))
    }

    private func shown(in context: CommandContext) throws -> Shown {
        let reply = try context.service.call(view.call)
        // The document is the one that todayd sent, also where this version cannot read all of it.
        if form == .json {
            let reply = view.sorted(reply)
            return Shown([], json: JSON.object(reply).pretty)
        }
        let items = try context.service.translated { try reply.items("items") }
        return Shown(view.order.sorted(items, at: WallTime.now), extras: view.extras, json: "")
    }
}
