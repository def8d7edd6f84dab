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
            Shows the visible widgets in the user's order, from their snapshots, without waiting for any program. A \
            widget that you name is shown even if it is hidden, in full, with all that can be done with it. The others \
            get only the rows that they are offered, or with --all everything that they draw.

            With --output all widgets are written once for another program, in UTF-8: html is a page and svg an image; \
            waybar is one object per line, i3bar an array of blocks, prometheus its text format; the other bars get \
            one line or one block. Stale and failing content says so, with its age. The exit status of i3blocks is 33 \
            if a widget is critical. That of nagios is 2 if a widget is critical, otherwise 1 if one is a warning or \
            stale, otherwise 3 if one fails, has no answer or does not run, and otherwise 0; errors other than wrong \
            usage are 3, with the reason on standard output.
            """,
        options: [
            .point, .sort, .numbers, .all, .form("output", short: "o", help: "The form, for people or for a program"),
            Option("follow", short: "f", help: "Keep the view up to date until Ctrl-C; see 'todayctl watch --help'"),
        ],
        positionals: [.widget(isOptional: true, isRepeating: true)],
        exclusiveOptions: [["json", "numbers"], ["json", "output"], ["follow", "output"], ["quiet", "output"]],
        examples: [
            .init("todayctl show", "The Today view."),
            .init("todayctl show --all", "The same, without cutting any widget."),
            .init("todayctl show --sort=relevance", "What matters most now first."),
            .init("todayctl show disk --json", "Everything about one widget, for a program."),
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
        // The document is the one that todayd sent, even if this version cannot read all of it.
        if form == .json {
            let reply = view.sorted(reply)
            return Shown([], json: JSON.object(reply).pretty)
        }
        let items = try context.service.translated { try reply.member("items", [Item].self) }
        return Shown(view.order.sorted(items, at: WallTime.now), extras: view.extras, json: "")
    }
}
