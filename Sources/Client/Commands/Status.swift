// SPDX-License-Identifier: MIT

import Arguments
import Console
import JSON
import Link
import Rendering
import Spelling
import TodayModel

/// The status of the daemon and its widgets, or of one widget.
struct Status: ControlCommand {
    static let command = Command(
        "status", summary: "tell how todayd and the widgets are, and why",
        description: """
            For a widget, it first explains in sentences, the most important first: what is shown and from where, how \
            old it is, why it is hidden, stale, failing or not run and what changes that, how the last run ended and \
            what it wrote, and what comes next. A table follows with its manifest, its next run, and its last runs \
            with the end of their standard error. With --json the sentences accompany the reply of Status.
            """,
        options: [Option("fleet", help: "Show instead who is in the fleet and who runs what (today-fleet(1))")],
        positionals: [.widget(isOptional: true, isRepeating: true)],
        examples: [.init("todayctl status disk", "The first thing to read, and to send with a report.")])

    let ids: [String]
    let isOfFleet: Bool

    init(_ arguments: ParsedArguments) throws {
        (ids, isOfFleet) = (arguments.positionals("ID"), arguments.has("fleet"))
        if isOfFleet, !ids.isEmpty {
            throw UsageError(commands: ["todayctl", "status"], reason: "--fleet is of all widgets: leave ID out")
        }
    }

    func run(in context: CommandContext) throws -> ExitCode {
        if isOfFleet { return try FleetCommand(context).showStatus() }
        if ids.isEmpty {
            let reply = try context.service.call(ServiceCall("Status"))
            try context.output.answer(.object(reply)) {
                try context.service.translated { try lines(reply, context.output.listing) }
            }
        }
        for (place, id) in ids.enumerated() {
            if place > 0, !context.output.isJSON, !context.output.isQuiet { try context.output.print([StyledLine()]) }
            try explain(id, in: context)
        }
        return .ok
    }

    private func lines(_ reply: JSONObject, _ presentation: Presentation) throws(JSONMismatch) -> [StyledLine] {
        let widgets = try reply.member("widgets", [WidgetStatus].self)
        let page = StatusPage(presentation)
        return page.lines(try reply.member("daemon", DaemonStatus.self))
            + (widgets.isEmpty ? [] : [StyledLine()] + page.table(widgets))
    }

    private func explain(_ id: String, in context: CommandContext) throws {
        let item = try context.item(id)
        var reply = try context.service.call(ServiceCall("Status", ["id": .string(item.id.text)]))
        let output = context.output
        let status = try context.service.translated {
            try WidgetStatus(
                JSONField(root: reply["widgets"]?.arrayValue?.first ?? .null, name: "widgets[0]"))
        }
        let explanation = Explanation(status, item, now: output.presentation.now)
        reply["item"] = item.json
        reply["sentences"] = .array(
            explanation.sentences.map { ["kind": .string($0.kind.rawValue), "text": .string($0.text)] })
        try output.answer(.object(reply)) {
            explanation.lines(output.listing) + [StyledLine()] + StatusPage(output.listing).lines(status)
        }
    }
}

/// Makes the daemon read its configuration and all manifests again, and prints its complaints.
struct Reload: ControlCommand {
    static let command = Command(
        "reload", summary: "read todayd.conf and all manifests again",
        description: "Changes are picked up by themselves; this waits for it, and prints what is wrong.", isHidden: true
    )

    init(_ arguments: ParsedArguments) {}

    func run(in context: CommandContext) throws -> ExitCode {
        let reply = try context.service.call(ServiceCall("Reload"))
        try context.output.answer(.object(reply)) {
            let presentation = context.output.presentation
            let count = reply["widgets"]?.intValue ?? 0
            let complaints = reply.strings("complaints").map { presentation.line($0, .meaning(.warning)) }
            return complaints + [presentation.line(count.counted("widget"))]
        }
        return .ok
    }
}
