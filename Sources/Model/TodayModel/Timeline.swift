// SPDX-License-Identifier: MIT
import JSON

/// Contents with dates, which a widget provides in advance. The daemon shows each from its date on, without a run.
package struct Timeline: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package var date: WallTime
        /// An entry's content has no timeline of its own.
        package var content: Content

        package init(date: WallTime, content: Content) {
            self.date = date
            self.content = content
            self.content.timeline = nil
        }
    }

    /// When the daemon asks the widget again.
    package enum Policy: Hashable, Sendable {
        /// At the date of the last entry.
        case end
        case after(WallTime)
        /// Not because of time: only when something changes for the widget, or when a client requests an update.
        case never
    }

    /// Sorted by date; of several entries with the same date the last one counts.
    package let entries: [Entry]
    package let policy: Policy

    package init(_ entries: [Entry], policy: Policy = .end) {
        self.entries = entries.enumerated().sorted { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }
            .map(\.element)
        self.policy = policy
    }

    /// The entry that is valid at a time; nil before the first one.
    package func entry(at time: WallTime) -> Entry? { entries.last { $0.date <= time } }

    package func nextDate(after time: WallTime) -> WallTime? { entries.first { $0.date > time }?.date }

    /// When the daemon asks the widget again; nil for never.
    package var asksAgain: WallTime? {
        switch policy {
        case .end: entries.last?.date
        case .after(let date): date
        case .never: nil
        }
    }
}

/// How much a widget matters now, in its own judgement. Hosts with little room show the most relevant widgets first.
package struct Relevance: Hashable, Sendable {
    /// 0 to 1.
    package var score: Double
    /// From then on the score no longer counts.
    package var until: WallTime?

    package init(_ score: Double, until: WallTime? = nil) {
        self.score = score
        self.until = until
    }
}

extension Content {
    /// The content to show at a time: the valid entry of the timeline, without a timeline of its own.
    package func shown(at time: WallTime) -> Content {
        var content = timeline?.entry(at: time)?.content ?? self
        content.timeline = nil
        if let until = content.relevance?.until, until <= time { content.relevance = nil }
        return content
    }

    /// When `shown(at:)` returns something else; nil when it never does.
    package func nextChange(after time: WallTime) -> WallTime? {
        let end = (timeline?.entry(at: time)?.content ?? self).relevance?.until
        let dates = [timeline?.nextDate(after: time), end.flatMap { $0 > time ? $0 : nil }]
        return dates.compactMap { $0 }.min()
    }

    /// When the widget wants its next update; nil means after its interval.
    package var nextAsk: NextAsk? {
        guard let timeline else { return nextUpdate.map(NextAsk.wait) }
        return timeline.asksAgain.map(NextAsk.date) ?? .never
    }
}

/// When a widget wants its next update.
package enum NextAsk: Hashable, Sendable {
    case wait(TimeSpan)
    /// At a time of the wall clock, even if the clock is set.
    case date(WallTime)
    case never
}

extension Timeline {
    private enum PolicyWord: String, WireWord { case end, after, never }

    private var word: PolicyWord {
        switch policy {
        case .end: .end
        case .after: .after
        case .never: .never
        }
    }

    private var date: WallTime? { if case .after(let date) = policy { date } else { nil } }

    /// The members `timeline`, `policy` and `after` of content.
    static func list(_ timeline: inout Timeline?, _ members: inout WireMembers) {
        members.write("timeline", timeline?.entries.json)
        members.write("policy", timeline?.word.json)
        members.write("after", timeline?.date?.json)
        members.read { field throws(JSONMismatch) in timeline = try read(from: field) }
    }

    private static func read(from content: JSONField) throws(JSONMismatch) -> Timeline? {
        let after = try content.optional("after")
        let word = try content.optional("policy")
        guard let list = try content.optional("timeline") else {
            if let field = after ?? word { throw field.fail("goes with a timeline only") }
            return nil
        }
        let entries = try list.array(upTo: ContentLimits.timelineEntries, Entry.read)
        if entries.isEmpty { throw list.fail("has no entries") }
        switch (try word?.choice(PolicyWord.self), after) {
        case (.after?, nil): throw content.fail("has the policy after, but no date named after")
        case (.after?, let date?), (nil, let date?): return Timeline(entries, policy: .after(try date.date()))
        case (.end?, let date?), (.never?, let date?): throw date.fail("goes with the policy after only")
        case (.end?, nil), (nil, nil): return Timeline(entries)
        case (.never?, nil): return Timeline(entries, policy: .never)
        }
    }
}

extension Timeline.Entry: WireObject {
    package static var blank: Self { Self(date: WallTime(microseconds: 0), content: .blank) }
    package static func read(_ field: JSONField) throws(JSONMismatch) -> Self { try Self(exactly: field) }

    package mutating func list(_ members: inout WireMembers) {
        members.write("date", date.json)
        members.write("content", content.json)
        members.read { field throws(JSONMismatch) in
            content = try Content(try field.required("content"), isEntry: true)
            date = try field.required("date").date()
        }
    }
}

extension Relevance: WireObject {
    package static var blank: Self { Self(0) }
    package static func read(_ field: JSONField) throws(JSONMismatch) -> Self { try Self(exactly: field) }

    package mutating func list(_ members: inout WireMembers) {
        members("score", &score, 0...1)
        members.write("until", until?.json)
        members.read("until") { field throws(JSONMismatch) in until = try field.date() }
    }
}

extension JSONField {
    /// Microseconds since 1970 as in the protocol, or a date with its time zone (RFC 3339).
    package func date() throws(JSONMismatch) -> WallTime {
        if case .string(let text) = value {
            guard text.utf8.count <= 64, let date = WallTime(rfc3339: text) else {
                throw fail(
                    "\"\(text.shortened(to: 64))\" is not a date with a time zone, such as 2026-11-30T08:00:00+01:00")
            }
            guard ContentLimits.dates.contains(date) else { throw fail("\"\(text)\" is not between 1973 and 9999") }
            return date
        }
        let date = WallTime(microseconds: Int64(try int()))
        guard ContentLimits.dates.contains(date) else {
            throw fail("\(value.text) is not a date in microseconds since 1970; seconds times 1000000 are")
        }
        return date
    }
}
