// SPDX-License-Identifier: MIT

import Testing
import TodayModel

@testable import Rendering

struct ItemDrawingTests {
    private func lines(_ item: View.Item, mode: DisplayMode = .expanded, width: Int = 30) -> [String] {
        ViewLayout(presentation: Samples.presentation(width), mode: mode).lines(.item(item), width: width)
            .map { $0.text() }
    }

    @Test func marksStandAroundTheTitle() {
        var item = View.Item(title: "Wi-Fi")
        #expect(lines(item) == ["• Wi-Fi"])
        item.isChecked = true
        item.symbol = "🍄"
        item.badge = "3"
        #expect(lines(item) == ["✓ 🍄 Wi-Fi 3"])
    }

    @Test func aColourReplacesThatOfTheTitleUnlessTheItemIsDisabled() {
        var item = View.Item(title: "a")
        item.color = .meaning(.critical)
        func drawn() -> String {
            ViewLayout(presentation: Samples.presentation(9), mode: .expanded).lines(.item(item), width: 9)
                .map { $0.text(.sixteen) }.joined()
        }
        #expect(drawn().contains("\u{1B}[31ma"))
        item.isDisabled = true
        #expect(!drawn().contains("\u{1B}[31m"))
    }

    @Test func alternatesAreLeftOutOfOutlinesAndNumbers() {
        var alternate = View.Item(title: "other")
        (alternate.isAlternate, alternate.url) = (true, "https://example.org/")
        var command = View.Item(title: "run")
        command.command = View.Command(["true"])
        var update = View.Item(title: "again")
        update.updates = true
        var disabled = View.Item(title: "off")
        (disabled.isDisabled, disabled.url) = (true, "https://example.org/")
        let menu = View.Item(title: "m", children: [command, alternate, update, disabled].map(View.item))
        #expect(lines(menu) == ["• m", "  • run", "  • again", "  • off"])
        var content = Content(text: "x")
        content.expanded = .item(menu)
        let targets = Numbering(content, mode: .expanded).targets
        #expect(targets.map(\.title) == ["run", "again"])
        #expect(targets.first?.command == View.Command(["true"]) && targets.last?.updates == true)
    }
}
