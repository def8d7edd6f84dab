// SPDX-License-Identifier: MIT

import Link
import Rendering
import TodayModel

extension UpdateAnswer {
    /// The exit code if this is the last answer for the widget.
    package var exitCode: ExitCode {
        switch answer {
        case .newData, .noData: .ok
        case .failed, .refused: .updateFailed
        case .started, .joined, .deferred: .timedOut
        }
    }

    package func line(_ presentation: Presentation) -> StyledLine {
        var line = presentation.line(id.text, .bold)
        let (words, style): (String, Style) =
            switch answer {
            case .newData: ("new content", .meaning(.good))
            case .noData: ("nothing new", .plain)
            case .failed: ("failed", .meaning(.critical))
            case .refused: ("refused", .meaning(.critical))
            case .deferred: ("deferred", .meaning(.warning))
            case .started, .joined: ("still running", .meaning(.warning))
            }
        line.append(presentation.printable(": "))
        line.append(presentation.printable(words), style)
        if let reason { line.append(presentation.printable(": \(reason)")) }
        return line
    }
}
