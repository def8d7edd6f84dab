// SPDX-License-Identifier: MIT
import TodayKit

/// A greeting and the date, larger where there is room: the smallest widget. The text comes from the containing app, or by
/// hand: todayctl defaults write group.org.todayd.greeting greeting "Good morning"
@main
final class Greeting: TodayWidget {
    private let defaults = GroupDefaults(suiteName: "group.org.todayd.greeting")
    private var greeting = WidgetDefaults.standard.string(forKey: "greeting") ?? "Hello"
    private var date = "--"

    func viewDidLoad() {
        extensionContext.widgetLargestAvailableDisplayMode = .expanded
    }

    func widgetPerformUpdate() async throws -> NCUpdateResult {
        let (text, today) = (defaults.string(forKey: "greeting") ?? "Hello", Timestamp.now.text("%A, %-d %B"))
        if (text, today) == (greeting, date) { return .noData }
        (greeting, date) = (text, today)
        try WidgetDefaults.standard.set(greeting, forKey: "greeting")
        return .newData
    }

    var summary: WidgetSummary { WidgetSummary(greeting, icon: "👋", tooltip: date) }

    var body: some View {
        ByDisplayMode {
            Text(greeting)
            Text(date).font(.caption)
        } expanded: {
            Text(greeting).font(.title).foregroundColor(.accent)
            Spacer()
            Text(date)
        }
    }
}
