// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Rendering

/// Widgets that take one row: name, value, bar or a word more, and the age.
@Suite struct CardRowTests {
    private func lines(
        _ name: String, _ content: Content, width: Int = 60, colors: ColorDepth = .none, age: TimeSpan = .zero,
        change: (inout Item) -> Void = { _ in }
    ) throws -> [String] {
        let item = try Samples.item("org.a.b", name, mode: .compact, age: age, content: content) {
            $0.largestMode = .compact
            change(&$0)
        }
        return Card(item, Samples.presentation(width, .unicode, colors)).lines(width: width).map { $0.text(colors) }
    }

    private func content(_ text: String, detail: String? = nil, percentage: Double? = nil) -> Content {
        var content = Content(text: text)
        content.percentage = percentage
        if let detail {
            content.compact = .stack(View.Stack(.vertical, [.text(View.Text(text)), .text(View.Text(detail))]))
        }
        return content
    }

    @Test func nameValueAndBarAreInColumns() throws {
        let bar = String(repeating: "━", count: 12) + String(repeating: "─", count: 19)
        #expect(try lines("CPU", content("38 %", percentage: 38)) == ["  CPU           38 %         \(bar)"])
        #expect(
            try lines("CPU", content("38 %", percentage: 38), width: 100)[0].filter { "━╸─".contains($0) }.count == 40)
        #expect(try lines("Battery", content("82 %", detail: "4 h left")) == ["  Battery       82 %         4 h left"])
        #expect(try lines("Mail", content("No mail")) == ["  Mail          No mail"], "nothing stands after it")
        #expect(try lines("A name of 17 here", content("1")) == ["  A name of 17 here  1"])
    }

    @Test func aFailureStandsBelow() throws {
        func below(_ state: WidgetState, _ text: String?) throws -> [String] {
            var content = Content(text: "last")
            content.expanded = text.map { .text(View.Text($0)) }
            let item = try Samples.item("org.a.b", "B", state: state, content: text == nil ? nil : content) {
                $0.failure = "no network"
            }
            let card = Card(item, Samples.presentation(60, .unicode, .none))
            return card.lines(width: 60).dropFirst().map { String($0.text().drop { $0 == " " }) }
        }
        #expect(try below(.failing, "last\n\n") == ["last", "no network"], "without empty rows between them")
        #expect(try below(.waiting, nil) == ["failed: no network"])
        #expect(try below(.disabled, nil) == ["no network"])
        #expect(try below(.disabled, "last") == ["last"])
    }

    @Test func anAgeStandsAtTheEnd() throws {
        let row = try lines("Mail", content("No mail"), age: .minutes(3))
        #expect(row == ["  Mail          No mail" + String(repeating: " ", count: 32) + "3 min"])
        let bar = try lines("CPU", content("38 %", percentage: 38), age: .minutes(3))
        #expect(bar.count == 1 && bar[0].hasSuffix("─  3 min") && DisplayWidth.of(bar[0]) == 60)
    }

    @Test func theColourIsThatOfTheValueOrTheSeverity() throws {
        var warning = content("14")
        warning.severity = .warning
        #expect(try lines("U", warning, colors: .sixteen)[0].contains("\u{1B}[1;33m14\u{1B}[0m"))
        var good = View.Text("15")
        good.color = .meaning(.good)
        warning.compact = .text(good)
        #expect(try lines("U", warning, colors: .sixteen)[0].contains("\u{1B}[1;32m15\u{1B}[0m"))
        #expect(try lines("U", content("16"), colors: .sixteen)[0].contains("\u{1B}[1m16\u{1B}[0m"))
    }

    /// A bar takes six cells at least, and a row that is exactly as wide as the card is one.
    @Test(arguments: 30...60) func aRowUsesItsWidth(width: Int) throws {
        let row = try lines("CPU", content("38 %", percentage: 38), width: width, age: .minutes(3))
        let bar = row[0].filter { "━╸─".contains($0) }.count
        #expect(bar == 0 || bar >= 6 && row.count == 1)
        let detail = String(repeating: "d", count: 20)
        let fitting = try lines("B", content("1", detail: detail), width: width)
        #expect((fitting.count == 1) == (width >= 49), "\(fitting)")
    }

    /// The names of widgets with narrow and with wide icons begin in one column.
    @Test(arguments: [("●", "  ●  A"), ("💾", "  💾 A")]) func iconsHaveOneWidth(icon: String, beginning: String) throws {
        var content = content("1")
        content.icon = icon
        #expect(try lines("A", content)[0].hasPrefix(beginning + " "))
    }

    @Test func whatDoesNotFitOrIsOldIsACard() throws {
        #expect(try lines("CPU", content("38 %"), width: 34).count == 2)
        #expect(try lines("CPU", content("38 %"), width: 35).count == 1)
        #expect(try lines(String(repeating: "n", count: 56), content("38 %")).count == 2)
        #expect(try lines("B", content("1", detail: "a detail of 23 letters"), width: 52).count == 1)
        #expect(try lines("B", content("1", detail: "a detail of 23 letters"), width: 50).count == 3)
        for change in [
            { $0.stale = true }, { $0.isEdited = true },
            {
                $0.failure = "x"; $0.state = .failing
            },
        ]
            as [@Sendable (inout Item) -> Void]
        {
            #expect(try lines("B", content("1"), change: change).count > 1)
        }
    }
}
