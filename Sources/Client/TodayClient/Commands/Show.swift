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
            """,
        options: [
            .point, .sort, .numbers, .all,
            Option("follow", short: "f", help: "Keep the view up to date until Ctrl-C; see 'todayctl watch --help'"),
        ],
        positionals: [.widget(isOptional: true, isRepeating: true)],
        exclusiveOptions: [["json", "numbers"]],
        examples: [
            .init("todayctl show", "The Today view."),
            .init("todayctl show --all", "The same, and no widget is cut."),
            .init("todayctl show --sort=relevance", "What matters most now first."),
            .init("todayctl show disk --json", "What a program wants to know about one widget."),
        ])

    let ids: [String]
    let point: ExtensionPoint?
    let order: ItemOrder
    let extras: TodayPage.Extras
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
        self.follows = follows
        self.arguments = arguments
    }

    var call: ServiceCall { .show(ids, at: point) }

    func run(in context: CommandContext) throws -> ExitCode {
        if follows { return try LiveShow(self, in: context).run() }
        let reply = try context.service.call(call)
        let output = context.output
        if output.isJSON {
            try output.print(.object(sorted(reply)))
        } else if !output.isQuiet {
            let items = try context.service.translated { try reply.items("items") }
            try output.print(lines(items, output.presentation))
        }
        return .ok
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
        if items.isEmpty {
            return [
                presentation.line(
                    "Nothing to show. 'todayctl list' has all widgets, 'todayctl status ID' says why one is", .dim),
                presentation.line(
                    "not shown, and 'todayctl status' in which directories manifests are looked for.", .dim),
            ]
        }
        return TodayPage(order.sorted(items, at: presentation.now), presentation, extras).lines
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
        "watch", summary: "keep the Today view on the screen, up to date",
        description: """
            On a terminal the view is redrawn when something changes, until Ctrl-C or q. Elsewhere every widget is printed \
            again when it changes; with --json one object a line, first everything, then what has changed and what has left. \
            When todayd restarts, so does the view.
            """,
        options: [.point, .sort, .numbers, .all], positionals: [.widget(isOptional: true, isRepeating: true)],
        exclusiveOptions: [["json", "numbers"]])

    let show: Show

    init(_ arguments: ParsedArguments) throws {
        show = Show(arguments, follows: true)
    }

    func run(in context: CommandContext) throws -> ExitCode { try show.run(in: context) }
}
