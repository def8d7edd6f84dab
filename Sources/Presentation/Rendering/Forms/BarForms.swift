// SPDX-License-Identifier: MIT

import JSON
import TodayModel

/// The protocol that i3bar and swaybar read (swaybar-protocol(7)).
enum I3BarForm {
    /// One line of status: an array of blocks. i3bar leaves out a block without a text.
    static func statusLine(_ segments: [BarSegment]) -> JSON {
        .array(segments.map(\.i3bar))
    }
}

extension BarSegment {
    /// A block of the i3bar protocol. A block without a name gets no clicks. Without markup, text full of < and & arrives
    /// unchanged.
    package var i3bar: JSON {
        var object: JSONObject = ["name": "todayd", "instance": .string(id.text), "full_text": .string(text)]
        object["short_text"] = shortText.map(JSON.string)
        object["color"] = color.map { .string($0.digits) }
        object["background"] = face.background.map { .string($0.digits) }
        object["border"] = face.border.map { .string($0.digits) }
        object["separator"] = face.hasSeparator.map(JSON.bool)
        // The width of a text.
        object["min_width"] = face.width.map { .string(String(repeating: "0", count: $0)) }
        if severity == .critical { object["urgent"] = true }
        object["markup"] = "none"
        return .object(object)
    }
}

/// The lines of a block of i3blocks: full text, short text and colour. All widgets together are one block.
enum I3BlocksForm {
    /// i3blocks shows a block whose command exits like this as urgent.
    static let urgentStatus: Int32 = 33

    /// Whether the bar should draw attention to the widget.
    static func isUrgent(_ item: Item) -> Bool {
        item.isVisible && item.content?.severity == .critical
    }

    /// Empty if there is no text, because i3blocks leaves out a block without a full text. The short text is never empty,
    /// because i3bar shows it even then if there is little room.
    static func text(_ segments: [BarSegment]) -> String {
        let shown = segments.shown
        if shown.isEmpty { return "" }
        let short = shown.map { $0.shortText ?? $0.text }.joined(separator: BarSegment.gap)
        let color = shown.mostUrgent?.color.map { $0.digits + "\n" } ?? ""
        return "\(shown.joinedText)\n\(short)\n\(color)"
    }
}

/// A line with the formatting tags of polybar, as a `custom/script` module prints it.
enum PolybarForm {
    /// - Parameter click: the command for a button of the mouse, 4 and 5 for the wheel; nil for none.
    static func text(_ segments: [BarSegment], click: ((BarSegment, Int) -> String?)? = nil) -> String {
        let texts = segments.shown.map { segment in
            guard let click else { return tagged(segment) }
            return (1...5).reduce(tagged(segment)) { text, button in
                // A colon ends the command, unless a backslash stands before it.
                guard let command = click(segment, button)?.split(separator: ":", omittingEmptySubsequences: false)
                else { return text }
                return "%{A\(button):\(command.joined(separator: "\\:")):}\(text)%{A}"
            }
        }
        return texts.joined(separator: BarSegment.gap) + "\n"
    }

    private static func tagged(_ segment: BarSegment) -> String {
        var text = escaped(segment.paddedText)
        if let color = segment.color { text = "%{F\(color.digits)}\(text)%{F-}" }
        return segment.face.background.map { "%{B\($0.digits)}\(text)%{B-}" } ?? text
    }

    /// polybar has no escape for `%{`, which begins a tag. An offset of zero width between the two characters keeps them apart.
    static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if previous == "%", scalar == "{" { escaped.append(contentsOf: "%{O0}".unicodeScalars) }
            escaped.append(scalar)
            previous = scalar
        }
        return String(escaped)
    }
}

/// The tags of a script module of yambar: `name|type|value` on a line each, and an empty line at the end of each update
/// (yambar-modules-script(5)). A value extends to the end of its line and is not interpreted, so it needs no escape.
enum YambarForm {
    /// The tags of one widget. If there are several, their names begin with the identifier, and `text` contains all texts.
    static func text(_ segments: [BarSegment]) -> String {
        if segments.count == 1 { return tags(segments[0]) + "\n" }
        let each = segments.map { tags($0, prefix: $0.id.text + ".") }.joined()
        return tag("text", "string", segments.shown.joinedText) + each + "\n"
    }

    private static func tags(_ segment: BarSegment, prefix: String = "") -> String {
        func tag(_ name: String, _ type: String, _ value: String) -> String { Self.tag(prefix + name, type, value) }
        var tags = tag("text", "string", segment.text)
        tags += tag("short", "string", segment.shortText ?? segment.text)
        tags += tag("state", "string", segment.state.rawValue)
        tags += tag("severity", "string", segment.severity.rawValue)
        tags += tag("failing", "bool", "\(segment.isFailing)")
        tags += tag("stale", "bool", "\(segment.isStale)")
        if let color = segment.color { tags += tag("color", "string", color.digits) }
        if let seconds = segment.ageInSeconds { tags += tag("age", "int", "\(seconds)") }
        if let percentage = segment.wholePercentage {
            tags += tag("percentage", "range:0-100", "\(min(max(percentage, 0), 100))")
        }
        return tags
    }

    private static func tag(_ name: String, _ type: String, _ value: String) -> String { "\(name)|\(type)|\(value)\n" }
}

/// A line for `#(…)` in the status line of tmux.
enum TmuxForm {
    static func text(_ segments: [BarSegment]) -> String {
        segments.shown.map(styled).joined(separator: BarSegment.gap) + "\n"
    }

    /// The style in force before the segment is restored after it.
    private static func styled(_ segment: BarSegment) -> String {
        let styles = [("fg", segment.color), ("bg", segment.face.background)].compactMap { name, color in
            color.map { "\(name)=\($0.digits)" }
        }
        if styles.isEmpty { return escaped(segment.paddedText) }
        let text = escaped(segment.paddedText, beforeStyle: true)
        return "#[push-default \(styles.joined(separator: ","))]\(text)#[default pop-default]"
    }

    /// tmux expands the output of a command as a format, and then draws it. Both turn `##` into `#`, but expanding leaves it
    /// alone before `[`.
    static func escaped(_ text: String, beforeStyle: Bool = false) -> String {
        var escaped = String.UnicodeScalarView()
        var signs = 0
        func signsInFront(ofBracket: Bool) -> String.UnicodeScalarView {
            String(repeating: "#", count: signs * (ofBracket ? 2 : 4)).unicodeScalars
        }
        for scalar in text.unicodeScalars {
            if scalar == "#" {
                signs += 1
                continue
            }
            escaped.append(contentsOf: signsInFront(ofBracket: scalar == "["))
            signs = 0
            escaped.append(scalar)
        }
        escaped.append(contentsOf: signsInFront(ofBracket: beforeStyle))
        return String(escaped)
    }
}

/// The tags of the generic monitor in Xfce's panel (xfce4-genmon-plugin). Text and tooltip are Pango markup.
enum GenmonForm {
    /// - Parameter menu: the command for a click; nil for none.
    static func text(_ segments: [BarSegment], menu: String? = nil) -> String {
        let shown = segments.shown
        let text = shown.map { Markup.pango($0.text, $0.color) }.joined(separator: BarSegment.gap)
        let tooltip = shown.map { Markup.escaped($0.tooltip) }.joined(separator: "\n\n")
        var tags = "<txt>\(text)</txt>\n<tool>\(tooltip)</tool>\n"
        if let menu { tags += "<txtclick>\(menu)</txtclick>\n" }
        // The panel has one bar.
        if shown.count == 1, let percentage = shown[0].wholePercentage {
            tags += "<bar>\(min(max(percentage, 0), 100))</bar>\n"
        }
        return tags
    }
}
