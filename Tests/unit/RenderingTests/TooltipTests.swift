// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Rendering

/// What a bar shows of a widget while the mouse rests on it.
@Suite struct TooltipTests {
    private func text(
        _ view: View? = nil, tooltip: String? = nil, age: TimeSpan = .zero, change: (inout Item) -> Void = { _ in }
    ) throws -> String {
        var content = Content(text: "62 %")
        (content.tooltip, content.expanded) = (tooltip, view)
        let item = try Samples.item("org.a.b", "Disks", mode: .compact, age: age, content: content) {
            $0.largestMode = .expanded
            change(&$0)
        }
        return Tooltip(item, Samples.presentation(40, .unicode, .none)).text
    }

    private static func vertical(_ views: [View]) -> View { .stack(View.Stack(.vertical, views)) }
    private static func bar(_ label: String, _ value: Double) -> View {
        var progress = View.Progress(value: value)
        progress.label = label
        return .progress(progress)
    }

    @Test func aViewIsWords() throws {
        var chart = View.Chart(points: [1, 4, 2])
        chart.label = "Load"
        var item = View.Item(title: "Mail", children: [.item(View.Item(title: "From Bob"))])
        (item.badge, item.isChecked) = ("3", true)
        var other = View.Item(title: "other")
        other.isAlternate = true
        let view = Self.vertical([
            .text(View.Text("two disks")), Self.bar("/home", 0.91), .chart(chart), .divider, .spacer,
            .button(.init(title: "Clean", action: "clean")), .link(.init(title: "Site", url: "https://a.example")),
            .item(item), .item(other), .stack(View.Stack(.horizontal, [.text(View.Text("a")), .text(View.Text("b"))])),
        ])
        #expect(
            try text(view)
                == "Disks\ntwo disks\n/home  91%\nLoad  1 – 4\nSite\n✓ Mail  3\n  From Bob\na  b",
            "no bars, no charts and nothing to press")
    }

    @Test func aGridKeepsItsColumns() throws {
        let cells = ["a", "long one", "third", "d"].map { View.text(View.Text($0)) }
        #expect(try text(.grid(View.Grid(columns: 2, cells))) == "Disks\na      long one\nthird  d")
    }

    @Test func theProgramsOwnComesInPlaceOfTheCard() throws {
        #expect(try text(Self.bar("/", 0.5), tooltip: "own\nlines") == "Disks\nown\nlines")
        #expect(try text() == "Disks\n62 %")
    }

    @Test func aStateHasItsReason() throws {
        let failing = try text(age: .minutes(12)) { ($0.state, $0.failure) = (.failing, "timed out") }
        #expect(failing == "Disks · failing, 12 min\n62 %\ntimed out")
        #expect(try text { $0.failure = "an earlier one" } == "Disks\n62 %", "it is no trouble now")
        #expect(try text(age: .minutes(12)) { $0.stale = true } == "Disks · stale, 12 min\n62 %")
    }

    @Test func aLongOneEnds() throws {
        func view(_ count: Int) -> View { Self.vertical((1...count).map { .text(View.Text("line \($0)")) }) }
        #expect(try text(view(23)).hasSuffix("\nline 23"))
        let lines = try text(Self.vertical((1...40).map { .text(View.Text("line \($0)")) })).split(separator: "\n")
        #expect(lines.count == 24 && lines[22] == "line 22" && lines[23] == "+ 18 more lines")
    }
}
