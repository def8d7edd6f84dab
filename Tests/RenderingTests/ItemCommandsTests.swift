// SPDX-License-Identifier: MIT

import Testing
import TodayModel

@testable import Rendering

@Suite struct ItemCommandsTests {
    struct Case {
        var state = WidgetState.ready
        var mode = DisplayMode.compact
        var largest = DisplayMode.compact
        var allowsEditing = false
        var isEdited = false
        let commands: [String]
    }

    static let cases = [
        Case(commands: []), Case(largest: .expanded, commands: ["expand"]),
        Case(mode: .expanded, largest: .expanded, commands: ["collapse"]),
        Case(allowsEditing: true, commands: ["edit"]),
        Case(largest: .expanded, allowsEditing: true, commands: ["expand", "edit"]),
        Case(allowsEditing: true, isEdited: true, commands: ["edit --done"]),
        Case(state: .failing, largest: .expanded, commands: ["expand"]),
        Case(state: .waiting, allowsEditing: true, commands: ["edit"]),
        Case(state: .empty, allowsEditing: true, commands: ["edit"]),
        Case(state: .hidden, largest: .expanded, allowsEditing: true, commands: []),
        Case(state: .invalid, largest: .expanded, allowsEditing: true, commands: []),
    ]

    @Test(arguments: cases) func aWidgetOffersWhatItCanDoNow(_ expected: Case) throws {
        let item = try Samples.item("org.example.a", "A", state: expected.state, mode: expected.mode) {
            $0.largestMode = expected.largest
            ($0.allowsEditing, $0.isEdited) = (expected.allowsEditing, expected.isEdited)
        }
        #expect(ItemCommands(item).offers.map(\.command) == expected.commands)
        let list = ItemTable([item], Samples.presentation(80)).lines[1].text()
        #expect(list.contains(expected.commands.isEmpty ? "  -  " : "  \(expected.commands.joined(separator: ", "))  "))
    }

    @Test func commandsStandBelowTheCardAndCanBeTyped() throws {
        let item = try Samples.item("org.example.clock", "Clock", mode: .compact, content: Content(text: "noon")) {
            $0.largestMode = .expanded
            ($0.allowsEditing, $0.isEdited) = (true, true)
        }
        func hints(_ width: Int) -> [String] {
            let extras = TodayPage.Extras(commands: true)
            let lines = TodayPage([item], Samples.presentation(width), extras).lines.map { $0.text() }
            return Array(lines.dropFirst(2))
        }
        let (more, done) = ("More: todayctl expand org.example.clock", "Done: todayctl edit --done org.example.clock")
        #expect(hints(62) == [more, done])
        #expect(
            hints(30) == [
                "More: todayctl expand", "org.example.clock", "Done: todayctl edit --done", "org.example.clock",
            ])
        var wide = item
        wide.size = Size(columns: 100, rows: 4)
        let lines = TodayPage([wide], Samples.presentation(100), .init(commands: true)).lines
        #expect(lines.last?.text() == "\(more)   \(done)")
        #expect(TodayPage([item], Samples.presentation(62)).lines.count == 2)
    }
}
