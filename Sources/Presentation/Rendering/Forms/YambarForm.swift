// SPDX-License-Identifier: MIT

import TodayModel

/// The tags of a script module of yambar: `name|type|value` on a line each, and an empty line at the end of each update
/// (yambar-modules-script(5)). A value ends at its line and is not read any further, so that it needs no escape.
enum YambarForm {
    /// The tags of one widget. Those of several have the identifier in front of their names, and `text` has all texts.
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
