// SPDX-License-Identifier: MIT

/// What is remembered of a widget besides its content, over the end of its process and of the daemon.
package struct WidgetMemory: Hashable, Sendable {
    /// The largest display mode that it has chosen for itself; nil leaves that to its manifest.
    package var largestMode: DisplayMode?
    /// What its last successful update was made from.
    package var seen: Premises?
    /// Its last update failed and asked for this time: a restart of the daemon does not make it come sooner.
    package var notBefore: WallTime?

    package init(largestMode: DisplayMode? = nil, seen: Premises? = nil, notBefore: WallTime? = nil) {
        self.largestMode = largestMode
        self.seen = seen
        self.notBefore = notBefore
    }

    /// Takes what became of an update.
    package mutating func take(_ outcome: RunOutcome) {
        guard !outcome.isErrand else { return }
        let ended = outcome.started + outcome.duration
        switch (outcome.result, outcome.nextAsk) {
        case (.failed, .wait(let span)?): notBefore = ended + span
        case (.failed, .date(let date)?): notBefore = date
        default: notBefore = nil
        }
    }
}
