// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// A module for Waybar's configuration that shows an imported widget in place of the module's program.
enum WaybarReplacement {
    /// Keys about the program, which todayd runs now. All others stay: they say how the module looks and what clicks do.
    private static let replaced: Set<String> = [
        "exec", "exec-if", "exec-on-event", "interval", "restart-interval", "return-type", "signal", "escape",
    ]

    static func object(for module: JSONObject, showing id: WidgetID) -> JSONObject {
        var object: JSONObject = [
            "exec": .string("todayctl --json watch \(id) | jq --unbuffered -c '\(filter)'"), "return-type": "json",
            // Content is text, and Waybar reads markup.
            "escape": true, "restart-interval": 5,
        ]
        for (key, value) in module where !replaced.contains(key) { object[key] = value }
        return object
    }

    /// Makes an item of `todayctl watch` what waybar-custom(5) wants. Waybar hides a module whose text is empty.
    private static let filter =
        ".items[] | {text: (if .visible then .content.text // \"…\" else \"\" end), "
        + "tooltip: (.failure // .content.tooltip // .content.text // \"\"), "
        + "class: [.state, .content.severity // \"normal\", if .stale then \"stale\" else empty end], "
        + "percentage: (.content.percentage // 0 | round)}"
}
