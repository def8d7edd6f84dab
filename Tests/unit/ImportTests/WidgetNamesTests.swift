// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Import

@Suite struct WidgetNamesTests {
    @Test(arguments: [
        ("weather", "weather"), ("disk.free", "disk.free"), ("a b", "a-b"), ("x#y", "x-y"), ("-x-", "x"),
        ("..a..", "a"),
        ("größe", "gr--e"), ("🍄", "u1f344"), ("", "unnamed"), ("-", "unnamed"), ("...", "unnamed"), ("A_1", "A_1"),
        ("../../etc/passwd", "etc-passwd"), ("a\nb", "a-b"),
    ])
    func labels(name: String, label: String) {
        var names = WidgetNames(prefix: "import.waybar.")
        #expect(names.identifier(for: WidgetNames.label(name))?.text == "import.waybar.\(label)")
    }

    @Test func variablesHaveNamesThatAManifestAccepts() {
        let longest = String(repeating: "x", count: 256)
        for name in ["a", "_", "A1_z", longest] { #expect(EnvironmentName.isValid(name)) }
        for name in ["", "1a", "a-b", "TODAY_X", "größe", longest + "x"] { #expect(!EnvironmentName.isValid(name)) }
    }

    @Test func equalNamesGetNumbers() {
        var names = WidgetNames(prefix: "import.x.")
        let ids = ["a", "a-2", "a", "a", "A", "a b", "a#b"].map { names.identifier(for: WidgetNames.label($0))?.text }
        let last = ["a", "a-2", "a-3", "a-4", "A", "a-b", "a-b-2"].map { "import.x.\($0)" }
        #expect(ids == last)
    }

    @Test func manyEqualAndLongNames() {
        var names = WidgetNames(prefix: "import.i3status-rust.")
        var ids: Set<WidgetID> = []
        for _ in 0..<1_000 {
            let id = names.identifier(for: WidgetNames.label(String(repeating: "x", count: 500)))
            #expect(id != nil)
            if let id { ids.insert(id) }
        }
        #expect(ids.count == 1_000)
    }
}
