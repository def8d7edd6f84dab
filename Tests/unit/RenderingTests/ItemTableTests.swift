// SPDX-License-Identifier: MIT

import Testing
import TodayModel

@testable import Rendering

/// The table of `todayctl list`.
@Suite struct ItemTableTests {
    @Test(arguments: [50, 80, 120])
    func theListLooksAsInItsGoldenFile(width: Int) throws {
        let presentation = Samples.presentation(width)
        try expectGolden("list-\(width)", presentation.text(ItemTable(try Samples.all(), presentation).lines))
    }

    @Test func aPlaceholderNeverLooksFresh() throws {
        let item = try Samples.item(
            "org.example.a", "A", state: .waiting, mode: .compact, age: nil, content: Samples.placeholder
        ) { $0.source = .placeholder }
        let lines = ItemTable([item], Samples.presentation(80, .unicode, .sixteen)).lines
        #expect(lines[1].text(.sixteen).hasSuffix("\u{1B}[2m--\u{1B}[0m"))
        #expect(lines[1].text().contains("  waiting    -  "))
    }

    // MARK: The commands that fit a widget

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

    @Test(arguments: cases) func commandsFitTheStateOfTheWidget(_ expected: Case) throws {
        let item = try Samples.item("org.example.a", "A", state: expected.state, mode: expected.mode) {
            $0.largestMode = expected.largest
            ($0.allowsEditing, $0.isEdited) = (expected.allowsEditing, expected.isEdited)
        }
        #expect(ItemCommands(item).offers.map(\.command) == expected.commands)
        let list = ItemTable([item], Samples.presentation(80)).lines[1].text()
        #expect(list.contains(expected.commands.isEmpty ? "  -  " : "  \(expected.commands.joined(separator: ", "))  "))
    }
}
