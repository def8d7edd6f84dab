// SPDX-License-Identifier: MIT
import TodayKit

/// Counts its updates: the smallest widget.
@main
final class HelloWidget: TodayWidget {
    private var count = WidgetDefaults.standard.integer(forKey: "count")

    func widgetPerformUpdate() async throws -> NCUpdateResult {
        count += 1
        try WidgetDefaults.standard.set(count, forKey: "count")
        return .newData
    }

    var summary: WidgetSummary { WidgetSummary("Hello, \(count)", icon: "👋") }

    var body: some View {
        Text("Hello").font(.headline)
        Text("asked \(count) times").foregroundColor(.secondary)
    }
}
