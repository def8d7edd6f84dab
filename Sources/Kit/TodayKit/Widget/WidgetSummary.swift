// SPDX-License-Identifier: MIT
import TodayModel

/// The widget in one line, for places that have no room for a view, such as a status bar.
public struct WidgetSummary: Hashable, Sendable {
    /// How much it wants to be noticed.
    public enum Severity: Hashable, Sendable {
        /// As usual.
        case normal
        /// Better than usual.
        case good
        /// There is something to know.
        case info
        /// There is something to do.
        case warning
        /// There is something to do now.
        case critical
    }

    /// The line; nil takes the first text of the body.
    public var text: String?
    /// The same in a few characters.
    public var short: String?
    /// How much it wants to be noticed.
    public var severity: Severity
    /// One symbol, usually an emoji.
    public var icon: String?
    /// 0 to 100.
    public var percentage: Double?
    /// More, in several lines.
    public var tooltip: String?
    /// When to ask next instead of after the manifest's `Interval=`: 1 second to 1 week from now. It counts after `noData`,
    /// too. A widget with a `timeline` says it there.
    public var nextUpdate: Duration?
    /// How much it matters now, beside other widgets.
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
