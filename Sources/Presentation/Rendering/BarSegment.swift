// SPDX-License-Identifier: MIT

import TodayModel

/// What a bar shows of one widget. Each form of bar makes its output from it, in a file of its own.
package struct BarSegment: Hashable, Sendable {
    /// One line without control characters; empty for a widget that is not in the view.
    package let text: String
    let face: Face
    /// Replaces the text if there is little room.
    package let shortText: String?
    /// Its content in words; empty for a widget that is not in the view, unless its program has given a tooltip.
    package let tooltip: String
    /// The state, the severity unless it is normal, `stale`, and the program's own classes.
    package let classes: [String]
    /// The program's own word that selects the icon.
    let variant: String?
    package let percentage: Double?
    /// The colour of the content or of its severity, or the one for content that is not fresh.
    package let color: Color?
    /// The same if the program has given it as an exact one, which no style sheet knows.
    let exactColor: Color?
    package let severity: Severity
    package let id: WidgetID
    let name: String
    package let state: WidgetState
    let isFailing: Bool
    let isStale: Bool
    let ageInSeconds: Int64?

    /// - Parameters:
    ///   - presentation: its width is that of the tooltip.
    ///   - hasSymbol: whether the widget's symbol and label come before its text, and its format counts.
    ///   - hasMark: whether words say that the content is not fresh.
    ///   - page: which of the widget's summaries it shows; 0 is the first one, and after the last one they begin again.
    package init(
        _ item: Item, _ presentation: Presentation, page: Int = 0, hasSymbol: Bool = true, hasMark: Bool = true
    ) {
        let content = item.isVisible ? item.content : nil
        // For content without text, a bar may have a symbol: format-icons of Waybar.
        let own = item.isVisible || item.state == .empty ? item.content : nil
        let pages = content.map { [Page($0.text, color: $0.color)] + $0.pages } ?? []
        let shown = pages.isEmpty ? nil : pages[(page % pages.count + pages.count) % pages.count]
        id = item.id
        let face = hasSymbol ? item.face : Face()
        self.face = face
        name = item.name
        state = item.state
        severity = content?.severity ?? .normal
        classes =
            [item.state.rawValue] + (severity == .normal ? [] : [severity.rawValue]) + (item.stale ? ["stale"] : [])
            + (own?.classes ?? [])
        variant = own?.variant
        percentage = own?.percentage
        let color = Self.color(of: item, content, shown)
        self.color = color
        exactColor = if case .rgb? = color, color == shown?.color { color } else { nil }
        isFailing = item.isFailing
        isStale = item.stale
        ageInSeconds =
            presentation.isLasting && !item.hasVisibleAge
            ? nil : item.age(at: presentation.now).map { $0.microseconds / 1_000_000 }
        let symbol = hasSymbol ? item.symbol.flatMap { Symbol.glyph($0, presentation.charset)?.text } : nil
        let mark = hasMark ? item.mark(at: presentation.now) : nil
        func line(_ text: String?) -> String { Self.line(symbol, text, mark, in: face, of: item, presentation) }
        text = item.isVisible ? line(shown?.text) : ""
        // The short text belongs to the first summary only.
        shortText = shown?.text == content?.text ? (content?.short).map(line) : nil
        tooltip = item.isVisible || own?.tooltip != nil ? Tooltip(item, presentation).text : ""
    }

    /// The symbol, the text, and the age if the content is not fresh. Without content, the name identifies the widget.
    private static func line(
        _ symbol: String?, _ text: String?, _ mark: String?, in face: Face, of item: Item,
        _ presentation: Presentation
    ) -> String {
        let line = (face.format ?? .standard).line { place in
            switch place {
            case .icon: symbol ?? ""
            case .label: face.label.map { presentation.printable($0).text } ?? ""
            case .name: presentation.printable(item.name).text
            case .text: presentation.printable(text ?? item.name).text
            case .short: presentation.printable(item.content?.short ?? text ?? item.name).text
            case .percentage: item.content?.percentage.map { "\(Int(min(max($0, 0), 100).rounded()))" } ?? ""
            }
        }
        return [line, mark ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// As on a card, failing content is red, and stale content has no colour that suggests all is well.
    private static func color(of item: Item, _ content: Content?, _ page: Page?) -> Color? {
        guard item.isVisible else { return nil }
        if item.isFailing { return .meaning(.critical) }
        switch content?.severity {
        case .normal, .good, .info, nil: if item.stale { return .meaning(.secondary) }
        case .warning, .critical: break
        }
        return page?.color ?? content?.severity.color ?? item.face.color
    }
}

extension [BarSegment] {
    /// Those that show something.
    var shown: [BarSegment] { filter { !$0.text.isEmpty } }

    /// All texts in one line.
    var joinedText: String { shown.map(\.paddedText).joined(separator: BarSegment.gap) }

    /// The first of the segments that need attention most. It gives its colour to all of them.
    var mostUrgent: BarSegment? {
        filter { $0.color != nil }.enumerated().max {
            ($0.element.urgency, $1.offset) < ($1.element.urgency, $0.offset)
        }?
        .element
    }
}

extension BarSegment {
    /// Between segments in one line.
    static let gap = " · "

    /// The text padded to the widget's least width in bars, for bars that know no widths.
    var paddedText: String {
        let missing = (face.width ?? 0) - Printable(text, .unicode).width
        return missing > 0 ? text + String(repeating: " ", count: missing) : text
    }

    /// Grows with the need for attention.
    fileprivate var urgency: Int {
        if severity == .critical { return 6 }
        if isFailing { return 5 }
        switch severity {
        case .warning, .critical: return 4
        case .normal, .good, .info: break
        }
        return isStale ? 3 : severity == .info ? 2 : severity == .good ? 1 : 0
    }

    /// The percentage as a whole number within the range that programs expect.
    var wholePercentage: Int? {
        percentage.flatMap { $0.isFinite ? Int(min(max($0, -1_000_000), 1_000_000).rounded()) : nil }
    }
}

extension Item {
    /// Whether the user should be told that the widget does not work: its last run has failed, or its manifest is invalid.
    var isFailing: Bool { state.isTrouble }

    /// Whether a bar shows how old the content is.
    package var hasVisibleAge: Bool { isDimmed || isFailing }

    /// The words after the text of content that is not fresh: `(stale, 12 min)`.
    func mark(at now: WallTime) -> String? {
        guard hasVisibleAge || content == nil else { return nil }
        let words = freshness(at: now)
        return words.isEmpty ? nil : "(\(words))"
    }
}

extension Color {
    /// The digits of an exact colour, or those for a meaning on a dark bar, such as `#ff6b6b`.
    var digits: String {
        switch self {
        case .rgb: text
        case .meaning(.primary): "#ffffff"
        case .meaning(.secondary): "#a0a0a0"
        case .meaning(.accent): "#6cb6ff"
        case .meaning(.good): "#7fd17f"
        case .meaning(.warning): "#ffc457"
        case .meaning(.critical): "#ff6b6b"
        }
    }
}
