// SPDX-License-Identifier: MIT
import TodayModel

/// What the timetable knows of one widget: its plan, what it does now, when it is due, and its last answer.
struct TimetableEntry: Sendable {
    private(set) var plan: UpdatePlan
    private(set) var cadence: Cadence
    /// Why the widget may not run, as the daemon says: hidden, disabled.
    var daemonObstacle: String?

    var phase = Phase.resting
    /// Runs that begin after the run that waits or is in progress, because they cannot join it.
    var following: [RunTicket] = []

    var due: DueTime
    /// When the current interval began: the start of the last run.
    var base: BootTime
    var lastAnswer: LastAnswer?
    /// The start of the last run of the widget because it was behind.
    var lastBehindRun: BootTime?
    var counts = WidgetActivity()
    /// The programs of a stream.
    var stream = StreamCourse()

    /// What a widget does now. Indirect, because most widgets rest, and a ticket is half of an entry.
    indirect enum Phase: Sendable {
        /// Nothing, until it is due or a run is requested. With an obstacle it keeps resting.
        case resting
        /// A run is planned, and waits for a free place.
        case waiting(RunTicket)
        case running(Running)
    }

    /// A run in progress.
    struct Running: Sendable {
        let ticket: RunTicket
        let started: BootTime
        /// It has given its place to another run; its outcome is being recorded.
        var hasEnded = false
        /// The widget was removed meanwhile: the outcome has no effect.
        var isIgnorable = false
        /// The manifest was changed meanwhile: the widget runs again afterwards.
        var isOutdated = false
    }
}

extension TimetableEntry {
    var waiting: RunTicket? { if case .waiting(let ticket) = phase { ticket } else { nil } }
    var running: Running? { if case .running(let running) = phase { running } else { nil } }

    /// All runs that have not begun.
    var planned: [RunTicket] { [waiting].compactMap { $0 } + following }

    /// Why the widget may not run, in words.
    var obstacle: String? {
        if let daemonObstacle { return daemonObstacle }
        return plan.isPushed ? "no program to run: its content is pushed (Protocol=push)" : nil
    }

    /// Whether the passing of time will make the widget run.
    var awaitsDueTime: Bool {
        guard case .resting = phase else { return false }
        return obstacle == nil && due.time != .never
    }

    /// Whether the last answer is older than UpdateOnAppear=. After a failure, the retry counts instead.
    func isTooOldToAppear(at now: BootTime) -> Bool {
        guard !plan.isStream, let age = plan.updateOnAppear, let answered = lastAnswer?.boot,
            counts.failuresInARow == 0, !due.isStatedWait
        else { return false }
        // `base` is later if the widget has run as an editor since its answer; that run postpones the next one, too.
        return now - max(answered, base) >= age
    }

    /// Whether the widget has no answer, or one that is older than its interval, whatever time that answer asked for.
    func isOlderThanInterval(at now: BootTime) -> Bool {
        guard let answered = lastAnswer?.boot else { return true }
        return plan.interval.map { now - answered >= $0 } ?? false
    }
}

// MARK: - Begin and change

extension TimetableEntry {
    /// - Parameters:
    ///   - stored: the answer that the daemon has.
    ///   - notBefore: the date that the widget stated when it failed before the daemon's start.
    ///   - isStart: the daemon is starting. A widget that is added later is due at once.
    init(
        _ widget: WidgetID, _ plan: UpdatePlan, stored: StoredAnswer?, notBefore: WallTime?, obstacle: String?,
        isStart: Bool, now: Moment
    ) {
        let cadence = Cadence(interval: plan.interval, widget: widget, isStream: plan.isStream)
        let lastAnswer = stored.map { LastAnswer($0, cadence, now: now) }
        self.plan = plan
        self.cadence = cadence
        self.lastAnswer = lastAnswer
        daemonObstacle = obstacle
        base = lastAnswer?.boot ?? now.boot
        let continued = Self.continued(lastAnswer, cadence, now: now)
        if !isStart {
            due = DueTime(min(continued.time, now.boot), because: .schedule)
        } else if let notBefore, notBefore > now.wall {
            due = .stated(.date(notBefore), cadence, now: now)
        } else if plan.stays {
            // No program runs, whatever the previous answer asked for.
            due = DueTime(now.boot, because: .start)
        } else {
            due = continued
        }
    }

    /// The due time that an answer from before the daemon's start asks for. Due now without an answer of known age, and
    /// without an interval: once is once for each start.
    private static func continued(_ answer: LastAnswer?, _ cadence: Cadence, now: Moment) -> DueTime {
        guard let answer, let base = answer.boot, let period = cadence.period else {
            return DueTime(now.boot, because: .start)
        }
        let due = DueTime.askedFor(answer.nextAsk ?? .wait(period), since: base, cadence, now: now)
        // The date has passed since that answer, so the update was missed. A date before the answer asked for nothing.
        if case .date(let date)? = answer.nextAsk, date <= now.wall, date > now.wall - (now.boot - base) {
            return DueTime(now.boot, slack: due.slack, because: .start)
        }
        return due.time <= now.boot ? DueTime(due.time, slack: due.slack, because: .start) : due
    }

    /// Changes the plan. If only times are different, the widget is not run for it: only its due time moves.
    mutating func replacePlan(_ new: UpdatePlan, of widget: WidgetID, now: Moment) {
        guard plan != new else { return }
        var sameButTimes = plan
        sameButTimes.interval = new.interval
        sameButTimes.timeout = new.timeout
        sameButTimes.updateOnAppear = new.updateOnAppear
        plan = new
        cadence = Cadence(interval: new.interval, widget: widget, isStream: new.isStream)
        lastAnswer?.follow(cadence, now: now)
        if sameButTimes != new {
            counts.failuresInARow = 0
            due = DueTime(now.boot, because: .schedule)
            if case .running(var running) = phase {
                running.isOutdated = true
                phase = .running(running)
            }
        } else if due.isStatedWait || lastAnswer?.nextAsk != nil || plan.stays {
            // The time that the widget has asked for is independent of the interval, and a stream is due after its end.
        } else if due.reason == .schedule {
            due = .after(cadence.period, since: base)
        } else if let period = cadence.period {
            due.time = min(due.time, max(now.boot, base + period))
        }
    }
}

// MARK: - The end of a run

extension TimetableEntry {
    /// Counts a run that has ended, and sets the next due time.
    ///
    /// - Parameter stays: the program of a stream runs on.
    mutating func recordEnd(
        of run: Running, _ result: Timetable.RunResult, nextAsk: NextAsk?, age: TimeSpan, stays: Bool, now: Moment
    ) {
        // A manifest that changed during the run says nothing about the program that was started.
        if plan.stays || stays {
            return recordStreamRun(run, result, nextAsk: nextAsk, age: age, stays: stays, now: now)
        }
        counts.runs += 1
        if run.ticket.interaction != nil {
            // An interaction is not an update: the update that was due is still due, and no failure is counted or ended.
            if result == .content, counts.failuresInARow == 0, !due.isStatedWait {
                redraw(nextAsk.map { Self.bounded($0, now: now) }, now: now)
            }
        } else if result == .editorContent {
            recordEditor(run, now: now)
        } else {
            recordUpdate(run, result, nextAsk: nextAsk, now: now)
        }
        if run.isOutdated { due = DueTime(now.boot, because: .schedule) }
    }

    private mutating func recordUpdate(
        _ run: Running, _ result: Timetable.RunResult, nextAsk: NextAsk?, now: Moment
    ) {
        let next = cadence.next(after: run.started, now: now.boot)
        let regular = DueTime(next.due, slack: cadence.period.map(Cadence.slack) ?? .zero, because: .schedule)
        base = run.started
        counts.skipped += next.skipped
        if result == .failure {
            counts.failures += 1
            counts.failuresInARow += 1
            // The wait that the widget states replaces the retry, even if it is longer than the interval.
            due =
                nextAsk.map { .stated($0, cadence, now: now) }
                ?? .retry(afterFailures: counts.failuresInARow, before: regular, now: now)
        } else {
            let ask = nextAsk.map { Self.bounded($0, now: now) }
            counts.failuresInARow = 0
            lastAnswer = LastAnswer(ask, cadence, now: now)
            due = ask.map { .askedFor($0, since: now.boot, cadence, now: now) } ?? regular
        }
    }

    /// What a widget draws while it is edited does not change when it asked to be renewed, nor whether it is failing.
    private mutating func recordEditor(_ run: Running, now: Moment) {
        base = run.started
        guard due.time <= now.boot else { return }
        due = .after(cadence.period, since: run.started)
        let failures = counts.failuresInARow
        if failures > 0 { due = .retry(afterFailures: failures, before: due, now: now) }
    }

    /// An interaction has drawn the answer again. The drawn answer may make the widget due sooner, but not later.
    private mutating func redraw(_ nextAsk: NextAsk?, now: Moment) {
        let drawn =
            nextAsk.map { DueTime.askedFor($0, since: now.boot, cadence, now: now) }
            ?? .after(cadence.period, since: base)
        if drawn.time < due.time { due = drawn }
        lastAnswer?.redraw(nextAsk, cadence, now: now)
    }

    /// No widget is asked more often than once a second, whatever dates its timelines have.
    static func bounded(_ ask: NextAsk, now: Moment) -> NextAsk {
        switch ask {
        case .wait(let span): .wait(Cadence.bounded(span))
        case .date(let date) where date > now.wall: .date(max(date, now.wall + UpdatePlan.shortestInterval))
        case .date, .never: ask
        }
    }
}
