// SPDX-License-Identifier: MIT
import TodayModel

/// Dates from which a widget shows something else, without another update.
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
/// After `newData` TodayKit draws the body for now and once for each entry; `extensionContext.entryDate` is the date that it
/// draws for. Hosts show the next entry on its date, even while the widget does not run. The words are those of WidgetKit.
public struct Timeline: Hashable, Sendable {
    /// The dates, 64 at most. Of those that are past, the last is valid now.
    public var entries: [TimelineEntry]
    /// When todayd asks the widget for the next update.
    public var policy: TimelineReloadPolicy

    /// Makes a timeline.
    public init(entries: [TimelineEntry], policy: TimelineReloadPolicy = .atEnd) {
        self.entries = entries
        self.policy = policy
    }
}

/// A date from which a widget shows something else.
public struct TimelineEntry: Hashable, Sendable {
    /// When the entry begins; it is valid until the next one begins.
    public var date: Timestamp
    /// How much the widget matters from then on; nil takes the relevance of its `summary`.
    public var relevance: WidgetRelevance?

    /// Makes an entry.
    public init(date: Timestamp, relevance: WidgetRelevance? = nil) {
        self.date = date
        self.relevance = relevance
    }
}

/// When todayd asks a widget with a timeline for the next update, instead of after the manifest's `Interval=`.
public enum TimelineReloadPolicy: Hashable, Sendable {
    /// At the date of the last entry.
    case atEnd
    /// At a date, which may be before or after the last entry.
    case after(Timestamp)
    /// Only when something changes for the widget, or a client asks.
    case never
}

/// How much a widget matters, by its own judgement. Hosts may show the most relevant widgets first.
public struct WidgetRelevance: Hashable, Sendable {
    /// 0 to 1.
    public var score: Double
    /// When the score ends; nil keeps it for as long as the content is shown.
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
