// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// A module for Waybar's configuration that shows an imported widget in place of the module's program.
enum WaybarReplacement {
    /// Keys about the program, which todayd now runs. All others stay: they say how the module looks and what clicks do.
    private static let replaced: Set<String> = [
        "exec", "exec-if", "exec-on-event", "interval", "restart-interval", "return-type", "signal", "escape",
    ]

    /// - Parameter client: the program that shows the widget, with the options that choose its daemon.
    static func object(for module: JSONObject, showing id: WidgetID, with client: String) -> JSONObject {
        // The format of the module contains its symbol. The text is already markup. Waybar restarts a program that has ended.
        var object: JSONObject = [
            "exec": .string("\(client) bar waybar --no-icon \(id)"), "return-type": "json", "restart-interval": 5,
        ]
        for (key, value) in module where !replaced.contains(key) { object[key] = value }
        return object
    }
}
