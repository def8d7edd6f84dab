// SPDX-License-Identifier: MIT
import TodayModel

/// What a widget knows in advance: dates from which it shows something else, without being asked again.
///
///     @main
///     struct Departures: TodayWidget {
///         private var departures: [Timestamp] = []
///
///         mutating func widgetPerformUpdate() async throws -> NCUpdateResult {
///             departures = try readTimetable()
///             return .newData
///         }
///
///         var timeline: Timeline? {
///             Timeline(entries: departures.prefix(20).map { TimelineEntry(date: $0) }, policy: .atEnd)
///         }
///
///         var body: some View {
///             let next = departures.first { $0 > extensionContext.entryDate }
///             Text(next?.text("%H:%M") ?? "No departure")
///         }
///     }
///
/// There is one body: with `newData` it is drawn for now and once for each entry, and `extensionContext.entryDate` tells it
/// which date it is. Hosts show what is valid at a time, and turn to the next entry on time, also while the widget does not
/// run. The words are those of WidgetKit.
public struct Timeline: Hashable, Sendable {
    /// The dates, 64 at most. Those that are past count, too: the last of them is valid now.
    public var entries: [TimelineEntry]
    /// When the widget is asked again.
    public var policy: TimelineReloadPolicy

    /// Makes a timeline.
    public init(entries: [TimelineEntry], policy: TimelineReloadPolicy = .atEnd) {
        self.entries = entries
        self.policy = policy
    }
}

/// A date from which a widget shows something else.
public struct TimelineEntry: Hashable, Sendable {
    /// When it begins to be valid; it is until the next entry's.
    public var date: Timestamp
    /// How much the widget matters then; nil is what its `summary` says.
    public var relevance: WidgetRelevance?

    /// Makes an entry.
    public init(date: Timestamp, relevance: WidgetRelevance? = nil) {
        self.date = date
        self.relevance = relevance
    }
}

/// When a widget with a timeline is asked again, in place of the manifest's `Interval=`.
public enum TimelineReloadPolicy: Hashable, Sendable {
    /// At the date of the last entry.
    case atEnd
    /// At a date, whether it is before the last entry's or after it.
    case after(Timestamp)
    /// Not by itself: what the widget has said holds until something changes for it, or a client asks.
    case never
}

/// How much a widget matters, by its own judgement: hosts may show what matters most before the rest.
public struct WidgetRelevance: Hashable, Sendable {
    /// 0 to 1.
    public var score: Double
    /// From then on it matters no more than others; nil is for as long as the content is shown.
    public var until: Timestamp?

    /// Makes a relevance.
    public init(_ score: Double, until: Timestamp? = nil) {
        self.score = score
        self.until = until
    }

    var model: Relevance { Relevance(score, until: until?.wallTime) }
}

extension TimelineReloadPolicy {
    var model: TodayModel.Timeline.Policy {
        switch self {
        case .atEnd: .end
        case .after(let date): .after(date.wallTime)
        case .never: .never
        }
    }
}
