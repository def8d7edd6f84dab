// SPDX-License-Identifier: MIT
import TodayModel

/// One run of one widget, which waits or is in progress.
package struct RunTicket: Hashable, Sendable {
    /// Increases over all widgets. A run gets its number when it is planned, so that a client can wait for it.
    package let run: UInt64
    package let widget: WidgetID
    package internal(set) var reason: RunReason
    package internal(set) var interaction: Interaction?
}

/// The answer to a request for a run.
package struct RequestAnswer: Hashable, Sendable {
    package var answer: UpdateAnswer
    /// The run whose end completes the request; nil if there is none to wait for.
    package var run: UInt64?
}
