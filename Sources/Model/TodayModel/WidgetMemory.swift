// SPDX-License-Identifier: MIT

/// What is remembered of a widget besides its content, over the end of its process and of the daemon.
package struct WidgetMemory: Hashable, Sendable {
    /// The largest display mode that it has chosen for itself; nil leaves that to its manifest.
    package var largestMode: DisplayMode?
    /// What its last successful update was made from.
    package var seen: Premises?
    /// Its last update failed and asked for this time: a restart of the daemon does not make it come sooner.
    package var notBefore: WallTime?
    /// What that failed update was made from.
    package var tried: Premises?
    /// When its last successful update wanted to be asked next, on the wall; nil leaves that to the interval.
    package var nextAsk: NextAsk?

    package init(
        largestMode: DisplayMode? = nil, seen: Premises? = nil, notBefore: WallTime? = nil, tried: Premises? = nil,
        nextAsk: NextAsk? = nil
    ) {
        self.largestMode = largestMode
        self.seen = seen
        self.notBefore = notBefore
        self.tried = tried
        self.nextAsk = nextAsk
    }

    /// Takes what became of an update.
    ///
    /// - Parameter premises: what it was made from.
    package mutating func take(_ outcome: RunOutcome, from premises: Premises? = nil) {
        guard !outcome.isErrand else { return }
        let ended = outcome.started + outcome.duration
        let ask: NextAsk? =
            switch outcome.nextAsk {
            case .wait(let span)?: .date(ended + span)
            case let other: other
            }
        (notBefore, tried) = (nil, nil)
        switch outcome.result {
        case .failed: if case .date(let date)? = ask { (notBefore, tried) = (date, premises) }
        case .newData, .noData: nextAsk = ask
        }
    }
}
