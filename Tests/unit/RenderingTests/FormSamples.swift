// SPDX-License-Identifier: MIT

import Testing
import TodayModel

@testable import Rendering

/// Widgets whose texts have what each form must escape, and whose states each form must show.
enum FormSamples {
    static let signs = #"a & b < c > d "e" 'f' %{F#f00} 100%{ #[fg=red] ##[ ##H #(id) #{x} \i | j=1; k, 🍄 é"#
    static let controls = "bell\u{7} esc\u{1B}[31m nul\u{0} c1\u{9B} line\nbreak\r\ttab\u{2028}para\u{202E}rtl\u{FFFE}"
    static let directions = "שלום \u{200F}12\u{200E} مرحبا 👩‍👩‍👧‍👦 🇨🇭"

    static func all() throws -> [Item] {
        [try textWithSigns(), try disk(), try textWithControls(), try stale(), try failing(), try past()]
            + (try others())
    }

    private static func textWithSigns() throws -> Item {
        try Samples.item(
            "org.example.signs", "Signs \(signs)", mode: .compact, age: .minutes(3), content: content(signs)
        ) {
            $0.content?.short = "<&>#%{"
            $0.content?.tooltip = signs + "\nsecond line"
            $0.content?.color = Color("#42a1d3")
            $0.content?.metrics = [Metric("load'1=|\\\"", 0.25), Metric("load15", 1e-7)].compactMap { $0 }
        }
    }

    private static func disk() throws -> Item {
        try Samples.item("org.todayd.disk", "Disk use", age: .minutes(3), content: Samples.disk) {
            $0.content?.percentage = 62.4
        }
    }

    private static func textWithControls() throws -> Item {
        try Samples.item("org.example.controls", "Name\n\(controls)", mode: .compact, content: content(controls)) {
            $0.content?.icon = "💾"
            $0.content?.tooltip = controls
            $0.content?.percentage = 130.7
        }
    }

    private static func stale() throws -> Item {
        let long = directions + String(repeating: " lang", count: 60)
        return try Samples.item("org.example.stale", "Stale", mode: .compact, age: .minutes(12), content: content(long))
        {
            $0.stale = true
        }
    }

    private static func failing() throws -> Item {
        try Samples.item(
            "org.example.failing", "Failing", state: .failing, mode: .compact, age: .days(5),
            content: content("all 100%#")
        ) {
            $0.content?.severity = .critical
            $0.failure = "timed out <after> 10 s"
        }
    }

    private static func past() throws -> Item {
        try Samples.item(
            "org.example.past", "Past", state: .failing, mode: .compact, age: .hours(2), content: content("was fine")
        ) {
            $0.stale = true
            $0.failure = "exited with status 1"
        }
    }

    /// Without a text, without content, and not in the view.
    private static func others() throws -> [Item] {
        [
            try Samples.item("org.example.blank", "Blank", mode: .compact, content: content("")),
            try Samples.item("org.example.new", "New", state: .waiting, mode: .compact, age: nil),
            try Samples.item("org.example.wrong", "Wrong", state: .invalid, mode: .compact, age: nil) {
                $0.failure = "/w/org.example.wrong.widget:7: “often” is not a time span"
            },
            try Samples.item(
                "org.example.hidden", "Hidden", state: .hidden, mode: .compact, content: content("secret")),
        ]
    }

    private static func content(_ text: String) -> Content { Content(text: text) }
}
