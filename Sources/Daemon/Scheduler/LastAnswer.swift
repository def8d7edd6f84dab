// SPDX-License-Identifier: MIT
import TodayModel

/// When a widget's last update succeeded, and how long its answer stays fresh.
struct LastAnswer: Hashable, Sendable {
    /// On the clock that stops during sleep.
    let awake: AwakeTime
    /// On the clock that goes on during sleep; nil if that time is not known.
    let boot: BootTime?
    /// When the answer asked to be renewed; nil leaves that to the interval.
    let nextAsk: NextAsk?
    /// How old the answer may become before it is stale; nil if it never becomes stale.
    private(set) var staleAge: TimeSpan?

    /// An answer that arrives now.
    init(_ nextAsk: NextAsk?, _ cadence: Cadence, now: Moment) {
        awake = now.awake
        boot = now.boot
        self.nextAsk = nextAsk
        staleAge = cadence.staleAge(nextAsk, from: now.wall)
    }

    /// An answer that the daemon had stored before it started.
    init(_ stored: StoredAnswer, _ cadence: Cadence, now: Moment) {
        staleAge = cadence.staleAge(stored.nextAsk, from: now.wall - stored.age)
        guard stored.age >= .zero else {
            // The answer is from the future, so one of the two clocks was wrong and its age is not known. Treat it as
            // stale until the next one, which is due now.
            awake = now.awake - (staleAge ?? .zero)
            boot = nil
            nextAsk = nil
            return
        }
        awake = now.awake - stored.age
        boot = now.boot - stored.age
        nextAsk = stored.nextAsk
    }

    /// When the answer becomes stale; nil if never.
    var freshUntil: AwakeTime? { staleAge.map { awake + $0 } }

    /// The interval has changed.
    mutating func follow(_ cadence: Cadence, now: Moment) {
        staleAge = cadence.staleAge(nextAsk, from: now.wall - (now.awake - awake))
    }

    /// An interaction has drawn the answer again. The answer may become stale sooner, but not later, because its data is not
    /// newer.
    mutating func redraw(_ nextAsk: NextAsk?, _ cadence: Cadence, now: Moment) {
        staleAge = [staleAge, cadence.staleAge(nextAsk, from: now.wall)].compactMap { $0 }.min()
    }
}

/// The last answer of a widget that the daemon has stored, when the daemon starts.
package struct StoredAnswer: Hashable, Sendable {
    /// By the wall clock; negative if that was set back.
    package var age: TimeSpan
    package var nextAsk: NextAsk?

    package init(age: TimeSpan, nextAsk: NextAsk? = nil) {
        self.age = age
        self.nextAsk = nextAsk
    }
}
