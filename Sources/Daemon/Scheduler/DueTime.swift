// SPDX-License-Identifier: MIT
import TodayModel

/// When a widget is due, and why.
struct DueTime: Hashable, Sendable {
    enum Cause: Hashable, Sendable {
        /// The daemon has started.
        case start
        /// The interval is over, the last answer asked for this time, or the manifest has changed.
        case schedule
        /// The last answer asked for this date. The due time moves when the wall clock is set.
        case date(WallTime)
        /// The last run failed.
        case retry
        /// The last run failed, and the widget stated when to ask again: after some time, or at this date. Runs that are not
        /// requested wait until then.
        case statedWait(until: WallTime?)
        /// The last answer was made from other inputs, or by another program.
        case behind
    }

    var time: BootTime
    /// How long after `time` the run may start, so that one wake-up of the loop serves several widgets.
    var slack = TimeSpan.zero
    let cause: Cause
    /// The machine slept at that time, so the run was put off until some seconds after the sleep.
    private(set) var isAfterSleep = false

    init(_ time: BootTime, slack: TimeSpan = .zero, because cause: Cause) {
        self.time = time
        self.slack = slack
        self.cause = cause
    }
}

// MARK: - What an answer or a failure asks for

extension DueTime {
    /// A date is kept more exactly than an interval.
    static let dateSlack = TimeSpan.milliseconds(500)

    /// Due when the time has passed; nil is never.
    static func after(_ span: TimeSpan?, since start: BootTime, because cause: Cause = .schedule) -> DueTime {
        guard let span else { return DueTime(.never, because: cause) }
        return DueTime(start + span, slack: Cadence.slack(for: span), because: cause)
    }

    /// The due time that an answer at `start` asks for. A date that has passed leaves it to the interval: the timeline has
    /// ended.
    static func askedFor(_ ask: NextAsk, since start: BootTime, _ cadence: Cadence, now: Moment) -> DueTime {
        switch ask {
        case .wait(let span): after(span, since: start)
        case .date(let date) where date <= now.wall: after(cadence.period, since: start)
        case .date(let date): DueTime(now.boot(at: date), slack: dateSlack, because: .date(date))
        case .never: DueTime(.never, because: .schedule)
        }
    }

    /// The due time that a failed widget has stated, which replaces the retry.
    static func stated(_ ask: NextAsk, _ cadence: Cadence, now: Moment) -> DueTime {
        let due = askedFor(ask, since: now.boot, cadence, now: now)
        return DueTime(due.time, slack: due.slack, because: .statedWait(until: due.date))
    }

    /// The due time after a failure without a stated time: sooner than `regular`, never later.
    static func retry(afterFailures count: Int, before regular: DueTime, now: Moment) -> DueTime {
        let delay = Cadence.retryDelay(failuresInARow: count)
        return now.boot + delay < regular.time ? after(delay, since: now.boot, because: .retry) : regular
    }
}

// MARK: - Why

extension DueTime {
    /// What the run is told of why it takes place.
    var reason: RunReason {
        if isAfterSleep { return .wake }
        return switch cause {
        case .start: .boot
        case .schedule, .date: .schedule
        case .retry, .statedWait: .retry
        case .behind: .behind
        }
    }

    /// Whether the widget failed and stated when to ask again.
    var isStatedWait: Bool { if case .statedWait = cause { true } else { false } }

    /// The date for which the widget is due, if it asked for one.
    var date: WallTime? {
        switch cause {
        case .date(let date): date
        case .statedWait(let date): date
        case .start, .schedule, .retry, .behind: nil
        }
    }
}

// MARK: - Jumps of the clocks

extension DueTime {
    /// Puts a run off that was due while the machine slept.
    mutating func putOff(to time: BootTime) {
        self.time = time
        slack = .milliseconds(100)
        isAfterSleep = true
    }

    /// Computes the time anew from the date. Returns false if the widget is not due for a date.
    mutating func followDate(_ now: Moment) -> Bool {
        guard let date else { return false }
        time = now.boot(at: date)
        return true
    }
}

extension BootTime {
    /// The due time of a widget that asks never to be renewed.
    static let never = BootTime(microseconds: .max)
}
