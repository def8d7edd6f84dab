// SPDX-License-Identifier: MIT

import JSON
import TodayModel

/// What a bar shows of one widget. The formats of bars are made of it.
package struct BarSegment: Hashable, Sendable {
    /// One line without control characters; empty for a widget that is not in the view.
    package let text: String
    /// In place of the text where there is little room.
    package let shortText: String?
    /// The card as plain text.
    package let tooltip: String
    /// The state, the severity unless it is normal, and `stale`.
    package let classes: [String]
    package let percentage: Double?
    package let color: Color?
    package let severity: Severity
    let id: WidgetID
    let state: WidgetState

    /// - Parameter presentation: its width is that of the tooltip.
    package init(_ item: Item, _ presentation: Presentation) {
        let content = item.isVisible ? item.content : nil
        id = item.id
        state = item.state
        severity = content?.severity ?? .normal
        classes =
            [item.state.rawValue] + (severity == .normal ? [] : [severity.rawValue]) + (item.stale ? ["stale"] : [])
        percentage = content?.percentage
        color = content?.color ?? severity.color
        text = item.isVisible ? Self.text(content?.text, of: item, presentation) : ""
        shortText = content?.short.map { Self.text($0, of: item, presentation) }
        if item.isVisible {
            let card = Card(item, presentation, extent: .whole).lines(width: presentation.width).map { $0.text() }
            tooltip = ([content?.tooltip].compactMap { $0 } + card).joined(separator: "\n")
        } else {
            tooltip = ""
        }
    }

    /// The symbol, the text, and the age of what is not fresh. Without content, the name says which widget it is.
    private static func text(_ text: String?, of item: Item, _ presentation: Presentation) -> String {
        let symbol = item.content?.icon.flatMap { Symbol.glyph($0, presentation.charset)?.text }
        let isPast = item.isPast || item.state == .failing || item.content == nil
        let mark = isPast ? "(\(item.freshness(at: presentation.now)))" : nil
        return [symbol, presentation.printable(text ?? item.name).text, mark].compactMap { $0 }.joined(separator: " ")
    }
}

// MARK: - The protocols of bars

extension BarSegment {
    /// As a custom module of Waybar with `return-type: json` reads it, text and tooltip as Pango markup (waybar-custom(5)).
    package var waybar: JSON {
        var object: JSONObject = [
            "text": .string(Markup.escaped(text)), "alt": .string(state.rawValue),
            "tooltip": .string(Markup.escaped(tooltip)), "class": JSON(classes),
        ]
        object["percentage"] = percentage.map { .int(Int64($0.rounded())) }
        return .object(object)
    }

    /// A block of the i3bar protocol, which i3bar and swaybar read (swaybar-protocol(7)). A block without a name gets no
    /// clicks, and without markup a text full of < and & arrives as it is.
    package var i3bar: JSON {
        var object: JSONObject = ["name": "todayd", "instance": .string(id.text), "full_text": .string(text)]
        object["short_text"] = shortText.map(JSON.string)
        object["color"] = color.map { .string($0.digits) }
        if severity == .critical { object["urgent"] = true }
        object["markup"] = "none"
        return .object(object)
    }
}

extension Color {
    /// The digits of an exact colour, or those of a meaning on a dark bar, such as `#ff6b6b`.
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
