// SPDX-License-Identifier: MIT
import TodayModel

/// The answer to a request for a run.
package struct RequestAnswer: Hashable, Sendable {
    package var answer: UpdateAnswer
    /// The run whose end completes the request; nil if there is none to wait for.
    package var run: UInt64?
}

/// Requests for runs. Each gets an answer.
extension Timetable {
    /// The most runs that may follow a run in progress: a user does not press buttons faster, so more come from a faulty
    /// client.
    static let mostFollowing = 16
    /// The shortest time between two runs for changed defaults.
    static let restBetweenDefaults = TimeSpan.seconds(1)

    /// Requests a run now, also during back-off, because a client waits for it. The request joins a run in progress. An interaction
    /// does not: it has to reach the program, so it follows that run.
    package mutating func request(
        _ widget: WidgetID, reason: RunReason = .request, interaction: Interaction? = nil, at now: Moment
    ) -> (answer: RequestAnswer, actions: [Action]) {
        guard let entry = entries[widget] else { return refused(widget, "not scheduled") }
        if let obstacle = entry.obstacle { return refused(widget, obstacle) }
        let reason = interaction?.reason ?? reason
        if let running = entry.running {
            if interaction == nil, running.ticket.interaction == nil, !running.isIgnorable, !running.isOutdated {
                return joined(running, widget)
            }
            return addFollowing(widget, entry, reason: reason, interaction: interaction)
        }
        if let waiting = entry.waiting {
            if interaction != nil || waiting.interaction != nil {
                raiseToRequested(widget, waiting, now: now)
                return addFollowing(widget, entry, reason: reason, interaction: interaction)
            }
            return promote(widget, waiting, reason: reason, now: now)
        }
        plan(widget, reason: reason, interaction: interaction, now: now)
        return startedOrWaiting(widget, now: now)
    }

    /// A host begins to show a widget. The host has the snapshot already. The widget runs if it is due, or is to be spread
    /// after a sleep, or if its last answer is older than UpdateOnAppear=.
    package mutating func appeared(_ widget: WidgetID, at now: Moment) -> (answer: RequestAnswer, actions: [Action]) {
        guard let entry = entries[widget] else { return refused(widget, "not scheduled") }
        if let obstacle = entry.obstacle { return refused(widget, obstacle) }
        if let running = entry.running { return joined(running, widget) }
        if let waiting = entry.waiting {
            return promote(widget, waiting, reason: .appear, now: now)
        }
        guard entry.due <= now.boot || entry.dueReason == .wake || entry.isTooOldToAppear(at: now.boot) else {
            let answer = UpdateAnswer(
                id: widget, answer: .deferred, reason: "not due yet", until: now.wall(at: entry.due))
            return (RequestAnswer(answer: answer, run: nil), [])
        }
        plan(widget, reason: .appear, now: now)
        return startedOrWaiting(widget, now: now)
    }

    /// A widget is behind: its last answer was made from other premises. It is due at once, or when its obstacle is removed.
    /// Two such runs begin at least a second apart, because two widgets that change each other's defaults would run without
    /// end.
    package mutating func markBehind(_ widget: WidgetID, _ difference: Premises.Difference, at now: Moment) {
        guard var entry = entries[widget] else { return }
        // Another size does not end a failure, and the next run draws for that size anyway.
        if difference == .room, entry.hasStatedWait { return }
        // A run that already waits reads the new premises. It becomes urgent.
        if let waiting = entry.waiting { raiseToRequested(widget, waiting, now: now) }
        let earliest = entry.lastDefaults.map { $0 + Self.restBetweenDefaults } ?? now.boot
        let due = max(now.boot, earliest)
        guard due < entry.due || entry.hasStatedWait || entry.askDate != nil else { return }
        entry.makeDue(at: due, because: difference == .program ? .schedule : .defaults)
        entries[widget] = entry
        updateQueue(for: widget)
    }

    /// Pushed content says when to ask the program next. A run that is due, planned or in progress decides that itself when it
    /// ends.
    package mutating func ask(_ widget: WidgetID, in span: TimeSpan, at now: Moment) {
        guard let entry = entries[widget], !entry.hasStatedWait else { return }
        // A widget that is behind runs anyway: the pushed content was not made from the new premises.
        guard entry.dueReason != .defaults, entry.due > now.boot else { return }
        entries[widget]?.setDue(.wait(Cadence.bounded(span)), since: now.boot, now: now)
        updateQueue(for: widget)
    }

    // MARK: Answers

    private func refused(_ widget: WidgetID, _ reason: String) -> (RequestAnswer, [Action]) {
        (RequestAnswer(answer: UpdateAnswer(id: widget, answer: .refused, reason: reason), run: nil), [])
    }

    private mutating func joined(_ running: TimetableEntry.Running, _ widget: WidgetID) -> (RequestAnswer, [Action]) {
        entries[widget]?.counts.joined += 1
        return (RequestAnswer(answer: UpdateAnswer(id: widget, answer: .joined), run: running.ticket.run), [])
    }

    private func follows(_ entry: TimetableEntry, _ widget: WidgetID, run: UInt64) -> (RequestAnswer, [Action]) {
        let reason =
            entry.running == nil
            ? "waits for the run before it, which has not begun: \(queue.places)"
            : "waits for the end of the run in progress"
        return (RequestAnswer(answer: UpdateAnswer(id: widget, answer: .deferred, reason: reason), run: run), [])
    }

    /// Starts what can start, and answers whether the widget's run did.
    private mutating func startedOrWaiting(_ widget: WidgetID, now: Moment) -> (RequestAnswer, [Action]) {
        let actions = advance(to: now)
        if let running = entries[widget]?.running {
            return (RequestAnswer(answer: UpdateAnswer(id: widget, answer: .started), run: running.ticket.run), actions)
        }
        let answer = UpdateAnswer(id: widget, answer: .deferred, reason: "waits for \(freePlace)")
        return (RequestAnswer(answer: answer, run: entries[widget]?.waiting?.run), actions)
    }

    private var freePlace: String { "a free place: \(queue.places)" }

    // MARK: Runs that wait

    /// Moves a run that already waits forward in the queue, if the new reason is more urgent.
    private mutating func promote(
        _ widget: WidgetID, _ waiting: RunTicket, reason: RunReason, now: Moment
    ) -> (RequestAnswer, [Action]) {
        let urgency: RunQueue.Place.Urgency = reason == .appear ? .watched : .requested
        if urgency.rawValue < (queue[widget]?.urgency ?? urgency).rawValue {
            if waiting.interaction == nil { entries[widget]?.waiting?.reason = reason }
            queue[widget] = RunQueue.Place(urgency: urgency, due: now.boot, run: waiting.run)
        } else {
            entries[widget]?.counts.joined += 1
        }
        return startedOrWaiting(widget, now: now)
    }

    /// Makes a run that waits as urgent as a request, because a request follows it.
    private mutating func raiseToRequested(_ widget: WidgetID, _ waiting: RunTicket, now: Moment) {
        guard queue[widget]?.urgency != .requested else { return }
        queue[widget] = RunQueue.Place(urgency: .requested, due: now.boot, run: waiting.run)
    }

    /// Adds a run after the one that waits or is in progress. Plain updates share one run, and so do display modes.
    private mutating func addFollowing(
        _ widget: WidgetID, _ entry: TimetableEntry, reason: RunReason, interaction: Interaction?
    ) -> (RequestAnswer, [Action]) {
        if interaction == nil || interaction == .displayMode,
            let same = entry.following.first(where: { $0.interaction == interaction })
        {
            if interaction == nil { entries[widget]?.counts.joined += 1 }
            return follows(entry, widget, run: same.run)
        }
        guard entry.following.count < Self.mostFollowing else {
            return refused(widget, "\(entry.following.count) actions wait already")
        }
        let ticket = makeTicket(widget, reason: reason, interaction: interaction)
        entries[widget]?.following.append(ticket)
        return follows(entry, widget, run: ticket.run)
    }
}

// MARK: - Status

extension Timetable {
    /// Whether the beginning or the end of editing waits for a run to end, or for a free place.
    package func editingWaits(for widget: WidgetID) -> Bool {
        guard let entry = entries[widget] else { return false }
        return entry.planned.contains { $0.reason == .editing }
    }

    /// What a widget does and what it waits for; nil for an unknown widget.
    package func activity(of widget: WidgetID, at now: Moment) -> WidgetActivity? {
        guard let entry = entries[widget] else { return nil }
        var activity = entry.counts
        if let running = entry.running {
            activity.isRunning = true
            activity.skipped += entry.cadence.next(after: running.started, now: now.boot).skipped
        } else if let obstacle = entry.obstacle {
            activity.waitingFor = obstacle
        } else if entry.waiting != nil || entry.due <= now.boot {
            activity.waitingFor = freePlace
            activity.nextRun = now.wall
        } else if entry.due == .never {
            activity.waitingFor = "a change or a request: its timeline says never"
        } else {
            activity.nextRun = now.wall(at: entry.due)
            activity.waitingFor = entry.waitInWords
        }
        return activity
    }

    /// When a widget's last answer becomes stale: when it is older than twice its interval, in time awake. Nil is never.
    package func freshUntil(of widget: WidgetID) -> AwakeTime? {
        guard let entry = entries[widget], !entry.plan.isPushed, let lastGood = entry.lastGood,
            let staleAge = entry.staleAge
        else { return nil }
        return lastGood + staleAge
    }
}

extension TimetableEntry {
    /// Why the widget waits longer or shorter than its interval, in words.
    fileprivate var waitInWords: String? {
        let failures = counts.failuresInARow
        return switch dueReason {
        case .retry where hasStatedWait: "the time for which it asked after a failure"
        case .retry: "its retry after \(failures == 1 ? "a failure" : "\(failures) failures in a row")"
        case .wake: "its turn after the machine's sleep"
        default: nil
        }
    }
}
