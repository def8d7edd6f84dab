// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// Draws the body of a widget into content, for both display modes and all dates, and finds the author's mistakes in it.
@MainActor
struct Snapshot<Widget: TodayWidget> {
    let widget: Widget
    let context: ExtensionContext

    init(_ widget: Widget, _ context: ExtensionContext) {
        self.widget = widget
        self.context = context
    }

    /// What is shown from now on.
    func content() throws -> Content {
        var content = drawn(at: .now)
        // An editor has no future: it is there until the user has done.
        if !context.isEditing, let timeline = widget.timeline { content.timeline = try drawn(timeline) }
        try Self.check(content)
        return content
    }

    /// What is shown before the first answer, and says nothing of what comes after it.
    func placeholder() throws -> Content {
        var content = drawn(at: .now)
        content.nextUpdate = nil
        try Self.check(content)
        return content
    }

    /// When to ask next although there is no new content.
    func nextUpdate() throws -> TimeSpan? {
        guard let nextUpdate = widget.summary.nextUpdate else { return nil }
        var content = Content(text: "")
        content.isEmpty = true
        content.nextUpdate = TimeSpan(nextUpdate)
        try Self.check(content)
        return content.nextUpdate
    }

    // MARK: Drawing

    private func drawn(_ timeline: Timeline) throws -> TodayModel.Timeline {
        let most = ContentLimits.timelineEntries
        guard timeline.entries.count <= most else {
            throw Self.mistake(
                "timeline: has \(timeline.entries.count) entries, more than \(most); give the first, and ask again with "
                    + "the policy atEnd")
        }
        guard !timeline.entries.isEmpty else { throw Self.mistake("timeline: has no entries; without any, return nil") }
        let entries = timeline.entries.map { entry in
            var content = drawn(at: entry.date)
            // Of all entries the summary says the same here, and it is said once, beside the timeline.
            content.nextUpdate = nil
            if let relevance = entry.relevance { content.relevance = relevance.model }
            return TodayModel.Timeline.Entry(date: entry.date.wallTime, content: content)
        }
        return TodayModel.Timeline(entries, policy: timeline.policy.model)
    }

    private func drawn(at date: Timestamp) -> Content {
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
            // There is something to see but nothing to say; a host that has one line shows at least whose it is.
            if !content.isEmpty { content.text = "\(Widget.self)" }
        }
        content.short = summary.short
        content.severity = summary.severity.model
        content.icon = summary.icon
        content.percentage = summary.percentage
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

    /// What the body shows in a mode, as if that were the active one.
    private func view(in mode: NCWidgetDisplayMode) -> TodayModel.View? {
        let active = context.widgetActiveDisplayMode
        context.widgetActiveDisplayMode = mode
        defer { context.widgetActiveDisplayMode = active }
        return widget.body.loweredToOne(Inherited(mode: mode))
    }

    // MARK: Mistakes

    /// The same rules as the daemon's, so that a preview shows every mistake.
    private static func check(_ content: Content) throws {
        let field = JSONField(root: content.json)
        do {
            try field.checkNumbers()
            _ = try Content(field)
        } catch {
            throw mistake("\(error)")
        }
    }

    private static func mistake(_ words: String) -> WidgetFailure {
        WidgetFailure("the widget drew what cannot be shown: \(words)")
    }
}

extension JSONField {
    /// JSON has no infinities, and what is not a number is none.
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
    /// The first line of text that people read here.
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
