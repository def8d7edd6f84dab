// SPDX-License-Identifier: MIT
import TodayHTTP
import TodayKit

/// A widget for any server that answers in JSON: it shows a value of the answer, with more rows and a chart of the last values.
/// Its settings say which; a manifest for a known service may set them by Environment=.
@main
struct HTTPJSONWidget: TodayWidget {
    private var reading: Reading?

    mutating func widgetPerformUpdate() async throws -> NCUpdateResult {
        let plan = try ReadingPlan { extensionContext.settings.string(forKey: $0) }
        reading = try await plan.read()
        return .newData
    }

    var summary: WidgetSummary {
        guard let reading else { return WidgetSummary("--") }
        var summary = WidgetSummary(reading.text, short: reading.short, severity: reading.severity)
        if let number = reading.number { summary.metrics["value"] = number }
        return summary
    }

    var body: some View {
        if let reading {
            Text(reading.text).font(.title)
            if let note = reading.note { Text(note).foregroundColor(reading.noteColor) }
            if !reading.rows.isEmpty {
                Grid(columns: 2) {
                    for row in reading.rows {
                        Text(row.label).foregroundColor(.secondary)
                        Text(row.text)
                    }
                }
            }
            if reading.number != nil, extensionContext.widgetActiveDisplayMode == .expanded {
                LineChart(history: "value")
            }
        }
    }
}
