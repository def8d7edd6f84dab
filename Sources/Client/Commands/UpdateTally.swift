// SPDX-License-Identifier: MIT

import Console
import Glibc
import Link
import Rendering
import TodayModel

/// The answers to an update so far.
struct UpdateTally {
    private var order: [WidgetID] = []
    private var answers: [WidgetID: UpdateAnswer] = [:]

    /// Records new answers and returns those to print. A deferred widget is printed only where it is the only one.
    mutating func apply(_ new: [UpdateAnswer]) -> [UpdateAnswer] {
        for answer in new {
            if answers.updateValue(answer, forKey: answer.id) == nil { order.append(answer.id) }
        }
        return new.filter { $0.isFinal || ($0.answer == .deferred && order.count == 1) }
    }

    private var unfinished: [WidgetID] { order.filter { answers[$0]?.isFinal == false } }

    /// For an error message: the widgets that have not finished.
    var unfinishedList: String {
        let names = unfinished.prefix(3).map(\.text).joined(separator: ", ")
        if names.isEmpty { return "" }
        return "; not finished: \(names)" + (unfinished.count > 3 ? " and \(unfinished.count - 3) more" : "")
    }

    /// The progress, for the last line of a terminal.
    func line(after elapsed: TimeSpan) -> String {
        let seconds = elapsed.microseconds / 1_000_000
        let done = order.count - unfinished.count
        let waiting = unfinished.first.map { ", waiting for \($0)" } ?? ""
        return "\(done) of \(order.count) updated\(waiting) (\(seconds) s)"
    }

    /// The exit code after the last reply.
    var exitCode: ExitCode {
        order.compactMap { answers[$0]?.exitCode }.max { $0.rawValue < $1.rawValue } ?? .ok
    }
}
