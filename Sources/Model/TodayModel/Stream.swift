// SPDX-License-Identifier: MIT
import JSON

/// The programs of a stream since the daemon has started.
package struct StreamStatus: Hashable, Sendable {
    package var isRunning = false
    /// When the newest program was started.
    package var started: WallTime?
    /// How often a program was started after the first one.
    package var restarts = 0
    /// Why the last program ended, as text.
    package var lastEnd: String?
    package var lastEndAt: WallTime?
    /// How many updates were taken.
    package var updates = 0

    package init() {}
}

/// The end of a stream's program after its first update, or after the time for that.
package struct StreamEnd: Sendable {
    /// The outcome from the start of the program to its end: `failed`, or `noData` if its exit status is not a failure.
    package let outcome: RunOutcome
    /// Why the daemon has ended the program, which has not failed; nil if it ended by itself.
    package let cause: String?

    package init(_ outcome: RunOutcome, cause: String? = nil) {
        self.outcome = outcome
        self.cause = cause
    }

    package var words: String {
        if let cause { return cause }
        if case .failed(let reason) = outcome.result { return reason }
        return outcome.exit ?? "it has ended"
    }
}

extension StreamStatus: WireObject {
    package static var blank: Self { StreamStatus() }

    package mutating func list(_ members: inout WireMembers) {
        members("running", &isRunning)
        members("restarts", &restarts)
        members("updates", &updates)
        members("started", &started)
        members("lastEnd", &lastEnd)
        members("lastEndAt", &lastEndAt)
    }
}
