// SPDX-License-Identifier: MIT
import TodayModel

/// Requests for runs; every request gets an answer.
extension Timetable {
    /// More presses of buttons than this, all waiting for one widget, are a client gone wild.
    static let mostFollowing = 16
    static let restBetweenDefaults = TimeSpan.seconds(1)

    /// Asks for a run now, back-off or not: a client waits for it. A run in progress is joined, except by an errand,
    /// which must reach the program and follows it.
    package mutating func request(
        _ widget: WidgetID, reason: RunReason = .request, errand: Errand? = nil, at now: Moment
    ) -> (reception: Reception, actions: [Action]) {
        guard let entry = entries[widget] else { return refused(widget, "not scheduled") }
        if let hindrance = entry.hindrance { return refused(widget, hindrance) }
        let reason = errand?.reason ?? reason
        if let running = entry.running {
            if errand == nil, running.ticket.errand == nil, !running.isIgnorable, !running.isOutdated {
                entries[widget]?.counts.joined += 1
                return (Reception(answer: UpdateAnswer(id: widget, answer: .joined), run: running.ticket.run), [])
            }
            return follow(widget, entry, reason: reason, errand: errand)
        }
        if let waiting = entry.waiting {
            if errand != nil || waiting.errand != nil {
                hurry(widget, waiting, now: now)
                return follow(widget, entry, reason: reason, errand: errand)
            }
            return promote(widget, waiting, reason: reason, now: now)
        }
        plan(widget, reason: reason, errand: errand, now: now)
        return received(widget, now: now)
    }

    /// What a widget's answers are made from is different. It is due at once, or as soon as nothing is in its way; but no
    /// more than once a second for this reason, because two widgets that answer each other would run without end.
    package mutating func isBehind(_ widget: WidgetID, _ difference: Premises.Difference, at now: Moment) {
        guard var entry = entries[widget] else { return }
        // Another size does not mend what has failed; the run that comes draws for it.
        if difference == .room, entry.hasStatedWait { return }
        // One that waits for a place will read what is new, and that is not to wait for the others.
        if let waiting = entry.waiting { hurry(widget, waiting, now: now) }
        let earliest = entry.lastDefaults.map { $0 + Self.restBetweenDefaults } ?? now.boot
        let due = max(now.boot, earliest)
        guard due < entry.due || entry.hasStatedWait || entry.askDate != nil else { return }
        entry.due = due
        entry.askDate = nil
        entry.hasStatedWait = false
        entry.slack = .zero
        entry.dueReason = difference == .program ? .schedule : .defaults
        entries[widget] = entry
        settle(widget, now: now)
    }

    /// A host begins to show a widget. It gets the snapshot at once; a run is started if one is due, no matter for
    /// what it would still have waited, or if the last answer is older than the widget wants it to appear.
    package mutating func appeared(
        _ widget: WidgetID, at now: Moment
    ) -> (reception: Reception, actions: [Action]) {
        guard let entry = entries[widget] else { return refused(widget, "not scheduled") }
        if let hindrance = entry.hindrance { return refused(widget, hindrance) }
        if let running = entry.running {
            entries[widget]?.counts.joined += 1
            return (Reception(answer: UpdateAnswer(id: widget, answer: .joined), run: running.ticket.run), [])
        }
        if let waiting = entry.waiting {
            return promote(widget, waiting, reason: .appear, now: now)
        }
        guard entry.due <= now.boot || entry.dueReason == .wake || entry.isTooOldToAppear(at: now.boot) else {
            let answer = UpdateAnswer(
                id: widget, answer: .deferred, reason: "not due yet", until: now.wall(at: entry.due))
            return (Reception(answer: answer, run: nil), [])
        }
        plan(widget, reason: .appear, now: now)
        return received(widget, now: now)
    }

    private func refused(_ widget: WidgetID, _ reason: String) -> (Reception, [Action]) {
        (Reception(answer: UpdateAnswer(id: widget, answer: .refused, reason: reason), run: nil), [])
    }

    /// Moves a run that already waits forward in the queue, for a reason that is more urgent.
    private mutating func promote(
        _ widget: WidgetID, _ waiting: RunTicket, reason: RunReason, now: Moment
    ) -> (Reception, [Action]) {
        let urgency: Place.Urgency = reason == .appear ? .watched : .requested
        if urgency.rawValue < (ready[widget]?.urgency ?? urgency).rawValue {
            if waiting.errand == nil { entries[widget]?.waiting?.reason = reason }
            ready[widget] = Place(urgency: urgency, due: now.boot, run: waiting.run)
        } else {
            entries[widget]?.counts.joined += 1
        }
        return received(widget, now: now)
    }

    /// What waits behind a run is as urgent for that one.
    private mutating func hurry(_ widget: WidgetID, _ waiting: RunTicket, now: Moment) {
        guard ready[widget]?.urgency != .requested else { return }
        ready[widget] = Place(urgency: .requested, due: now.boot, run: waiting.run)
    }

    private mutating func follow(
        _ widget: WidgetID, _ entry: Entry, reason: RunReason, errand: Errand?
    ) -> (Reception, [Action]) {
        if errand == nil, let same = entry.following.first(where: { $0.errand == nil }) {
            entries[widget]?.counts.joined += 1
            return (Reception(answer: waitsForRun(entry, widget), run: same.run), [])
        }
        if errand == .displayMode, let same = entry.following.first(where: { $0.errand == .displayMode }) {
            return (Reception(answer: waitsForRun(entry, widget), run: same.run), [])
        }
        guard entry.following.count < Self.mostFollowing else {
            return refused(widget, "\(entry.following.count) actions wait already")
        }
        let ticket = makeTicket(widget, reason: reason, errand: errand)
        entries[widget]?.following.append(ticket)
        return (Reception(answer: waitsForRun(entry, widget), run: ticket.run), [])
    }

    private func waitsForRun(_ entry: Entry, _ widget: WidgetID) -> UpdateAnswer {
        let reason =
            entry.running == nil
            ? "waits for the run before it, which has not begun: \(places)" : "waits for the end of the run in progress"
        return UpdateAnswer(id: widget, answer: .deferred, reason: reason)
    }

    /// Looks whether what was asked for has started.
    private mutating func received(_ widget: WidgetID, now: Moment) -> (Reception, [Action]) {
        let actions = advance(to: now)
        if let running = entries[widget]?.running {
            return (Reception(answer: UpdateAnswer(id: widget, answer: .started), run: running.ticket.run), actions)
        }
        let answer = UpdateAnswer(id: widget, answer: .deferred, reason: "waits for \(freePlace)")
        return (Reception(answer: answer, run: entries[widget]?.waiting?.run), actions)
    }

    var freePlace: String { "a free place: \(places)" }

    private var places: String { "\(runningCount) of \(concurrency) runs in progress" }
}

extension Timetable.Entry {
    /// Whether the last answer is older than UpdateOnAppear=. One that fails comes when its retry is due.
    fileprivate func isTooOldToAppear(at now: BootTime) -> Bool {
        guard let age = plan.updateOnAppear, let lastGoodBoot, counts.failuresInARow == 0, !hasStatedWait else {
            return false
        }
        // An editor is no answer, and looking at one is no reason to ask for the next.
        return now - max(lastGoodBoot, base) >= age
    }
}
