// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// Draws the body of a widget into content, for both display modes and all dates, and checks it by todayd's rules.
@MainActor
struct BodyDrawing<Widget: TodayWidget> {
    let widget: Widget
    let context: ExtensionContext

    init(_ widget: Widget, _ context: ExtensionContext) {
        self.widget = widget
        self.context = context
    }

    /// What hosts show from now on.
    func content() throws -> Content {
        var content = try draw(at: .now)
        // An editor has no timeline, because it is valid until the user is done.
        if !context.isEditing, let timeline = widget.timeline { content.timeline = try draw(timeline) }
        try Self.check(content)
        return content
    }

    /// What hosts show before the first update. It has no time for the next one, as the update is running.
    func placeholder() throws -> Content {
        var content = try draw(at: .now)
        content.nextUpdate = nil
        try Self.check(content)
        return content
    }

    /// The time until the next update, after `noData`.
    func nextUpdate() throws -> TimeSpan? {
        guard let nextUpdate = widget.summary.nextUpdate else { return nil }
        var content = Content(text: "")
        content.isEmpty = true
        content.nextUpdate = TimeSpan(nextUpdate)
        try Self.check(content)
        return content.nextUpdate
    }

    // MARK: Drawing

    private func draw(_ timeline: Timeline) throws -> TodayModel.Timeline {
        let most = ContentLimits.timelineEntries
        guard timeline.entries.count <= most else {
            throw Self.failure(
                "timeline: has \(timeline.entries.count) entries, more than \(most); give the first, and ask again with "
                    + "the policy atEnd")
        }
        guard !timeline.entries.isEmpty else { throw Self.failure("timeline: has no entries; without any, return nil") }
        let entries = try timeline.entries.map { entry in
            var content = try draw(at: entry.date)
            // The policy of the timeline has the time of the next update; entries have none.
            content.nextUpdate = nil
            if let relevance = entry.relevance { content.relevance = relevance.model }
            return TodayModel.Timeline.Entry(date: entry.date.wallTime, content: content)
        }
        return TodayModel.Timeline(entries, policy: timeline.policy.model)
    }

    private func draw(at date: Timestamp) throws -> Content {
        context.drawnDate = date
        defer { context.drawnDate = nil }
        let insets = widget.widgetMarginInsets(forProposedMarginInsets: .standard)
        context.marginInsets = insets
        let compact = view(in: .compact)
        let expanded = view(in: .expanded)
        let summary = widget.summary
        var content = Content(text: summary.text ?? compact?.firstText ?? expanded?.firstText ?? "")
        if content.text.isEmpty {
            content.isEmpty = compact == nil && expanded == nil
            // The body has a view but no text. Hosts with one line show the name of the type.
            if !content.isEmpty { content.text = "\(Widget.self)" }
        }
        content.short = summary.short
        content.severity = summary.severity.model
        content.icon = summary.icon
        content.percentage = summary.percentage
        content.metrics = try summary.metrics.sorted { $0.key < $1.key }.map { name, value in
            guard let metric = Metric(name, value) else {
                throw Self.failure("the metric \(PlainText.line(name, upTo: 60)) has no name or no number")
            }
            return metric
        }
        content.tooltip = summary.tooltip
        content.nextUpdate = summary.nextUpdate.map(TimeSpan.init)
        content.relevance = summary.relevance?.model
        content.compact = compact
        content.expanded = expanded == compact ? nil : expanded
        content.compactRows = context.preferredSizes.rows(in: .compact)
        content.expandedRows = context.preferredSizes.rows(in: .expanded)
        content.insets = insets.model
        return content
    }

    /// Draws the body in a mode, as if that were the active one.
    private func view(in mode: NCWidgetDisplayMode) -> TodayModel.View? {
        let active = context.widgetActiveDisplayMode
        context.widgetActiveDisplayMode = mode
        defer { context.widgetActiveDisplayMode = active }
        return widget.body.loweredToOne(Inherited(mode: mode))
    }

    // MARK: Checks

    /// Checks content by the same rules as todayd, so that a preview fails in the same way. In a run that todayd has started,
    /// todayd checks the content itself; checking it here, too, would cost an eighth of an update of the weather.
    private static func check(_ content: Content) throws {
        if Surroundings.current.variables["TODAYD"] == "1" { return }
        let field = JSONField(root: content.json)
        do {
            try field.checkNumbers()
            _ = try Content(field)
        } catch {
            throw failure("\(error)")
        }
    }

    private static func failure(_ reason: String) -> WidgetFailure {
        WidgetFailure("the widget drew what cannot be shown: \(reason)")
    }
}

extension JSONField {
    /// Throws at the first number that JSON cannot express: an infinity or NaN.
    fileprivate func checkNumbers() throws(JSONMismatch) {
        switch value {
        case .double(let number) where !number.isFinite: throw fail("is not a finite number")
        case .array: for element in try array() { try element.checkNumbers() }
        case .object: for member in try members() { try member.field.checkNumbers() }
        default: break
        }
    }
}

extension TodayModel.View {
    /// The first line of text in this view.
    fileprivate var firstText: String? {
        let text: String? =
            switch self {
            case .text(let text): text.text
            case .item(let item): item.title
            case .progress(let progress): progress.label
            case .chart(let chart): chart.label
            case .link(let link): link.title
            default: nil
            }
        let line = text?.split { $0.isNewline }.first.map { String($0.map { $0 == "\t" ? " " : $0 }) }
        return line.map(Content.summary) ?? children.lazy.compactMap(\.firstText).first
    }
}
