// SPDX-License-Identifier: MIT
import TodayModel

/// The rhythm of one widget: its interval, and what is derived from it.
struct Cadence: Hashable, Sendable {
    let interval: TimeSpan
    /// The interval and a little more, up to a 32nd and always the same for one widget: widgets of the same interval
    /// drift apart instead of starting together for ever. Never less than the interval, for the sake of those
    /// who pay per request.
    let period: TimeSpan

    init(interval: TimeSpan, widget: WidgetID) {
        self.interval = interval
        let widest = min(interval / 32, .minutes(5))
        period = interval + TimeSpan(microseconds: Self.fraction(of: widget, in: widest.microseconds))
    }

    /// The next due time of a run that began at `start`, and how many were missed because it took so long.
    func next(after start: BootTime, now: BootTime) -> (due: BootTime, skipped: Int) {
        let skipped = max(0, (now - start).microseconds / period.microseconds)
        return (start + period * (skipped + 1), Int(skipped))
    }

    /// Content which is older than this is stale. One that asked to be renewed late is not stale before, and one that asked
    /// for nothing never is (nil).
    func staleAge(_ ask: NextAsk?, from now: WallTime) -> TimeSpan? {
        switch ask {
        case nil: interval * 2
        case .wait(let span): max(interval, Self.bounded(span)) * 2
        case .date(let date): max(interval, date - now) * 2
        case .never: nil
        }
    }

    /// How much later than due a run may start, so that one wake-up serves several widgets.
    static func slack(for wait: TimeSpan) -> TimeSpan {
        min(max(wait / 64, .milliseconds(1)), .seconds(5))
    }

    /// 1, 4, 9, 16 … minutes: soon after the first failure (the network comes up late), rarely when it lasts.
    static func retryDelay(failuresInARow count: Int) -> TimeSpan {
        let count = Int64(min(max(count, 1), 1_000))
        return .minutes(count * count)
    }

    /// What a widget may ask for. Content that asks for anything else is refused before it gets here.
    static func bounded(_ nextUpdate: TimeSpan) -> TimeSpan {
        min(max(nextUpdate, ContentLimits.nextUpdate.lowerBound), ContentLimits.nextUpdate.upperBound)
    }

    /// A number in 0..<width that depends on the identifier alone. FNV-1a, because Hasher differs from process to
    /// process; its low bits are spread by one multiplication more.
    private static func fraction(of widget: WidgetID, in width: Int64) -> Int64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in widget.text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        hash = (hash ^ (hash >> 32)) &* 0x9e37_79b9_7f4a_7c15
        return Int64(UInt64(max(width, 0)).multipliedFullWidth(by: hash).high)
    }
}
