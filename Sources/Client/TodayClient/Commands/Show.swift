// SPDX-License-Identifier: MIT

import Arguments
import JSON
import Rendering
import TodayModel

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

    let ids: [String]
    let point: ExtensionPoint?
    let order: ItemOrder
    let extras: TodayPage.Extras
    let form: OutputForm
    let follows: Bool
    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) throws {
        self.init(arguments, follows: arguments.has("follow"))
    }

    init(_ arguments: ParsedArguments, follows: Bool) {
        ids = arguments.positionals("ID")
        point = arguments.extensionPoint
        order = arguments.order
        extras = TodayPage.Extras(
            numbers: arguments.has("numbers"), commands: !ids.isEmpty, whole: !ids.isEmpty || arguments.has("all"))
        form = arguments.outputForm ?? (arguments.has("json") ? .json : .terminal)
        self.follows = follows
        self.arguments = arguments
    }

    var call: ServiceCall { .show(ids, at: point) }

    func run(in context: CommandContext) throws -> ExitCode {
        if follows {
            let isOnScreen = context.output.isLive && !context.output.isJSON
            return isOnScreen ? try WatchLoop(self, in: context).run() : try LiveShow(self, in: context).run()
        }
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
        let reply = try context.service.call(call)
        // The document is the one that todayd sent, also where this version cannot read all of it.
        if form == .json {
            let reply = sorted(reply)
            return Shown([], json: JSON.object(reply).pretty)
        }
        let items = try context.service.translated { try reply.items("items") }
        return Shown(order.sorted(items, at: WallTime.now), extras: extras, json: "")
    }

    /// The command that prints all lines, for the last line of a screen that is too small. It omits `--socket`, whose path
    /// is too long for that line.
    var commandForAll: String {
        var words = ["todayctl"] + ["user", "system"].filter { arguments.has($0) }.map { "--\($0)" }
        words.append("show")
        if let point { words += ["--point", point.name] }
        return (words + (ids.isEmpty ? ["--all"] : ids)).joined(separator: " ")
    }

    /// The lines of the view.
    func lines(_ items: [Item], _ presentation: Presentation) -> [StyledLine] {
        TodayPage(order.sorted(items, at: presentation.now), presentation, extras).lines
    }

    /// The reply with its items sorted.
    func sorted(_ reply: JSONObject) -> JSONObject {
        guard order != .order, let items = reply["items"]?.arrayValue else { return reply }
        var reply = reply
        reply["items"] = .array(order.sorted(items, at: WallTime.now))
        return reply
    }
}

/// The view, which is redrawn when it changes.
struct Watch: ControlCommand {
    static let command = Command(
        "watch", summary: "keep the Today view on the screen, and use the widgets there",
        description: """
            On a terminal the view stays until q or Ctrl-C, up to date. The arrow keys and j and k select a widget; Enter \
            presses what it offers or shows more of it, o opens, u updates, h hides, e edits the view with its hidden \
            widgets, J and K move the widget, / filters, and ? lists all keys. The mouse selects and presses, too.

            Where standard input is no terminal there are no keys. Elsewhere every widget is printed \
            again when it changes; with --json one object a line, first everything, then what has changed and what has left. \
            When todayd restarts, so does the view.
            """,
        options: [.point, .sort, .numbers, .all], positionals: [.widget(isOptional: true, isRepeating: true)],
        exclusiveOptions: [["json", "numbers"]],
        examples: [
            .init("todayctl watch", "The Today view."),
            .init("todayctl watch disk load", "Two widgets, also where they are hidden."),
        ])

    let show: Show

    init(_ arguments: ParsedArguments) throws {
        show = Show(arguments, follows: true)
    }

    func run(in context: CommandContext) throws -> ExitCode { try show.run(in: context) }
}
