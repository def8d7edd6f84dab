// SPDX-License-Identifier: MIT
import TodayModel

/// Requests for runs. Each gets an answer.
extension Timetable {
    /// The most runs that may follow a run in progress: users do not press buttons faster, so more requests come from a faulty
    /// client.
    static let mostFollowing = 16

    /// Requests a run now, even while a failed widget waits for its retry, because a client waits for it. The request joins a
    /// run in progress. An interaction does not: it has to reach the program, so it follows that run.
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

    /// A host begins to show a widget. The host has the snapshot already. The widget runs if it is due, if its run was put off
    /// after a sleep, or if its last answer is older than UpdateOnAppear=.
    package mutating func appeared(_ widget: WidgetID, at now: Moment) -> [Action] {
        guard let entry = entries[widget], entry.obstacle == nil, entry.running == nil else { return [] }
        if let waiting = entry.waiting { return promote(widget, waiting, reason: .appear, now: now).1 }
        guard entry.due.time <= now.boot || entry.due.isAfterSleep || entry.isTooOldToAppear(at: now.boot) else {
            return []
        }
        plan(widget, reason: .appear, now: now)
        return advance(to: now)
    }
}

// MARK: - Answers

extension Timetable {
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

    var freePlace: String { "a free place: \(queue.places)" }

    // MARK: Runs that wait

    /// Moves a run that already waits forward in the queue, if the new reason is more urgent.
    private mutating func promote(
        _ widget: WidgetID, _ waiting: RunTicket, reason: RunReason, now: Moment
    ) -> (RequestAnswer, [Action]) {
        let urgency: RunQueue.Rank.Urgency = reason == .appear ? .watched : .requested
        if urgency.rawValue < (queue[widget]?.urgency ?? urgency).rawValue {
            if waiting.interaction == nil {
                var ticket = waiting
                ticket.reason = reason
                entries[widget]?.phase = .waiting(ticket)
            }
            queue[widget] = RunQueue.Rank(urgency: urgency, due: now.boot, run: waiting.run)
        } else if reason != .appear {
            entries[widget]?.counts.joined += 1
        }
        return startedOrWaiting(widget, now: now)
    }

    /// Makes a run that waits as urgent as a request, because a request follows it.
    mutating func raiseToRequested(_ widget: WidgetID, _ waiting: RunTicket, now: Moment) {
        guard queue[widget]?.urgency != .requested else { return }
        queue[widget] = RunQueue.Rank(urgency: .requested, due: now.boot, run: waiting.run)
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
