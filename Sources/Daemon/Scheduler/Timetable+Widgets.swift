// SPDX-License-Identifier: MIT
import TodayModel

/// Widgets come, change, are hidden and go; runs end. None of these starts anything by itself: `advance` does, after all
/// events of a turn, so that the most urgent of them is first.
extension Timetable {
    /// Adds a widget, or changes the plan of one that is there.
    ///
    /// At start, content from before postpones the first run until its interval is over. A manifest that comes later is
    /// tried at once, like a changed one: whoever has written or mended it looks at the result.
    @discardableResult
    package mutating func add(
        _ widget: WidgetID, _ plan: UpdatePlan, lastGood: LastGood? = nil, obstacle: String? = nil, at now: Moment
    ) -> [Action] {
        guard entries[widget] == nil else {
            replace(widget, plan, at: now)
            entries[widget]?.obstacle = obstacle
            return dropWhatIsHindered(widget, at: now)
        }
        let cadence = Cadence(interval: plan.interval, widget: widget)
        var entry = Entry(
            plan: plan, cadence: cadence, obstacle: obstacle, base: now.boot, due: now.boot,
            staleAge: cadence.staleAge(nextUpdate: lastGood?.nextUpdate))
        entry.dueReason = .boot
        if let lastGood {
            let age = lastGood.age
            if age >= .zero {
                entry.lastGood = now.awake - age
                entry.base = now.boot - age
                let wait = lastGood.nextUpdate.map(Cadence.bounded) ?? cadence.period
                entry.due = entry.base + wait
                entry.slack = Cadence.slack(for: wait)
                if entry.due > now.boot { entry.dueReason = .schedule }
            } else {
                // From the future: one of the two clocks was wrong, so nobody knows how old it is. Renew it now, and
                // call it stale until then.
                entry.lastGood = now.awake - entry.staleAge
            }
        }
        // After the first look this is no longer the start.
        if slept != nil {
            entry.due = min(entry.due, now.boot)
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
        let isOnlyRhythm = sameButRhythm == plan
        entry.plan = plan
        entry.cadence = Cadence(interval: plan.interval, widget: widget)
        entry.staleAge = entry.cadence.staleAge(nextUpdate: nil)
        if !isOnlyRhythm {
            entry.counts.failuresInARow = 0
            entry.due = now.boot
            entry.slack = .zero
            entry.dueReason = .schedule
            entry.running?.isOutdated = true
        } else if entry.dueReason == .schedule {
            entry.due = entry.base + entry.cadence.period
            entry.slack = Cadence.slack(for: entry.cadence.period)
        } else {
            entry.due = min(entry.due, max(now.boot, entry.base + entry.cadence.period))
        }
        entries[widget] = entry
        settle(widget, now: now)
    }

    /// Forgets a widget. A run in progress keeps its place until it ends, and then concerns nobody.
    package mutating func remove(_ widget: WidgetID, at now: Moment) -> [Action] {
        guard let entry = entries.removeValue(forKey: widget) else { return [] }
        ready[widget] = nil
        if let running = entry.running { orphans[widget] = running }
        settle(widget, now: now)
        let planned = [entry.waiting].compactMap { $0 } + entry.following
        return planned.map { .drop($0, reason: "removed") }
    }

    /// Something gets into a widget's way, or out of it. Then it is due at once if its time has passed meanwhile.
    package mutating func setObstacle(_ obstacle: String?, of widget: WidgetID, at now: Moment) -> [Action] {
        guard let entry = entries[widget], entry.obstacle != obstacle else { return [] }
        entries[widget]?.obstacle = obstacle
        return dropWhatIsHindered(widget, at: now)
    }

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

    /// A run has ended. False for one whose widget was removed meanwhile: nobody wants its outcome.
    package mutating func finished(
        _ widget: WidgetID, run: UInt64, succeeded: Bool, nextUpdate: TimeSpan? = nil, at now: Moment
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
            entry.note(running, succeeded: succeeded, nextUpdate: nextUpdate, now: now)
            if entry.owesDefaults { entry.readDefaultsSoon() }
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

    /// Content came from outside, by a push: as good as a run's, without one. It may say when to ask the program next,
    /// as a run's content may; a run that is planned or in progress is newer when it ends, and then has the say.
    package mutating func renewed(_ widget: WidgetID, nextUpdate: TimeSpan? = nil, at now: Moment) {
        guard var entry = entries[widget] else { return }
        entry.lastGood = now.awake
        entry.staleAge = entry.cadence.staleAge(nextUpdate: nextUpdate)
        if let nextUpdate { entry.wait(Cadence.bounded(nextUpdate), now: now) }
        entries[widget] = entry
        settle(widget, now: now)
    }
}

extension Timetable.Entry {
    /// Content has said when to ask next.
    fileprivate mutating func wait(_ span: TimeSpan, now: Moment) {
        due = now.boot + span
        dueReason = .schedule
        slack = Cadence.slack(for: span)
    }

    /// Books a run that has ended and sets the next due time.
    fileprivate mutating func note(
        _ run: Timetable.Running, succeeded: Bool, nextUpdate: TimeSpan?, now: Moment
    ) {
        if run.ticket.errand != nil {
            // What was due is still to come, and whether it will succeed is not known.
            counts.runs += 1
            if succeeded, counts.failuresInARow == 0, let nextUpdate { wait(Cadence.bounded(nextUpdate), now: now) }
            if run.isOutdated { dueNow(now) }
            return
        }
        let next = cadence.next(after: run.started, now: now.boot)
        base = run.started
        due = next.due
        dueReason = .schedule
        slack = Cadence.slack(for: cadence.period)
        counts.runs += 1
        counts.skipped += next.skipped
        if succeeded {
            counts.failuresInARow = 0
            lastGood = now.awake
            staleAge = cadence.staleAge(nextUpdate: nextUpdate)
            if let nextUpdate { wait(Cadence.bounded(nextUpdate), now: now) }
        } else {
            counts.failures += 1
            counts.failuresInARow += 1
            let delay = Cadence.retryDelay(failuresInARow: counts.failuresInARow)
            if now.boot + delay < due {
                due = now.boot + delay
                dueReason = .retry
                slack = Cadence.slack(for: delay)
            }
        }
        if run.isOutdated { dueNow(now) }
    }

    /// Once the rest after the last time is over.
    mutating func readDefaultsSoon() {
        owesDefaults = false
        guard let lastDefaults, lastDefaults + Timetable.restBetweenDefaults < due else { return }
        due = lastDefaults + Timetable.restBetweenDefaults
        dueReason = .defaults
        slack = .zero
    }

    private mutating func dueNow(_ now: Moment) {
        due = now.boot
        dueReason = .schedule
        slack = .zero
    }
}
