// SPDX-License-Identifier: MIT

import ClientTestSupport
import JSON
import Rendering
import Testing
import TodayModel

@testable import Link
@testable import Watch

/// Widgets and screens for the tests of `todayctl watch`.
enum WatchSamples {
    static let now = WallTime(microseconds: 1_800_000_000_000_000)

    /// - Parameter change: more members of the item, or members with other values.
    static func item(
        _ name: String, position: Int, views: [JSON] = [line("text")], expanded: [JSON]? = nil, change: JSONObject = [:]
    ) -> JSON {
        var change = change
        change["taken"] = .int(now.microseconds)
        if expanded != nil, change["largestMode"] == nil { change["largestMode"] = "expanded" }
        return Wire.item("org.a.\(name)", position: position, text: name, change: change) { content in
            content["compact"] = .array(views)
            content["expanded"] = expanded.map(JSON.array)
        }
    }

    /// Text that is no value, so that its widget is a card of two rows.
    static func line(_ text: String) -> JSON { ["type": "text", "text": .string(text), "style": "monospace"] }

    static func button(_ title: String) -> JSON {
        ["type": "button", "title": .string(title), "action": .string(title.lowercased())]
    }

    static func link(_ title: String) -> JSON {
        ["type": "link", "title": .string(title), "url": .string("https://\(title).example")]
    }

    static func menuItem(_ title: String, terminal: Bool, more: JSONObject = [:]) -> JSON {
        var item: JSONObject = ["type": "item", "title": .string(title), "command": ["echo", .string(title)]]
        if terminal { item["terminal"] = true }
        for (name, value) in more { item[name] = value }
        return .object(item)
    }

    /// `plain` has nothing, `one` a button, `two` a button and a link, `page` another mode, `form` an editor.
    static let standard: [JSON] = [
        item("plain", position: 0),
        item("one", position: 1, views: [button("Go")]),
        item("two", position: 2, views: [button("Done"), link("home")]),
        item("page", position: 3, expanded: [line("more")]),
        item("form", position: 4, change: ["allowsEditing": true]),
    ]

    static func presentation(_ width: Int = 80, _ now: WallTime = now) -> Presentation {
        Presentation(width: width, now: now)
    }

    static func state(
        _ items: [JSON] = standard, columns: Int = 60, rows: Int = 40,
        _ change: (inout WatchState.Options) -> Void = { _ in }
    ) throws -> WatchState {
        var options = WatchState.Options()
        options.hasHead = false
        change(&options)
        var state = WatchState(options, presentation(columns))
        state.resize(Size(columns: columns, rows: rows), presentation(columns))
        try state.apply(["items": .array(items), "removed": []])
        _ = state.frame()
        return state
    }

    static func id(_ name: String) throws -> WidgetID { try #require(WidgetID("org.a.\(name)")) }
}

extension WatchState {
    /// Types the characters. Names of other keys stand in `<>`.
    mutating func type(_ keys: String) -> [WatchEffect] {
        var effects: [WatchEffect] = []
        var rest = keys[...]
        while let first = rest.unicodeScalars.first {
            if first == "<", let end = rest.firstIndex(of: ">"),
                let key = Self.named[String(rest[rest.index(after: rest.startIndex)..<end])]
            {
                effects += handle(.key(key))
                rest = rest[rest.index(after: end)...]
            } else {
                effects += handle(.key(.text(first)))
                rest = Substring(rest.unicodeScalars.dropFirst())
            }
        }
        return effects
    }

    private static let named: [String: Key] = [
        "up": .up, "down": .down, "left": .left, "right": .right, "pgup": .pageUp, "pgdn": .pageDown, "home": .home,
        "end": .end, "enter": .enter, "esc": .escape, "bs": .backspace, "tab": .tab, "^c": .control("c"),
        "^z": .control("z"), "^l": .control("l"), "^u": .control("u"),
    ]

    /// The rows of the screen as text.
    func rows() -> [String] {
        var drawn = self
        return drawn.frame().rows.map { $0.text() }
    }

    func bottom() -> String { rows().last ?? "" }

    func change(after now: WallTime) -> TimeSpan? {
        var drawn = self
        return drawn.nextChange(after: now)
    }

    /// The name of the selected widget.
    var selected: String { selection.map { $0.text.split(separator: ".").last.map(String.init) ?? "" } ?? "" }
}

extension WatchDeed {
    /// The call that it makes, or the command that it starts, for tables.
    var spelled: String {
        guard let call = call() else { return words().joined(separator: " ") }
        let values = ["id", "action", "url", "mode", "editing", "to", "other", "point"].compactMap {
            call.parameters[$0]
        }
        return ([call.member] + values.map { $0.stringValue ?? $0.text }).joined(separator: " ")
    }
}
