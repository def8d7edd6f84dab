// SPDX-License-Identifier: MIT
import Platform
import TodayModel

/// The interval of one widget, and the times that are derived from it.
struct Cadence: Hashable, Sendable {
    /// Nil is once: the passing of time makes the widget neither run nor stale.
    let interval: TimeSpan?
    /// The interval plus up to a 32nd of it, always the same for one widget, so that widgets with the same interval do not
    /// always start together. Never less than the interval, because some widgets pay for each request.
    let period: TimeSpan?
    /// A stream prints updates itself.
    let isStream: Bool

    init(interval: TimeSpan?, widget: WidgetID, isStream: Bool = false) {
        self.interval = interval
        self.isStream = isStream
        period = interval.map { interval in
            let widest = min(interval / 32, .minutes(5))
            return interval + TimeSpan(microseconds: Self.fraction(of: widget, in: widest.microseconds))
        }
    }

    /// The due time after a run that began at `start`, and how many due times passed during that run.
    func next(after start: BootTime, now: BootTime) -> (due: BootTime, skipped: Int) {
        guard let period else { return (.never, 0) }
        let skipped = max(0, (now - start).microseconds / period.microseconds)
        return (start + period * (skipped + 1), Int(skipped))
    }

    /// The age at which content becomes stale: twice the interval, or twice the time after which the content asked to be
    /// renewed if that is longer; once that time for a stream, which no run delays. Nil if the content asked never to be
    /// renewed, or did not ask and there is no interval.
    func staleAge(_ ask: NextAsk?, from now: WallTime) -> TimeSpan? {
        let times: Int64 = isStream ? 1 : 2
        return switch ask {
        case nil: interval.map { $0 * times }
        case .wait(let span): max(interval ?? .zero, Self.bounded(span)) * times
        case .date(let date): max(interval ?? .zero, date - now) * times
        case .never: nil
        }
    }

    /// How much later than its due time a run may start, so that one wake-up of the loop serves several widgets.
    static func slack(for wait: TimeSpan) -> TimeSpan {
        min(max(wait / 64, .milliseconds(1)), .seconds(5))
    }

    /// 1, 4, 9, 16 … minutes: soon after the first failure, because the network may come up late. A retry comes before the
    /// next regular run or not at all, so failures never make a widget run less often than its interval.
    static func retryDelay(failuresInARow count: Int) -> TimeSpan {
        let count = Int64(min(max(count, 1), 1_000))
        return .minutes(count * count)
    }

    /// The wait that is nearest to the one the widget asked for, within the limits of content.
    static func bounded(_ nextUpdate: TimeSpan) -> TimeSpan {
        min(max(nextUpdate, ContentLimits.nextUpdate.lowerBound), ContentLimits.nextUpdate.upperBound)
    }

    /// A number in 0..<width that depends on the identifier only. One more multiplication spreads the low bits of the hash.
    private static func fraction(of widget: WidgetID, in width: Int64) -> Int64 {
        let hash = StableHash(widget.text.utf8).value
        let spread = (hash ^ (hash >> 32)) &* 0x9e37_79b9_7f4a_7c15
        return Int64(UInt64(max(width, 0)).multipliedFullWidth(by: spread).high)
    }
}

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
