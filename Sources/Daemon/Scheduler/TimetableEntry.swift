// SPDX-License-Identifier: MIT
import TodayModel

/// What the timetable knows of one widget: its plan, when it is due and why, its runs, and its last answer.
struct TimetableEntry: Sendable {
    private(set) var plan: UpdatePlan
    private(set) var cadence: Cadence
    /// Why the widget may not run, as the daemon says: hidden, disabled.
    var daemonObstacle: String?

    /// When the current interval began: the start of the last run.
    private(set) var base: BootTime
    private(set) var due: BootTime
    private(set) var slack = TimeSpan.zero
    private(set) var dueReason = RunReason.schedule
    /// The date for which the widget is due, if it asked for one. `due` changes when the wall clock is set.
    private(set) var askDate: WallTime?
    /// The widget failed and said when to ask again. Runs that are not requested wait until then.
    private(set) var hasStatedWait = false

    var waiting: RunTicket?
    var running: Running?
    /// Runs that begin after the run in progress, because they cannot join it.
    var following: [RunTicket] = []
    /// All runs that have not begun.
    var planned: [RunTicket] { [waiting].compactMap { $0 } + following }

    /// The start of the last run for changed defaults.
    var lastDefaults: BootTime?

    /// When an update last succeeded, on the clock that stops during sleep.
    private(set) var lastGood: AwakeTime?
    /// The same on the clock that goes on during sleep; nil if that time is not known.
    private(set) var lastGoodBoot: BootTime?
    /// How old an answer may be before it is stale; nil is for ever.
    private(set) var staleAge: TimeSpan?
    /// When the last successful update asked to be renewed; nil leaves that to the interval.
    private var ask: NextAsk?
    var counts = WidgetActivity()

    /// A run in progress.
    struct Running: Sendable {
        var ticket: RunTicket
        var started: BootTime
        /// The widget was removed meanwhile: the outcome has no effect.
        var isIgnorable = false
        /// The manifest was changed meanwhile: the widget runs again afterwards.
        var isOutdated = false
    }

    /// Why the widget may not run, in words.
    var obstacle: String? {
        if let daemonObstacle { return daemonObstacle }
        return plan.isPushed ? "no program to run: its content is pushed (Protocol=push)" : nil
    }
}

/// The daemon's last good content of a widget when the daemon starts.
package struct LastGood: Hashable, Sendable {
    /// By the wall clock; negative if that was set back.
    package var age: TimeSpan
    package var nextAsk: NextAsk?

    package init(age: TimeSpan, nextAsk: NextAsk? = nil) {
        self.age = age
        self.nextAsk = nextAsk
    }
}

// MARK: - Begin and change

extension TimetableEntry {
    /// - Parameters:
    ///   - notBefore: the date that the widget stated when it failed before the daemon's start.
    ///   - isStart: the daemon is starting. A widget that is added later is due at once.
    init(
        _ widget: WidgetID, _ plan: UpdatePlan, lastGood: LastGood?, notBefore: WallTime?, obstacle: String?,
        isStart: Bool, now: Moment
    ) {
        self.plan = plan
        cadence = Cadence(interval: plan.interval, widget: widget)
        daemonObstacle = obstacle
        base = now.boot
        due = now.boot
        staleAge = cadence.staleAge(lastGood?.nextAsk, from: now.wall - (lastGood?.age ?? .zero))
        dueReason = .boot
        if let lastGood { restore(lastGood, now: now) }
        if let notBefore, notBefore > now.wall, isStart { setStatedWait(.date(notBefore), now: now) }
        if !isStart {
            due = min(due, now.boot)
            askDate = nil
            slack = .zero
            dueReason = .schedule
        }
    }

    private mutating func restore(_ good: LastGood, now: Moment) {
        let age = good.age
        guard age >= .zero else {
            // The content is from the future, so one of the two clocks was wrong and its age is not known. Keep the
            // widget due now, and its content stale until then.
            lastGood = now.awake - (staleAge ?? .zero)
            return
        }
        lastGood = now.awake - age
        lastGoodBoot = now.boot - age
        ask = good.nextAsk
        base = now.boot - age
        setDue(good.nextAsk ?? .wait(cadence.period), since: base, now: now)
        // The date has passed since that answer, so the update was missed. A date before the answer asked for nothing.
        if case .date(let date)? = good.nextAsk, date <= now.wall, date > now.wall - age { due = now.boot }
        if due <= now.boot { dueReason = .boot }
    }

    /// Changes the plan. If only times are different, the widget is not run for it: only its due time moves.
    mutating func replacePlan(_ new: UpdatePlan, of widget: WidgetID, now: Moment) {
        guard plan != new else { return }
        var sameButTimes = plan
        sameButTimes.interval = new.interval
        sameButTimes.timeout = new.timeout
        sameButTimes.updateOnAppear = new.updateOnAppear
        plan = new
        cadence = Cadence(interval: new.interval, widget: widget)
        let age = lastGood.map { now.awake - $0 } ?? .zero
        staleAge = cadence.staleAge(ask, from: now.wall - age)
        if sameButTimes != new {
            counts.failuresInARow = 0
            makeDue(now)
            running?.isOutdated = true
        } else if hasStatedWait || ask != nil {
            // The time that the widget has asked for holds for every interval.
        } else if dueReason == .schedule {
            setDue(.wait(cadence.period), since: base, now: now)
        } else {
            due = min(due, max(now.boot, base + cadence.period))
        }
    }
}

// MARK: - When it is due

extension TimetableEntry {
    /// Sets the due time that an answer or the interval asks for.
    mutating func setDue(_ ask: NextAsk, since start: BootTime, now: Moment) {
        dueReason = .schedule
        askDate = nil
        hasStatedWait = false
        switch ask {
        case .wait(let span):
            due = start + span
            slack = Cadence.slack(for: span)
        case .date(let date) where date <= now.wall:
            // The timeline has ended, so the interval counts.
            setDue(.wait(cadence.period), since: start, now: now)
        case .date(let date):
            due = now.boot(at: date)
            askDate = date
            slack = Self.dateSlack
        case .never:
            due = .never
            slack = .zero
        }
    }

    /// A date is kept more exactly than an interval.
    static let dateSlack = TimeSpan.milliseconds(500)

    mutating func makeDue(_ now: Moment) { makeDue(at: now.boot, because: .schedule) }

    mutating func makeDue(at time: BootTime, because reason: RunReason) {
        due = time
        askDate = nil
        hasStatedWait = false
        slack = .zero
        dueReason = reason
    }

    /// Makes a widget due after the machine's sleep.
    mutating func makeDueAfterSleep(at time: BootTime) {
        due = time
        slack = .milliseconds(100)
        dueReason = .wake
    }

    /// Computes the due time anew from the date that the widget asked for. Returns false if it asked for none.
    mutating func followDate(_ now: Moment) -> Bool {
        guard let askDate else { return false }
        due = now.boot(at: askDate)
        return true
    }

    /// The widget failed and said when to ask again.
    private mutating func setStatedWait(_ ask: NextAsk, now: Moment) {
        setDue(ask, since: now.boot, now: now)
        hasStatedWait = true
        dueReason = .retry
    }

    private mutating func retry(now: Moment) {
        let delay = Cadence.retryDelay(failuresInARow: counts.failuresInARow)
        if now.boot + delay < due {
            due = now.boot + delay
            dueReason = .retry
            slack = Cadence.slack(for: delay)
        }
    }

    /// Whether the last answer is older than UpdateOnAppear=. After a failure, the retry counts instead.
    func isTooOldToAppear(at now: BootTime) -> Bool {
        guard let age = plan.updateOnAppear, let lastGoodBoot, counts.failuresInARow == 0, !hasStatedWait else {
            return false
        }
        // `base` is later if the widget has run as an editor since its answer; that run postpones the next one, too.
        return now - max(lastGoodBoot, base) >= age
    }
}

// MARK: - The end of a run

extension TimetableEntry {
    /// Counts a run that has ended, and sets the next due time.
    mutating func recordEnd(of run: Running, _ result: Timetable.RunResult, nextAsk: NextAsk?, now: Moment) {
        let ask = nextAsk.map { Self.bounded($0, now: now) }
        counts.runs += 1
        if run.ticket.interaction != nil {
            // An interaction is no update: the update that was due is still due, and no failure is counted or ended.
            if result == .content, counts.failuresInARow == 0, !hasStatedWait { renewEarlier(ask, now: now) }
        } else if result == .editorContent {
            recordEditor(run, now: now)
        } else {
            recordUpdate(run, result, ask: ask, statedWait: nextAsk, now: now)
        }
        if run.isOutdated { makeDue(now) }
    }

    private mutating func recordUpdate(
        _ run: Running, _ result: Timetable.RunResult, ask: NextAsk?, statedWait: NextAsk?, now: Moment
    ) {
        let next = cadence.next(after: run.started, now: now.boot)
        base = run.started
        setDue(.wait(cadence.period), since: run.started, now: now)
        due = next.due
        counts.skipped += next.skipped
        guard result != .failure else { return recordFailure(statedWait: statedWait, now: now) }
        counts.failuresInARow = 0
        lastGood = now.awake
        lastGoodBoot = now.boot
        self.ask = ask
        staleAge = cadence.staleAge(ask, from: now.wall)
        if let ask { setDue(ask, since: now.boot, now: now) }
    }

    /// What a widget draws while it is edited does not change when it asked to be renewed, nor whether it is failing.
    private mutating func recordEditor(_ run: Running, now: Moment) {
        base = run.started
        if due <= now.boot {
            setDue(.wait(cadence.period), since: run.started, now: now)
            if counts.failuresInARow > 0 { retry(now: now) }
        }
    }

    /// An interaction has drawn the answer again. The drawn answer may make the widget due sooner and stale sooner, but not
    /// later, because its data is not newer.
    private mutating func renewEarlier(_ ask: NextAsk?, now: Moment) {
        var drawn = self
        if let ask {
            drawn.setDue(ask, since: now.boot, now: now)
        } else {
            drawn.setDue(.wait(cadence.period), since: base, now: now)
        }
        if drawn.due < due { self = drawn }
        let age = cadence.staleAge(ask, from: now.wall)
        staleAge = [staleAge, age].compactMap { $0 }.min()
    }

    /// The wait that the widget states replaces the back-off, even if it is longer than the interval.
    private mutating func recordFailure(statedWait: NextAsk?, now: Moment) {
        counts.failures += 1
        counts.failuresInARow += 1
        if let statedWait { return setStatedWait(statedWait, now: now) }
        retry(now: now)
    }

    /// No widget is asked more often than once a second, whatever dates its timelines have.
    private static func bounded(_ ask: NextAsk, now: Moment) -> NextAsk {
        switch ask {
        case .wait(let span): .wait(Cadence.bounded(span))
        case .date(let date) where date > now.wall: .date(max(date, now.wall + UpdatePlan.shortestInterval))
        case .date, .never: ask
        }
    }
}

extension BootTime {
    /// The due time of a widget that asks never to be renewed.
    static let never = BootTime(microseconds: .max)
}
