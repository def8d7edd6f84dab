// SPDX-License-Identifier: MIT

import Spelling
import TodayModel

/// A headline value, perhaps with one line and one bar: content that needs only half a column of the page.
struct Tile: Equatable {
    /// How large the value is drawn, so that it fits.
    enum Size: String { case large, medium, small }

    private(set) var value = View.Text("")
    /// The part after the number, which is smaller: `%`, ` of 24 G`.
    private(set) var unit = ""
    private(set) var detail: View.Text?
    private(set) var progress: View.Progress?
    private(set) var size = Size.large

    /// A tile if the user wants the widget as one, or otherwise if its content suits one and there is no failure to explain.
    init?(_ item: Item, _ content: Content) {
        switch item.face.shape {
        case .card: return nil
        case nil where item.state.isTrouble && item.failure != nil: return nil
        case nil: self.init(content, in: item.mode)
        case .tile:
            var summary = Content(text: content.text)
            (summary.color, summary.percentage, summary.severity) = (
                content.color, content.percentage, content.severity
            )
            if let tile = Tile(content, in: item.mode) { self = tile } else { self.init(summary, in: .compact) }
        }
    }

    /// Nil for content that needs a card.
    init?(_ content: Content, in mode: DisplayMode) {
        let view = content.view(for: mode)
        guard content.rows(in: mode) == nil, content.insets == nil, let parts = Self.parts(view) else { return nil }
        for part in parts {
            switch part {
            case .text(let text) where value.text.isEmpty: value = text
            case .text(let text) where detail == nil: detail = text
            case .progress(let progress) where self.progress == nil: self.progress = progress
            default: return nil
            }
        }
        // A caption may be above the value.
        if let below = detail, below.style == .title, value.style != .title { (value, detail) = (below, value) }
        if let progress, value.text.isEmpty {
            value = View.Text(progress.text ?? NumberText.percentage(progress.value))
            detail = progress.label.map { View.Text($0) }
        } else if progress?.label != nil || !(progress?.text ?? "").isEmpty {
            return nil
        }
        if case .text = view, progress == nil, let percentage = content.percentage {
            progress = View.Progress(value: percentage / 100)
        }
        (value.text, unit) = Self.split(value.text)
        guard !value.text.isEmpty, detail.map({ DisplayWidth.of($0.text) <= 24 }) ?? true, let size = fittingSize
        else { return nil }
        self.size = size
    }

    /// The texts and bars of a view that contains nothing else; nil for any other view.
    private static func parts(_ view: View) -> [View]? {
        switch view {
        case .text(let text):
            return text.text.includes("\n") || text.style == .monospace || text.alignment != .leading
                ? nil : [view]
        case .progress: return [view]
        case .stack(let stack) where stack.axis == .vertical && stack.action == nil && stack.insets == nil:
            guard stack.children.count <= 3 else { return nil }
            var parts: [View] = []
            for child in stack.children {
                if case .stack = child { return nil }
                guard let inner = Self.parts(child) else { return nil }
                parts += inner
            }
            return parts
        default: return nil
        }
    }

    /// A number and its unit: `38 %`, `38%`, `9.4 of 24 G`. Other text is not split.
    static func split(_ text: String) -> (value: String, unit: String) {
        guard let first = text.first, first.isNumber || "+-−".contains(first),
            let end = text.lastIndex(where: \.isNumber)
        else { return (text, "") }
        if text[end...].dropFirst() == "%" { return (String(text[...end]), "%") }
        guard let space = text.firstIndex(of: " "), text[space...].contains(where: { $0.isLetter || $0 == "%" }) else {
            return (text, "")
        }
        return (String(text[..<space]), String(text[space...]))
    }

    /// In the units of `cards.css`: the narrowest tile has room for 122 pixels, and a digit of a large value takes 14.
    private var fittingSize: Size? {
        let (letters, unitLetters) = (DisplayWidth.of(value.text), DisplayWidth.of(unit))
        let beside = unitLetters * 8
        if letters * 14 + beside <= 122 { return .large }
        if letters * 11 + beside <= 122 { return .medium }
        return letters * 8 + beside <= 122 ? .small : nil
    }

    /// Its markup, for the classes of `cards.css`.
    var html: String {
        var classes = ["value", size.rawValue]
        if value.weight == .bold { classes.append("bold") }
        let unit = unit.isEmpty ? "" : "<small>\(Markup.escaped(unit))</small>"
        var html =
            "<p\(Markup.attributes(classes, value.color)) dir=\"auto\">\(Markup.escaped(value.text))\(unit)</p>\n"
        if let progress { html += Markup.progress(progress, label: progress.label ?? "") + "\n" }
        if let detail {
            html +=
                "<p\(Markup.attributes(["caption"], detail.color)) dir=\"auto\">\(Markup.escaped(detail.text))</p>\n"
        }
        return "<div class=\"view\">\n\(html)</div>\n"
    }
}
