// SPDX-License-Identifier: MIT
import TodayHTTP
import TodayKit

/// The newest entries of a feed, RSS or Atom, as links, and how many are new since the user has marked them as read.
@main
struct FeedWidget: TodayWidget {
    private static let readKey = "read"
    private static let readAction = "read"
    private static let mostRead = 200

    private var feed = Feed()

    private var read: [String] { WidgetDefaults.standard.stringArray(forKey: Self.readKey) ?? [] }
    private var shown: [Feed.Entry] {
        Array(feed.entries.prefix(max(1, min(extensionContext.settings.integer(forKey: "ENTRIES"), 50))))
    }
    private var unread: [Feed.Entry] {
        let read = Set(read)
        return shown.filter { !read.contains($0.id) }
    }

    mutating func widgetPerformUpdate() async throws -> NCUpdateResult {
        guard let url = extensionContext.settings.string(forKey: "URL") else {
            throw WidgetFailure("URL is not set: set it with 'todayctl config'")
        }
        feed = try await Feed.fetch(url)
        return .newData
    }

    mutating func widgetPerformAction(_ action: String) async throws -> NCUpdateResult {
        let result = try await widgetPerformUpdate()
        if action == Self.readAction {
            let all = shown.map(\.id) + read
            var seen: Set<String> = []
            let once = all.filter { seen.insert($0).inserted }
            try WidgetDefaults.standard.set(Array(once.prefix(Self.mostRead)), forKey: Self.readKey)
        }
        return result
    }

    var summary: WidgetSummary {
        guard let first = unread.first ?? shown.first else { return WidgetSummary("nothing yet") }
        let count = unread.count
        var summary = WidgetSummary(first.title, short: count == 0 ? "–" : "\(count)")
        summary.tooltip = shown.map { "· \($0.title)" }.joined(separator: "\n")
        return summary
    }

    var body: some View {
        let fresh = Set(unread.map(\.id))
        let isExpanded = extensionContext.widgetActiveDisplayMode == .expanded
        // Four lines, of which the button is one.
        for entry in isExpanded ? shown : Array(shown.prefix(fresh.isEmpty ? 4 : 3)) {
            if let url = entry.url {
                Link(fresh.contains(entry.id) ? "● \(entry.title)" : entry.title, destination: url)
            } else {
                Text(entry.title)
            }
        }
        if !fresh.isEmpty { Button("Mark \(fresh.count) as read", action: Self.readAction) }
    }
}
