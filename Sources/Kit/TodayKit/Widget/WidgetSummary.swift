// SPDX-License-Identifier: MIT
import TodayModel

/// The widget in one line, for places without room for a view, such as a status bar.
public struct WidgetSummary: Hashable, Sendable {
    /// How much attention the widget asks for.
    public enum Severity: Hashable, Sendable {
        /// The usual state.
        case normal
        /// Better than usual.
        case good
        /// The user may want to know something.
        case info
        /// The user should do something.
        case warning
        /// The user should do something now.
        case critical
    }

    /// The line; nil takes the first text of the body.
    public var text: String?
    /// The line in a few characters.
    public var short: String?
    /// How much attention the widget asks for.
    public var severity: Severity
    /// One symbol, usually an emoji.
    public var icon: String?
    /// 0 to 100.
    public var percentage: Double?
    /// Numbers by name, at most 64. todayd keeps their last values, for `LineChart(history:)` and `todayctl get`.
    public var metrics: [String: Double] = [:]
    /// More text, in several lines.
    public var tooltip: String?
    /// The time until the next update, instead of the manifest's `Interval=`: 1 second to 1 week. It holds after `newData`
    /// and `noData`. A widget with a `timeline` uses the policy of that instead.
    public var nextUpdate: Duration?
    /// How much the widget matters now, compared with other widgets.
    public var relevance: WidgetRelevance?

    /// Makes a summary.
    public init(
        _ text: String? = nil, short: String? = nil, severity: Severity = .normal, icon: String? = nil,
        percentage: Double? = nil, tooltip: String? = nil, nextUpdate: Duration? = nil,
        relevance: WidgetRelevance? = nil
    ) {
        self.text = text
        self.short = short
        self.severity = severity
        self.icon = icon
        self.percentage = percentage
        self.tooltip = tooltip
        self.nextUpdate = nextUpdate
        self.relevance = relevance
    }
}

extension WidgetSummary.Severity {
    var model: TodayModel.Severity {
        switch self {
        case .normal: .normal
        case .good: .good
        case .info: .info
        case .warning: .warning
        case .critical: .critical
        }
    }
}
