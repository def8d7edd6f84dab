// SPDX-License-Identifier: MIT
import TodayModel
import Varlink

/// Draws the body of a widget into content, for both display modes, and finds the author's mistakes in it.
@MainActor
struct Snapshot<Widget: TodayWidget> {
    let widget: Widget
    let context: ExtensionContext

    init(_ widget: Widget, _ context: ExtensionContext) {
        self.widget = widget
        self.context = context
    }

    func content() throws -> Content {
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
        content.compact = compact
        content.expanded = expanded == compact ? nil : expanded
        content.insets = insets.model
        try Self.check(content)
        return content
    }

    /// What the body shows in a mode. In the mode that is not the active one the widget has all the room there is.
    private func view(in mode: NCWidgetDisplayMode) -> TodayModel.View? {
        let (active, preferred) = (context.widgetActiveDisplayMode, context.preferredContentSize)
        if mode != active {
            context.widgetActiveDisplayMode = mode
            context.preferredContentSize = nil
        }
        defer {
            context.widgetActiveDisplayMode = active
            context.preferredContentSize = preferred
        }
        return widget.body.loweredToOne(Inherited(mode: mode))
    }

    /// The same rules as the daemon's, so that a preview shows every mistake.
    private static func check(_ content: Content) throws {
        let field = JSONField(root: content.json)
        do {
            try field.checkNumbers()
            _ = try Content(field)
        } catch {
            throw WidgetFailure("the widget drew what cannot be shown: \(error)")
        }
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
    /// The first line of text that somebody reads here.
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

extension TimeSpan {
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let whole = TimeSpan(microseconds: seconds) * 1_000_000
        self = whole + TimeSpan(microseconds: attoseconds / 1_000_000_000_000)
    }
}
