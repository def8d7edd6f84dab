// SPDX-License-Identifier: MIT

import Testing
import TodayModel

@testable import Rendering

@Suite struct ViewLayoutTests {
    // MARK: Progress bars

    @Test(
        arguments: [
            (0, "────────────", "[----------]"), (0.001, "╸───────────", "[#---------]"),
            (0.5, "━━━━━━──────", "[#####-----]"), (0.4625, "━━━━━╸──────", "[#####-----]"),
            (0.999, "━━━━━━━━━━━╸", "[#########-]"), (1, "━━━━━━━━━━━━", "[##########]"),
            (7, "━━━━━━━━━━━━", "[##########]"),
            (-1, "────────────", "[----------]"), (.nan, "────────────", "[----------]"),
        ] as [(Double, String, String)])
    func barGrowsByHalves(value: Double, unicode: String, ascii: String) {
        let bar = ProgressBar(value: value, tint: nil)
        #expect(bar.line(width: 12, .unicode).text() == unicode)
        #expect(bar.line(width: 12, .ascii).text() == ascii)
    }

    @Test func theTrackOfABarHasItsColour() {
        var progress = View.Progress(value: 0.5)
        progress.track = .meaning(.critical)
        let bar = ProgressBar(value: 0.5, tint: nil, track: .meaning(.critical))
        #expect(bar.line(width: 10, .ascii).text(.sixteen).contains("\u{1B}[31m----"))
        #expect(bar.line(width: 10, .unicode).text() == "━━━━━─────")
    }

    @Test(
        arguments: [
            (nil, 20, "━━━━━━━╸───────  50%"), ("50.0%", 20, "━━━━━━━─────── 50.0%"), ("", 20, "━━━━━━━╸───────"),
            ("3 of 6", 8, "3 of 6"),
        ] as [(String?, Int, String)])
    func aTextStandsInPlaceOfThePercentage(text: String?, width: Int, line: String) {
        var progress = View.Progress(value: 0.5)
        progress.text = text
        let layout = ViewLayout(presentation: Samples.presentation(width), mode: .compact)
        #expect(layout.lines(.progress(progress), width: width).map { $0.text() } == [line])
    }

    // MARK: Columns

    @Test(
        arguments: [
            ([(10, 10), (10, 10)], 30, [10, 10]), ([(10, 10), (0, 100)], 30, [10, 20]),
            ([(5, 100), (5, 100)], 21, [11, 10]), ([(5, 8), (5, 100)], 21, [8, 13]), ([(5, 8), (5, 9)], 40, [8, 9]),
            ([(30, 30), (4, 4)], 20, [16, 4]), ([(10, 10), (10, 10), (10, 20)], 20, [7, 7, 6]), ([(3, 3)], 1, [1]),
        ] as [([(Int, Int)], Int, [Int])])
    func columnsShareTheWidth(demands: [(Int, Int)], width: Int, widths: [Int]) {
        let demands = demands.map { WidthDemand(least: $0.0, most: $0.1) }
        #expect(ColumnLayout.distribute(demands, width: width) == widths)
    }

    /// A price, its change and a button, as narrow as hosts are.
    @Test(arguments: 12...44) func noWordAndNoNumberBreaks(width: Int) {
        let parts: [View] = [
            .text(View.Text("$96,515.00")), .text(View.Text("+1,250.50 (+0.05%)")), .spacer,
            .button(View.Button(title: "Details", action: "details")),
        ]
        let lines = drawn(.stack(.init(.horizontal, parts)), insets: Insets(), width: width)
        for word in ["$96,515.00", "+1,250.50", "(+0.05%)", "[Details]"] {
            #expect(lines.contains { $0.contains(word) }, "\(lines)")
        }
        #expect(lines.allSatisfy { $0.count <= width })
        #expect((lines.count == 1) == (width >= 39), "one row where there is room")
    }

    @Test func wordsKeepTheirRoom() {
        let demands = [
            WidthDemand(least: 10, most: 10, word: 10), WidthDemand(least: 18, most: 18, word: 9),
            WidthDemand(least: 30, most: 30, word: 5),
        ]
        for (width, widths) in [
            (58, [10, 18, 30]), (30, [10, 10, 10]), (26, [10, 9, 7]), (24, [10, 9, 5]), (20, [7, 7, 6]),
        ] {
            #expect(ColumnLayout.distribute(demands, width: width) == widths, "\(width)")
        }
    }

    // MARK: Insets

    private func drawn(_ view: View, insets: Insets? = Insets(), width: Int = 40) -> [String] {
        var content = Content(text: "x")
        content.compact = view
        content.insets = insets
        let layout = ViewLayout(presentation: Samples.presentation(width, .ascii), mode: .compact)
        return layout.lines(content, width: width).map { $0.text() }
    }

    @Test func theMarginsOfContentAreFree() {
        let insets = Insets(top: 1, left: 3, bottom: 2, right: 4)
        #expect(drawn(.text(.init("x")), insets: insets) == ["", "   x", "", ""])
        #expect(drawn(.divider, insets: insets) == ["", "   " + String(repeating: "-", count: 33), "", ""])
    }

    @Test func narrowHostsOmitTheInsetsAtTheSides() {
        let text = "just twenty letters!"
        #expect(drawn(.text(.init(text)), insets: Insets(left: 8, right: 8), width: 20) == [text])
        #expect(drawn(.text(.init("few")), insets: Insets(left: 8, right: 8), width: 20) == ["        few"])
    }

    @Test func contentWithoutInsetsStandsBelowTheName() {
        #expect(drawn(.text(.init("x")), insets: nil) == ["  x"])
        #expect(drawn(.text(.init("x")), insets: Insets()) == ["x"])
    }

    @Test func stacksHaveTheirOwnInsets() {
        var area = View.Stack(.vertical, [.text(.init("x"))])
        area.insets = Insets(top: 1, left: 2)
        #expect(drawn(.stack(area)) == ["", "  x"])
        #expect(drawn(.stack(.init(.horizontal, [.text(.init("a")), .stack(area)]))) == ["a", "     x"])
    }

    @Test func aStackWithInsetsHasTheWidthThatItNeeds() {
        var area = View.Stack(.horizontal, [.text(.init("b"))])
        area.insets = Insets(left: 2, right: 2)
        let row = View.stack(.init(.horizontal, [.text(.init("a")), .stack(area), .spacer, .text(.init("c"))]))
        #expect(drawn(row, width: 24) == ["a    b" + String(repeating: " ", count: 17) + "c"])
    }
}
