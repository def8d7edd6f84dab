// SPDX-License-Identifier: MIT
import JSON
import Testing

@testable import TodayModel

/// How hosts present a widget: its label, its line in bars, its colours.
@Suite struct FaceTests {
    @Test(arguments: [
        ("label", Face.Key.label), ("Label", .label), ("bar-format", .format), ("BARFORMAT", .format),
        ("bar_width", .width), ("name", .name), ("bar-color", .color),
    ])
    func aKeyIsTypedInAnyCase(name: String, key: Face.Key) { #expect(Face.Key(typed: name) == key) }

    @Test(arguments: ["", "labels", "color", "bar", "bar--colour"]) func otherNamesAreNone(name: String) {
        #expect(Face.Key(typed: name) == nil)
    }

    private static let values: [(key: Face.Key, text: String, outcome: String)] = [
        (.label, "MEM", "MEM"), (.label, "", ""), (.label, "a\nb", "!"), (.label, "\u{1b}[1m", "!"),
        (.label, String(repeating: "x", count: 257), "!is longer"), (.name, " ", "!has no letters"),
        (.icon, "🔋", "🔋"), (.icon, String(repeating: "x", count: 65), "!is longer than 64 bytes"),
        (.format, "{icon} {text} °C", "{icon} {text} °C"), (.format, "{texts}", "!has {texts}; there are {icon}"),
        (.width, "12", "12"), (.width, "0", "0"), (.width, "200", "200"), (.width, "201", "!is more than 200"),
        (.width, "-1", "!is less than 0"), (.width, "1.5", "!is not a whole number"),
        (.width, "wide", "!is not a number"),
        (.click, "menu", "menu"), (.click, "jump", "!is not one of \"press\", \"menu\""),
        (.color, "#aabbcc", "#aabbcc"), (.background, "accent", "accent"), (.border, "red", "!is neither #rrggbb"),
        (.color, "#abc", "!is neither"), (.separator, "no", "false"), (.separator, "on", "true"),
        (.separator, "maybe", "!is neither yes nor no"), (.shape, "tile", "tile"),
        (.shape, "row", "!is not one of \"tile\", \"card\""),
    ]

    @Test(arguments: values.indices) func aValueIsChecked(index: Int) {
        let (key, text, outcome) = Self.values[index]
        do throws(SettingMistake) {
            #expect(try key.value(from: text).text == outcome)
        } catch {
            #expect(outcome.first == "!" && error.reason.hasPrefix(outcome.dropFirst()), "\(error.reason)")
        }
    }

    /// What the user has chosen counts before the manifest, unless it does not fit.
    @Test func theUserChooses() {
        var face = Face()
        (face[.label], face[.width], face[.color]) = ("MEM", "8", "#ffffff")
        let chosen = face.choosing([
            "Label": SettingValue("RAM"), "BarWidth": SettingValue("wide"), "Name": SettingValue("Memory"),
            "CITY": SettingValue("Bern"),
        ])
        #expect(chosen.label == "RAM" && chosen.width == 8 && chosen[.name] == "Memory")
        #expect(chosen.color == .rgb(red: 255, green: 255, blue: 255) && chosen.background == nil)
    }

    @Test func theWireHasAllButNameAndIcon() throws {
        var face = Face()
        #expect(face.json == nil)
        for (key, text) in [
            (Face.Key.shape, "card"), (.label, "MEM"), (.format, "{text}"), (.width, "8"), (.click, "menu"),
            (.separator, "true"),
            (.color, "good"), (.background, "#010203"), (.border, "accent"),
        ] { face[key] = text }
        let json = try #require(face.json)
        #expect(json["barWidth"] == "8" && json["label"] == "MEM" && json["barSeparator"] == "true")
        #expect(try Face(JSONField(root: json)) == face)
        face[.name] = "x"
        face[.icon] = "y"
        #expect(face.json == json)
        // What a newer daemon may send.
        #expect(try Face(JSONField(root: ["click": "dance", "label": "a"], isTolerant: true)).click == nil)
    }

    // MARK: The line

    private static let lines: [(format: String, values: [BarFormat.Place: String], line: String)] = [
        ("{icon} {label} {text}", [.icon: "🔋", .label: "BAT", .text: "82 %"], "🔋 BAT 82 %"),
        ("{icon} {label} {text}", [.text: "82 %"], "82 %"),
        ("{icon} {label} {text}", [.icon: "🔋", .text: "82 %"], "🔋 82 %"),
        ("{icon} {label} {text}", [.label: "BAT", .text: "82 %"], "BAT 82 %"),
        ("{icon} {label} {text}", [.icon: "🔋"], "🔋"), ("{icon} {label} {text}", [:], ""),
        ("{label}{text}", [.label: "T", .text: "4"], "T4"), ("MEM {percentage}%", [.percentage: "38"], "MEM 38%"),
        ("a{{text}}b", [.text: "x"], "a{x}b"), ("{ {text} }", [.text: "x"], "{ x }"), ("plain", [.text: "x"], "plain"),
        ("{text}  {name}", [.text: "a", .name: "b"], "a  b"), ("{", [:], "{"), ("{}", [:], "{}"),
        ("{text} °C", [.text: "4"], "4 °C"), ("{text} |", [:], "|"),
        ("{text} | ", [:], "| "), ("| {text}", [:], "|"),
    ]

    @Test(arguments: lines.indices) func aLineIsItsFormat(index: Int) throws {
        let (format, values, line) = Self.lines[index]
        #expect(try BarFormat(format).line { values[$0] ?? "" } == line)
        #expect(try BarFormat(format).text == format)
    }

    @Test func theStandardIsASpelledFormat() throws {
        #expect(try BarFormat("{icon} {label} {text}") == .standard)
    }

    // MARK: Places

    private static let places: [(points: [ExtensionPoint], chosen: [ExtensionPoint: Bool], places: [ExtensionPoint])] =
        [
            ([.today], [:], [.today]), ([.today, .statusBar], [.today: false], [.statusBar]),
            ([.statusBar], [.today: true], [.today, .statusBar]), ([.today], [.today: false], []),
            ([.today, .lockScreen], [:], [.today]),
            ([.today, .lockScreen], [.lockScreen: true], [.today, .lockScreen]),
            // Its manifest is not for lock screens, or is so no longer.
            ([.today], [.lockScreen: true], [.today]), ([.lockScreen], [.lockScreen: false], []),
        ]

    @Test(arguments: places.indices) func theUserChoosesPlaces(index: Int) {
        let (points, chosen, expected) = Self.places[index]
        var choices = Choices()
        choices.places = chosen
        #expect(choices.places(of: points) == expected)
    }

    @Test func aHostListsWhatShowsAWidgetThere() throws {
        var item = Item(id: try #require(WidgetID("a.b")), name: "A", points: [.statusBar], position: 0, state: .ready)
        #expect(item.listed(at: .today).cure == .showInToday && item.listed(at: .statusBar).cure == nil)
        #expect(item.listed(at: .lockScreen).cure == .showOnLockScreen)
        (item.state, item.cure) = (.disabled, .enable)
        #expect(item.listed(at: .today).cure == .enable)
        // Shown nowhere: todayd names one place, and the host its own.
        (item.state, item.cure, item.places) = (.ready, .showInToday, [])
        #expect(item.listed(at: .statusBar).cure == .showInStatusBars)
        item.state = .masked
        #expect(item.listed(at: .today).cure == nil)
    }
}
