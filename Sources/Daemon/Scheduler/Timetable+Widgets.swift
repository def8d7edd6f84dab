// SPDX-License-Identifier: MIT
import TodayModel

/// Widgets come, change, are hidden and go; runs end. None of these starts anything by itself: `advance` does, after all
/// events of a turn, so that the most urgent of them is first.
extension Timetable {
    /// Adds a widget, or changes the plan of one that is there.
    ///
    /// At start, content from before postpones the first run until its interval is over. A manifest that comes later is
    /// tried at once, like a changed one: its author looks at the result.
    @discardableResult
    package mutating func add(
        _ widget: WidgetID, _ plan: UpdatePlan, lastGood: LastGood? = nil, notBefore: WallTime? = nil,
        obstacle: String? = nil, at now: Moment
    ) -> [Action] {
        guard entries[widget] == nil else {
            replace(widget, plan, at: now)
            entries[widget]?.obstacle = obstacle
            return dropWhatIsHindered(widget, at: now)
        }
        let cadence = Cadence(interval: plan.interval, widget: widget)
        var entry = Entry(
            plan: plan, cadence: cadence, obstacle: obstacle, base: now.boot, due: now.boot,
            staleAge: cadence.staleAge(lastGood?.nextAsk, from: now.wall - (lastGood?.age ?? .zero)))
        entry.dueReason = .boot
        if let lastGood {
            let age = lastGood.age
            if age >= .zero {
                entry.lastGood = now.awake - age
                entry.lastGoodBoot = now.boot - age
                entry.ask = lastGood.nextAsk
                entry.base = now.boot - age
                entry.wait(lastGood.nextAsk ?? .wait(cadence.period), since: entry.base, now: now)
                // A date that has passed since that answer was missed; one from before it was none.
                if case .date(let date)? = lastGood.nextAsk, date <= now.wall, date > now.wall - age {
                    entry.due = now.boot
                }
                if entry.due <= now.boot { entry.dueReason = .boot }
            } else {
                // From the future: one of the two clocks was wrong, so its age is not known. Renew it now, and
                // call it stale until then.
                entry.lastGood = now.awake - (entry.staleAge ?? .zero)
            }
        }
        // What it asked for when it failed before the start.
        if let notBefore, notBefore > now.wall, slept == nil { entry.comeAgain(.date(notBefore), now: now) }
        // After the first look this is no longer the start.
        if slept != nil {
            entry.due = min(entry.due, now.boot)
            entry.askDate = nil
            entry.slack = .zero
            entry.dueReason = .schedule
        }
        if var orphan = orphans.removeValue(forKey: widget) {
            orphan.isIgnorable = true
            entry.running = orphan
        }
        entries[widget] = entry
        settle(widget, now: now)
        return []
    }

    /// A changed interval alone only moves the due time.
    private mutating func replace(_ widget: WidgetID, _ plan: UpdatePlan, at now: Moment) {
        guard var entry = entries[widget], entry.plan != plan else { return }
        var sameButRhythm = entry.plan
        sameButRhythm.interval = plan.interval
        sameButRhythm.timeout = plan.timeout
        sameButRhythm.updateOnAppear = plan.updateOnAppear
        let isOnlyRhythm = sameButRhythm == plan
        entry.plan = plan
        entry.cadence = Cadence(interval: plan.interval, widget: widget)
        let age = entry.lastGood.map { now.awake - $0 } ?? .zero
        entry.staleAge = entry.cadence.staleAge(entry.ask, from: now.wall - age)
        if !isOnlyRhythm {
            entry.counts.failuresInARow = 0
            entry.dueNow(now)
            entry.running?.isOutdated = true
        } else if entry.hasStatedWait || entry.ask != nil {
            // The widget knows better than any interval.
        } else if entry.dueReason == .schedule {
            entry.wait(.wait(entry.cadence.period), since: entry.base, now: now)
        } else {
            entry.due = min(entry.due, max(now.boot, entry.base + entry.cadence.period))
        }
        entries[widget] = entry
        settle(widget, now: now)
    }

    /// Forgets a widget. A run in progress keeps its place until it ends, and then has no effect.
    package mutating func remove(_ widget: WidgetID, at now: Moment) -> [Action] {
        guard let entry = entries.removeValue(forKey: widget) else { return [] }
        ready[widget] = nil
        if let running = entry.running { orphans[widget] = running }
        settle(widget, now: now)
        let planned = [entry.waiting].compactMap { $0 } + entry.following
        return planned.map { .drop($0, reason: "removed") }
    }

    /// Something gets into a widget's way, or out of it. Then it is due at once if its time has passed meanwhile, or if
    /// its last answer is older than its interval, whatever that has asked for, or if it has none.
    package mutating func setObstacle(_ obstacle: String?, of widget: WidgetID, at now: Moment) -> [Action] {
        guard var entry = entries[widget], entry.obstacle != obstacle else { return [] }
        entry.obstacle = obstacle
        if obstacle == nil, entry.due > now.boot, !entry.hasStatedWait {
            let age = entry.lastGoodBoot.map { now.boot - $0 }
            if age.map({ $0 >= entry.plan.interval }) ?? true { entry.dueNow(now) }
        }
        entries[widget] = entry
        return dropWhatIsHindered(widget, at: now)
    }

    package func obstacle(of widget: WidgetID) -> String? { entries[widget]?.obstacle }

    /// Nothing may run any more: drops all that was planned.
    package mutating func stop(because reason: String, at now: Moment) -> [Action] {
        Array(entries.keys).flatMap { setObstacle(reason, of: $0, at: now) }
    }

    /// Forgets the planned runs of a widget that must not run, or cannot because it has no program any more.
    private mutating func dropWhatIsHindered(_ widget: WidgetID, at now: Moment) -> [Action] {
        guard var entry = entries[widget] else { return [] }
        var dropped: [Action] = []
        if let hindrance = entry.hindrance {
            let planned = [entry.waiting].compactMap { $0 } + entry.following
            dropped = planned.map { .drop($0, reason: hindrance) }
            entry.waiting = nil
            entry.following = []
            ready[widget] = nil
        }
        entries[widget] = entry
        settle(widget, now: now)
        return dropped
    }

    package mutating func setConcurrency(_ concurrency: Int) {
        self.concurrency = max(1, concurrency)
    }

    /// A run has ended. False for one whose widget was removed meanwhile: its outcome has no use.
    package mutating func finished(
        _ widget: WidgetID, run: UInt64, _ fruit: Fruit, nextAsk: NextAsk? = nil, at now: Moment
    ) -> Bool {
        if orphans[widget]?.ticket.run == run {
            orphans[widget] = nil
            runningCount -= 1
            return false
        }
        guard var entry = entries[widget], let running = entry.running, running.ticket.run == run else {
            return false
        }
        runningCount -= 1
        entry.running = nil
        if !running.isIgnorable {
            entry.note(running, fruit, nextAsk: nextAsk, now: now)
        }
        if entry.hindrance == nil, !entry.following.isEmpty {
            let ticket = entry.following.removeFirst()
            entry.waiting = ticket
            ready[widget] = Place(urgency: .requested, due: now.boot, run: ticket.run)
        }
        entries[widget] = entry
        settle(widget, now: now)
        return !running.isIgnorable
    }

    /// Content from outside says when to ask the program next. A run that is planned or in progress is newer when it ends,
    /// and then has the say.
    package mutating func ask(_ widget: WidgetID, in span: TimeSpan, at now: Moment) {
        guard let entry = entries[widget], !entry.hasStatedWait else { return }
        // What is behind does not wait for the date of something that was not made from what is new.
        guard entry.dueReason != .defaults, entry.due > now.boot else { return }
        entries[widget]?.wait(.wait(Cadence.bounded(span)), since: now.boot, now: now)
        settle(widget, now: now)
    }
}

extension BootTime {
    /// Later than any time: what is due then does not come by itself.
    static let never = BootTime(microseconds: .max)
}

extension Timetable.Entry {
    /// An answer has said when to ask next, or the interval does.
    fileprivate mutating func wait(_ ask: NextAsk, since start: BootTime, now: Moment) {
        dueReason = .schedule
        askDate = nil
        hasStatedWait = false
        switch ask {
        case .wait(let span):
            due = start + span
            slack = Cadence.slack(for: span)
        case .date(let date) where date <= now.wall:
            // A timeline that has ended says nothing of when to ask next.
            wait(.wait(cadence.period), since: start, now: now)
        case .date(let date):
            due = now.boot(at: date)
            askDate = date
            slack = Timetable.dateSlack
        case .never:
            due = .never
            slack = .zero
        }
    }

    /// Books a run that has ended and sets the next due time.
    fileprivate mutating func note(_ run: Timetable.Running, _ fruit: Timetable.Fruit, nextAsk: NextAsk?, now: Moment) {
        let ask = nextAsk.map { Self.bounded($0, now: now) }
        if run.ticket.errand != nil {
            // What was due is still to come, and whether it will succeed is not known.
            counts.runs += 1
            if fruit == .content, counts.failuresInARow == 0, !hasStatedWait { follow(ask, now: now) }
            if run.isOutdated { dueNow(now) }
            return
        }
        if fruit == .editor { return noteEditor(run, now: now) }
        let next = cadence.next(after: run.started, now: now.boot)
        base = run.started
        wait(.wait(cadence.period), since: run.started, now: now)
        due = next.due
        counts.runs += 1
        counts.skipped += next.skipped
        switch fruit {
        case .content, .confirmation:
            counts.failuresInARow = 0
            lastGood = now.awake
            lastGoodBoot = now.boot
            self.ask = ask
            staleAge = cadence.staleAge(ask, from: now.wall)
            if let ask { wait(ask, since: now.boot, now: now) }
        case .editor: break
        case .nothing:
            noteFailure(statedWait: nextAsk, now: now)
        }
        if run.isOutdated { dueNow(now) }
    }

    /// What a widget draws while it is edited says nothing: what it has asked for, and whether it works, stay as they were.
    private mutating func noteEditor(_ run: Timetable.Running, now: Moment) {
        counts.runs += 1
        base = run.started
        if due <= now.boot {
            wait(.wait(cadence.period), since: run.started, now: now)
            if counts.failuresInARow > 0 { retry(now: now) }
        }
        if run.isOutdated { dueNow(now) }
    }

    /// A button, another mode or the end of editing has drawn the answer anew. What is drawn may have the widget asked
    /// sooner, and be stale sooner; later it may not, because nothing of it is newer.
    private mutating func follow(_ ask: NextAsk?, now: Moment) {
        var drawn = self
        if let ask {
            drawn.wait(ask, since: now.boot, now: now)
        } else {
            drawn.wait(.wait(cadence.period), since: base, now: now)
        }
        if drawn.due < due { self = drawn }
        let age = cadence.staleAge(ask, from: now.wall)
        staleAge = [staleAge, age].compactMap { $0 }.min()
    }

    /// A widget that says when to come again knows better than any rule, and may mean longer than its interval.
    private mutating func noteFailure(statedWait: NextAsk?, now: Moment) {
        counts.failures += 1
        counts.failuresInARow += 1
        if let statedWait { return comeAgain(statedWait, now: now) }
        retry(now: now)
    }

    private mutating func retry(now: Moment) {
        let delay = Cadence.retryDelay(failuresInARow: counts.failuresInARow)
        if now.boot + delay < due {
            due = now.boot + delay
            dueReason = .retry
            slack = Cadence.slack(for: delay)
        }
    }

    /// It has failed and said when to come again.
    fileprivate mutating func comeAgain(_ ask: NextAsk, now: Moment) {
        wait(ask, since: now.boot, now: now)
        hasStatedWait = true
        dueReason = .retry
    }

    /// Nothing is asked more often than once a second, whatever dates it has.
    private static func bounded(_ ask: NextAsk, now: Moment) -> NextAsk {
        switch ask {
        case .wait(let span): .wait(Cadence.bounded(span))
        case .date(let date) where date > now.wall: .date(max(date, now.wall + UpdatePlan.shortestInterval))
        case .date, .never: ask
        }
    }

    fileprivate mutating func dueNow(_ now: Moment) {
        due = now.boot
        askDate = nil
        hasStatedWait = false
        dueReason = .schedule
        slack = .zero
    }
}
