// SPDX-License-Identifier: MIT

import Arguments
import JSON
import Rendering
import TodayModel

/// How the daemon is, and how its widgets are.
struct Status: ControlCommand {
    static let command = Command(
        "status", summary: "tell how todayd and the widgets are",
        description:
            "With a widget: its manifest, what it shows, its next run, and its last runs with the end of their standard error.",
        positionals: [.widget(isOptional: true)])

    let call: ServiceCall
    let isAboutOne: Bool

    init(_ arguments: ParsedArguments) {
        let id = arguments.positional("ID")
        call = ServiceCall("Status", optional: [("id", id)])
        isAboutOne = id != nil
    }

    func run(in context: CommandContext) throws -> ExitCode {
        let reply = try context.service.call(call)
        let output = context.output
        if output.isJSON {
            try output.print(.object(reply))
        } else if !output.isQuiet {
            try output.print(try context.service.translated { try lines(reply, output.listing) })
        }
        return .ok
    }

    func lines(_ reply: JSONObject, _ presentation: Presentation) throws(JSONMismatch) -> [Line] {
        let root = JSONField(root: .object(reply))
        var widgets: [WidgetStatus] = []
        for field in try root.required("widgets").array() { widgets.append(try WidgetStatus(field)) }
        let page = StatusPage(presentation)
        if isAboutOne { return widgets.flatMap(page.lines) }
        let daemon = try DaemonStatus(try root.required("daemon"))
        return page.lines(daemon) + (widgets.isEmpty ? [] : [Line()] + page.table(widgets))
    }
}
