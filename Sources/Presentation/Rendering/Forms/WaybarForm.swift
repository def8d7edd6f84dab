// SPDX-License-Identifier: MIT

import JSON

extension BarSegment {
    /// The segment as a custom module of Waybar with `return-type: json` reads it, with text and tooltip as Pango markup
    /// (waybar-custom(5)).
    package var waybar: JSON { WaybarForm.object([self]) }
}

/// The object of a custom module of Waybar, which other shells read, too.
enum WaybarForm {
    /// One module that shows several widgets.
    static func object(_ segments: [BarSegment]) -> JSON {
        let texts = segments.shown.map { Markup.pango($0.paddedText, $0.exactColor) }
        return .object(members(segments, text: texts.joined(separator: BarSegment.gap), escape: Markup.escaped))
    }

    /// The same without markup, and with everything about each widget, for shells that are programmed.
    static func listing(_ segments: [BarSegment]) -> JSON {
        var object = members(segments, text: segments.shown.joinedText) { $0 }
        object["widgets"] = .array(segments.map(details))
        return .object(object)
    }

    static func members(_ segments: [BarSegment], text: String, escape: (String) -> String) -> JSONObject {
        let shown = segments.shown
        // One class for all modules, so that a style sheet needs one rule: `.today.warning`.
        var classes = ["today"]
        for name in segments.flatMap(\.classes) where !classes.contains(name) { classes.append(name) }
        // One module may show an icon for content without text.
        let described = segments.count == 1 && segments[0].variant != nil ? segments : shown
        let tooltip = described.map(\.tooltip).filter { !$0.isEmpty }.joined(separator: "\n\n")
        let first = shown.mostUrgent ?? shown.first ?? segments.first
        var object: JSONObject = [
            "text": .string(text),
            "alt": .string(first.map { $0.variant.map(escape) ?? $0.state.rawValue } ?? "empty"),
            "tooltip": .string(escape(tooltip)), "class": JSON(classes),
        ]
        // A module has one.
        if segments.count == 1 { object["percentage"] = segments[0].wholePercentage.map { JSON($0) } }
        return object
    }

    private static func details(_ segment: BarSegment) -> JSON {
        var object: JSONObject = [
            "id": .string(segment.id.text), "name": .string(segment.name), "text": .string(segment.text),
            "tooltip": .string(segment.tooltip), "class": JSON(segment.classes),
            "state": .string(segment.state.rawValue), "severity": .string(segment.severity.rawValue),
            "failing": .bool(segment.isFailing), "stale": .bool(segment.isStale),
        ]
        object["short"] = segment.shortText.map(JSON.string)
        object["variant"] = segment.variant.map(JSON.string)
        object["color"] = segment.color.map { .string($0.digits) }
        object["percentage"] = segment.wholePercentage.map { JSON($0) }
        return .object(object)
    }
}
