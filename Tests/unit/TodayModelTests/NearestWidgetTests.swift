// SPDX-License-Identifier: MIT
import Testing
import TodayModel

/// Which widget a name may mean that no identifier ends in.
@Suite struct NearestWidgetTests {
    static let names: [(name: String, widgets: [String], nearest: String?)] = [
        // A part in the middle, of one widget alone.
        ("example", ["org.example.cpu", "org.other.disk"], "org.example.cpu"),
        ("Example", ["org.example.cpu", "org.other.disk"], "org.example.cpu"),
        ("example", ["org.example.cpu", "org.example.disk"], nil),
        ("example.cpu", ["org.example.cpu.load", "org.example.disk"], "org.example.cpu.load"),
        ("org.example", ["org.example.cpu"], "org.example.cpu"),
        // Mistyped: the end, several labels of the end, the whole.
        ("cpuu", ["org.example.cpu", "org.example.disk"], "org.example.cpu"),
        ("exmple.cpu", ["org.example.cpu", "org.other.cpu"], "org.example.cpu"),
        ("org.exmaple.cpu", ["org.example.cpu"], "org.example.cpu"),
        ("og.example.cpu", ["org.example.cpu"], "org.example.cpu"),
        ("CPU", ["org.example.cpu"], "org.example.cpu"),
        // The beginning or the end of a label.
        ("load", ["org.example.loadavg", "org.example.disk"], "org.example.loadavg"),
        ("space", ["org.example.used-space", "org.example.disk"], "org.example.used-space"),
        ("load", ["org.example.loadavg", "org.example.loads-of-it"], nil), ("lo", ["org.example.loadavg"], nil),
        ("vers", ["org.example.universal"], nil), ("other.load", ["org.example.loadavg"], nil),
        ("", ["org.example.cpu"], nil), (".", ["org.example.cpu"], nil), ("xyz", ["org.example.cpu"], nil),
        ("x", [], nil),
    ]

    @Test(arguments: names.indices) func theNearestIsTheOneThatMayBeMeant(_ index: Int) {
        let (name, widgets, nearest) = Self.names[index]
        #expect(WidgetID.nearest(to: name, among: widgets.compactMap { WidgetID($0) })?.text == nearest, "\(name)")
    }
}
