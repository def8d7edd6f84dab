// SPDX-License-Identifier: MIT

/// Contents with dates, which a widget gives in advance: each is valid from its date on. They turn over without a run.
package struct Timeline: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package var date: WallTime
        /// Without a timeline of its own.
        package var content: Content

        package init(date: WallTime, content: Content) {
            self.date = date
            self.content = content
            self.content.timeline = nil
        }
    }

    /// When the widget is asked again.
    package enum Policy: Hashable, Sendable {
        /// At the date of the last entry.
        case end
        case after(WallTime)
        /// Not by itself: the contents hold until something changes for the widget, or a client asks.
        case never
    }

    /// By date; of entries with the same date the later one counts.
    package let entries: [Entry]
    package let policy: Policy

    package init(_ entries: [Entry], policy: Policy = .end) {
        self.entries = entries.enumerated().sorted { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }
            .map(\.element)
        self.policy = policy
    }

    /// The entry that is valid at a time; nil before the first.
    package func entry(at time: WallTime) -> Entry? { entries.last { $0.date <= time } }

    /// The date of the next entry.
    package func nextDate(after time: WallTime) -> WallTime? { entries.first { $0.date > time }?.date }

    /// When the widget is asked again; nil for never.
    package var asksAgain: WallTime? {
        switch policy {
        case .end: entries.last?.date
        case .after(let date): date
        case .never: nil
        }
    }
}

/// How much a widget matters now, by its own judgement: hosts that have little room show the most relevant first.
package struct Relevance: Hashable, Sendable {
    /// 0 to 1.
    package var score: Double
    /// From then on it does not matter more than any other.
    package var until: WallTime?

    package init(_ score: Double, until: WallTime? = nil) {
        self.score = score
        self.until = until
    }
}

extension Content {
    /// What is to be shown at a time: the valid entry of the timeline, without the entries that are still to come.
    package func shown(at time: WallTime) -> Content {
        var content = timeline?.entry(at: time)?.content ?? self
        content.timeline = nil
        if let until = content.relevance?.until, until <= time { content.relevance = nil }
        return content
    }

    /// When `shown(at:)` gives something else; nil when it never does.
    package func nextChange(after time: WallTime) -> WallTime? {
        let end = (timeline?.entry(at: time)?.content ?? self).relevance?.until
        let dates = [timeline?.nextDate(after: time), end.flatMap { $0 > time ? $0 : nil }]
        return dates.compactMap { $0 }.min()
    }

    /// When the widget wants to be asked next; nil leaves that to its interval.
    package var nextAsk: NextAsk? {
        guard let timeline else { return nextUpdate.map(NextAsk.wait) }
        return timeline.asksAgain.map(NextAsk.date) ?? .never
    }
}

/// When a widget wants to be asked next.
package enum NextAsk: Hashable, Sendable {
    case wait(TimeSpan)
    /// By the wall clock, however that is set.
    case date(WallTime)
    case never
}
