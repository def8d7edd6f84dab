// SPDX-License-Identifier: MIT

import Arguments
import Console
import JSON
import Link
import Rendering
import TodayModel

/// The status of the daemon and its widgets, or of one widget.
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

    func lines(_ reply: JSONObject, _ presentation: Presentation) throws(JSONMismatch) -> [StyledLine] {
        let root = JSONField(root: .object(reply))
        var widgets: [WidgetStatus] = []
        for field in try root.required("widgets").array() { widgets.append(try WidgetStatus(field)) }
        let page = StatusPage(presentation)
        if isAboutOne { return widgets.flatMap(page.lines) }
        let daemon = try DaemonStatus(try root.required("daemon"))
        return page.lines(daemon) + (widgets.isEmpty ? [] : [StyledLine()] + page.table(widgets))
    }
}

/// Makes the daemon read its configuration and all manifests again, and prints its complaints.
struct Reload: ControlCommand {
    static let command = Command(
        "reload", summary: "read todayd.conf and all manifests again",
        description: "Changes are picked up by themselves; this waits for it, and prints what is wrong.")

    init(_ arguments: ParsedArguments) {}

    func run(in context: CommandContext) throws -> ExitCode {
        let reply = try context.service.call(ServiceCall("Reload"))
        let output = context.output
        if output.isJSON {
            try output.print(.object(reply))
        } else if !output.isQuiet {
            let presentation = output.presentation
            let count = reply["widgets"]?.intValue ?? 0
            let complaints = reply.strings("complaints").map { presentation.line($0, .meaning(.warning)) }
            try output.print(complaints + [presentation.line("\(count) \(count == 1 ? "widget" : "widgets")")])
        }
        return .ok
    }
}

/// Prints the events of the daemon until the user ends it.
struct Monitor: ControlCommand {
    static let command = Command(
        "monitor", summary: "print what happens, as it happens",
        description: "One line for each event, until Ctrl-C; with --json one object a line.")

    init(_ arguments: ParsedArguments) {}

    func run(in context: CommandContext) throws -> ExitCode {
        let output = context.output
        try context.service.stream(ServiceCall("Monitor")) { reply in
            let root = JSONField(root: .object(reply))
            if output.isJSON {
                for field in try root.required("events").array() { try output.printLine(field.value) }
            } else {
                let presentation = output.presentation
                var lines: [StyledLine] = []
                for field in try root.required("events").array() {
                    let event = try Event(field)
                    lines.append(Self.line(event, clock: ClockTime(event.time), presentation))
                }
                if let lost = reply["lost"]?.intValue, lost > 0 {
                    lines.append(presentation.line("(\(lost) events were not read in time)", .meaning(.warning)))
                }
                try output.print(lines)
            }
            return true
        }
        return .ok
    }

    static func line(_ event: Event, clock: ClockTime, _ presentation: Presentation) -> StyledLine {
        var line = presentation.line("\(clock)  ", .dim)
        let isTrouble = event.kind == .storage
        line.append(presentation.printable(event.kind.rawValue.padded(10)), isTrouble ? .meaning(.warning) : .plain)
        if let id = event.id { line.append(presentation.printable("\(id)  "), .bold) }
        line.append(presentation.printable(event.text))
        return line
    }
}

extension String {
    fileprivate func padded(_ width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - count))
    }
}
