// SPDX-License-Identifier: MIT
import TodayKit

/// The next events of some calendars: URLs and files of iCalendar, as Nextcloud, Google and vdirsyncer have them. A timeline
/// counts the minutes, so that nothing has to run for that; without events the widget hides itself.
@main
struct CalendarWidget: TodayWidget {
    private static let horizon = 86_400
    private static let mostEntries = 60

    private var occurrences: [Occurrence] = []

    mutating func widgetPerformUpdate() async throws -> NCUpdateResult {
        let settings = extensionContext.settings
        let sources = settings.stringArray(forKey: "CALENDARS") ?? []
        if sources.isEmpty { throw WidgetFailure("CALENDARS is not set: set URLs or files with 'todayctl config'") }
        var events: [ICSEvent] = []
        for source in sources { events += try await CalendarSource.read(source) }
        let days = min(max(settings.integer(forKey: "DAYS"), 1), 60)
        let now = Timestamp.now.seconds
        occurrences = Agenda.occurrences(of: events, from: now, to: now + days * 86_400)
        return .newData
    }

    /// The events that are not over at the date that is drawn.
    private var shown: [Occurrence] {
        let date = extensionContext.entryDate.seconds
        return occurrences.filter { $0.end > date || $0.start >= date }
    }

    private var words: TimeWords { TimeWords(now: extensionContext.entryDate.seconds) }

    var timeline: Timeline? {
        let now = Timestamp.now
        let dates = TimeWords.changes(of: occurrences, after: now.seconds, within: Self.horizon)
        if dates.isEmpty { return nil }
        return Timeline(
            entries: dates.prefix(Self.mostEntries).map { TimelineEntry(date: Timestamp(secondsSince1970: $0)) },
            policy: .after(now + .seconds(900)))
    }

    var summary: WidgetSummary {
        // An event in progress matters less than the next one.
        let date = extensionContext.entryDate.seconds
        guard let next = shown.first(where: { !$0.isAllDay && $0.start > date }) ?? shown.first else {
            return WidgetSummary()
        }
        let when = words.words(for: next)
        let minutes = (next.start - date) / 60
        let isSoon = !next.isAllDay && next.start > date && minutes <= 10
        return WidgetSummary(
            "\(next.title) \(when)", short: when, severity: isSoon ? .info : .normal, icon: "📅",
            relevance: isSoon ? WidgetRelevance(0.9) : nil)
    }

    var body: some View {
        let isExpanded = extensionContext.widgetActiveDisplayMode == .expanded
        for occurrence in shown.prefix(isExpanded ? 15 : 4) {
            HStack {
                if let url = occurrence.url {
                    Link(occurrence.title, destination: url)
                } else {
                    Text(occurrence.title)
                }
                Spacer()
                Text(words.words(for: occurrence)).foregroundColor(.secondary)
            }
            if isExpanded, let place = occurrence.place {
                Text("  \(place)").font(.caption).foregroundColor(.secondary)
            }
        }
    }
}
