// SPDX-License-Identifier: MIT

import Console
import JSON
import Link
import Rendering
import TodayModel

/// `todayctl watch --events`: prints the events of the daemon, one per line, until the user ends it.
enum EventLines {
    static func run(in context: CommandContext) throws -> ExitCode {
        let output = context.output
        try context.service.stream(ServiceCall("Monitor")) { reply in
            if output.isJSON {
                for event in try reply.member("events", [JSON].self) { try output.printLine(event) }
            } else {
                let presentation = output.presentation
                var lines: [StyledLine] = []
                for event in try reply.member("events", [Event].self) {
                    lines.append(line(event, clock: ClockTime(event.time), presentation))
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
