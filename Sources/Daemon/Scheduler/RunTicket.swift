// SPDX-License-Identifier: MIT
import TodayModel

/// One run of one widget, waiting for its place or in progress.
package struct RunTicket: Hashable, Sendable {
    /// Counts up over all widgets. Given when the run is planned, so that a request which has to wait can already be
    /// told apart from all others.
    package let run: UInt64
    package let widget: WidgetID
    package internal(set) var reason: RunReason
    package internal(set) var errand: Errand?
}

/// What is known at start about content from before it: how old it is by the wall clock, and when it asked to be renewed.
package struct LastGood: Hashable, Sendable {
    package var age: TimeSpan
    package var nextAsk: NextAsk?

    package init(age: TimeSpan, nextAsk: NextAsk? = nil) {
        self.age = age
        self.nextAsk = nextAsk
    }
}

/// The answer to a request, and the run whose end will complete it.
package struct Reception: Hashable, Sendable {
    package var answer: UpdateAnswer
    /// Nil when nothing will follow.
    package var run: UInt64?
}
