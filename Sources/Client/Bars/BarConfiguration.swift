// SPDX-License-Identifier: MIT

import JSON
import Rendering
import Spelling
import TodayModel

/// What a user puts into the configuration of a bar, so that it shows widgets.
struct BarConfiguration {
    private let bar: Bar
    private let widgets: [Item]

    init(_ bar: Bar, _ widgets: [Item]) {
        self.bar = bar
        self.widgets = widgets
    }

    var text: String { lines.map { $0 + "\n" }.joined() }

    private var lines: [String] {
        switch bar.kind {
        case .waybar: waybar
        case .i3bar:
            [
                "# In the configuration of sway or i3:", "bar {", "    status_command \(command)",
                "    separator_symbol \"·\"", "}",
            ]
        case .polybar:
            [
                "; In the configuration of polybar, with 'today' in one of its lists of modules:", "[module/today]",
                "type = custom/script", "exec = \(command)", "tail = true", "label-padding = 1",
            ]
        case .tmux:
            [
                "# In ~/.tmux.conf:", "set -g status-right \(Self.quotedForTmux("#(\(command))"))",
                "set -g status-right-length 200", "set -g status-interval 1",
                "# A click shows what the widgets offer, with 'set -g mouse on':",
                "bind -n MouseDown1StatusRight display-popup -E -w 60 \(Self.quotedForTmux(bar.menuCommand(widgets.map(\.id))))",
            ]
        case .yambar:
            [
                "# In a list of modules of ~/.config/yambar/config.yml:", "- script:", "    path: /bin/sh",
                "    args: [-c, \(Self.quoted("exec \(command)"))]",
                "    content:", "      string:", "        text: \"{text}\"", "        left-margin: 8",
                "        right-margin: 8", "        on-click: \(Self.quoted(bar.menuCommand(widgets.map(\.id))))",
            ]
        case .genmon:
            ["# The command of a Generic Monitor in Xfce's panel, with a period of some seconds:", command]
        case .key, .json:
            ["# A process that prints a line whenever something changes:", command]
        }
    }

    /// In double quotes, in which tmux(1) interprets backslashes and variables.
    private static func quotedForTmux(_ text: String) -> String {
        "\"" + text.map { "\"\\$".contains($0) ? "\\\($0)" : "\($0)" }.joined() + "\""
    }

    /// A JSON string is also a YAML string.
    private static func quoted(_ text: String) -> String { JSON.string(text).text }

    private var command: String { words(of: ["bar", bar.kind.rawValue] + options + widgets.map(\.id.text)) }

    private var options: [String] {
        var options: [String] = []
        if bar.ids.isEmpty, let point = bar.point { options += ["--point", point.name] }
        if !bar.hasSymbols { options.append("--no-icon") }
        if bar.kind != .waybar { options += bar.choices.words.flatMap { ["--click", $0] } }
        if let interval = bar.turnInterval { options += ["--turn", interval.text] }
        return options
    }

    private func words(of words: [String]) -> String {
        ShellWords.text(of: ["todayctl"] + bar.daemonOptions + words)
    }

    // MARK: Waybar

    /// A module for each widget, or one for all.
    private var waybar: [String] {
        let modules =
            widgets.isEmpty ? [("custom/today", module(nil))] : widgets.map { (name(of: $0.id), module($0)) }
        var lines = [
            "// In the configuration of Waybar, with \(modules.map { Self.quoted($0.0) }.joined(separator: ", ")) in a list such as "
                + "\"modules-right\":"
        ]
        for (name, module) in modules { lines.append("\(Self.quoted(name)): \(JSON.object(module).pretty),") }
        return lines + ["", "/* In its style.css: */"] + Self.waybarStyle
    }

    private static let longestKept = 20

    /// Every module has the class `today`. A monospaced font keeps the columns of a tooltip aligned.
    private static let waybarStyle = [
        ".today { padding: 0 8px; }", ".today.warning { color: #ffc457; }",
        ".today.critical, .today.failing { color: #ff6b6b; }", ".today.stale { opacity: 0.6; }",
        "tooltip label { font-family: monospace; }",
    ]

    /// Names in a style sheet contain no dots. Two hyphens keep `a-b` and `a.b` apart.
    private func name(of id: WidgetID) -> String {
        "custom/today-" + id.text.map { $0 == "." ? "-" : $0 == "-" ? "--" : "\($0)" }.joined()
    }

    func module(_ item: Item?) -> JSONObject {
        var object: JSONObject = [
            "exec": .string(words(of: ["bar", "waybar"] + options + (item.map { [$0.id.text] } ?? []))),
            "return-type": "json",
            // Waybar restarts a program that has ended.
            "restart-interval": 5,
        ]
        guard let item else { return object }
        // A number that gets more digits moves no other module.
        if let width = item.face.width {
            object["min-length"] = JSON(width)
        } else if item.content?.text.contains(where: \.isNumber) == true {
            let line = BarSegment(item, Presentation(width: Bar.tooltipWidth, now: .now), hasMark: false).text
            if line.count <= Self.longestKept { object["min-length"] = JSON(line.count) }
        }
        for (key, button) in [
            ("on-click", 1), ("on-click-middle", 2), ("on-click-right", 3), ("on-scroll-up", 4), ("on-scroll-down", 5),
        ] {
            object[key] = bar.clickCommand(item.id, button).map(JSON.string)
        }
        return object
    }
}
