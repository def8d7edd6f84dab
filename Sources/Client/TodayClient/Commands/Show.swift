// SPDX-License-Identifier: MIT

import Arguments
import Rendering
import TodayModel
import Varlink

/// The Today view, or single widgets.
struct Show: ControlCommand {
    static let command = Command(
        "show", summary: "show the Today view, or single widgets",
        description: """
            The visible widgets in the user's order, from their snapshots: no program is waited for. \
            A widget that is named is shown even when it is hidden.
            """,
        options: [
            .point,
            Option("follow", short: "f", help: "Keep the view up to date until Ctrl-C; see 'todayctl watch --help'"),
        ],
        positionals: [.widget(isOptional: true, isRepeating: true)],
        examples: [
            .init("todayctl show", "The Today view."),
            .init("todayctl show disk --json", "What a program wants to know about one widget."),
        ])

    let ids: [String]
    let point: ExtensionPoint?
    let follows: Bool

    init(_ arguments: ParsedArguments) throws {
        self.init(arguments, follows: arguments.has("follow"))
    }

    init(_ arguments: ParsedArguments, follows: Bool) {
        ids = arguments.positionals("ID")
        point = arguments.extensionPoint
        self.follows = follows
    }

    /// One call for the whole view, or one for each widget named.
    var calls: [ServiceCall] {
        let point = ("point", point?.rawValue)
        if ids.isEmpty { return [ServiceCall("Show", optional: [point])] }
        return ids.map { ServiceCall("Show", optional: [("id", $0), point]) }
    }

    func run(in context: CommandContext) throws -> ExitCode {
        if follows { return try LiveShow(calls, in: context).run() }
        var replies: [JSONObject] = []
        for call in calls { replies.append(try context.service.call(call)) }
        let output = context.output
        if output.isJSON {
            try output.print(Self.merged(replies))
        } else if !output.isQuiet {
            var items: [Item] = []
            for reply in replies { items += try context.service.translated { try reply.items("items") } }
            try output.print(Self.lines(items, output.presentation))
        }
        return .ok
    }

    static func lines(_ items: [Item], _ presentation: Presentation) -> [Line] {
        if items.isEmpty {
            return [
                presentation.line("Nothing to show. 'todayctl list' has the widgets that are hidden,", .dim),
                presentation.line("'todayctl status' the directories that manifests are looked for in.", .dim),
            ]
        }
        return TodayPage(items, presentation).lines
    }

    /// Several replies as one.
    private static func merged(_ replies: [JSONObject]) -> JSON {
        if replies.count == 1 { return .object(replies[0]) }
        return ["items": .array(replies.flatMap { $0["items"]?.arrayValue ?? [] }), "removed": []]
    }
}

/// The view, kept up to date.
struct Watch: ControlCommand {
    static let command = Command(
        "watch", summary: "keep the Today view on the screen, up to date",
        description: """
            On a terminal the view is redrawn when something changes, until Ctrl-C or q. Elsewhere every widget is printed \
            again when it changes; with --json one object a line, first everything, then what has changed and what has left. \
            When todayd restarts, so does the view.
            """,
        options: [.point], positionals: [.widget(isOptional: true, isRepeating: true)])

    let show: Show

    init(_ arguments: ParsedArguments) throws {
        show = Show(arguments, follows: true)
    }

    func run(in context: CommandContext) throws -> ExitCode { try show.run(in: context) }
}
