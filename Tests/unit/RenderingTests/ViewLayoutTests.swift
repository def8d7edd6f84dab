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
            ("3 of 6", 8, "3 of 6"), (nil, 8, "━╸─  50%"), (nil, 7, " 50%"),
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
            ([(5, 5), (10, 10), (10, 10)], 16, [5, 6, 5]),
        ] as [([(Int, Int)], Int, [Int])])
    func columnsShareTheWidth(demands: [(Int, Int)], width: Int, widths: [Int]) {
        let demands = demands.map { WidthDemand(least: $0.0, most: $0.1) }
        #expect(ColumnLayout.distribute(demands, width: width) == widths)
    }

    /// A view beside others, the width that it needs, that it can use, and that of its longest word.
    @Test func aViewDemandsItsWidth() {
        let layout = ViewLayout(presentation: Samples.presentation(80), mode: .expanded)
        func text(_ words: String) -> View { .text(View.Text(words)) }
        var progress = View.Progress(value: 0.5)
        progress.label = "abc"
        var inset = View.Stack(.vertical, [text("abc")])
        inset.insets = Insets(left: 1, right: 2)
        let most = ViewLayout.maximumChartWidth
        let table: [(View, WidthDemand)] = [
            (text("abc defg"), .exactly(8, word: 4)), (text("a\nlonger"), .exactly(6)),
            (text("a 16-letters--long"), .exactly(18, word: 16)), (text("a 17-letters---long"), .exactly(19, word: 1)),
            (.progress(progress), WidthDemand(least: 17, most: 9 + ProgressBar.maximumWidth, word: 5)),
            (
                .stack(.init(.horizontal, [text("abc"), .chart(View.Chart(points: [1, 2])), text("defg")])),
                WidthDemand(least: 27, most: 11 + most, word: 4)
            ),
            (.stack(.init(.vertical, [text("abc"), text("defg")])), .exactly(4)), (.stack(inset), .exactly(6)),
            (.grid(View.Grid(columns: 2, [text("abcde"), text("f")])), .exactly(12, word: 5)),
        ]
        for (view, demand) in table { #expect(WidthDemand(of: view, in: layout) == demand, "\(view)") }
    }

    @Test func aTextHasSoManyLines() {
        var text = View.Text("one\ntwo\nthree")
        for (lines, drawn) in [(nil, ["one", "two", "three"]), (3, ["one", "two", "three"]), (2, ["one", "two…"])] {
            text.lines = lines
            let layout = ViewLayout(presentation: Samples.presentation(10), mode: .expanded)
            #expect(layout.lines(.text(text), width: 10).map { $0.text() } == drawn)
        }
    }

    /// Three cells in two columns, where both fit.
    @Test(arguments: [(14, ["aa  bb", "cc"]), (13, ["aa", "bb", "cc"])])
    func aGridHasTheColumnsThatFit(width: Int, drawn: [String]) {
        let cells = ["aa", "bb", "cc"].map { View.text(View.Text($0)) }
        let layout = ViewLayout(presentation: Samples.presentation(width), mode: .expanded)
        #expect(layout.lines(.grid(.init(columns: 2, cells)), width: width).map { $0.text() } == drawn)
    }

    @Test func aPictureIsNearItsText() {
        let row = View.stack(.init(.horizontal, [.image(.init(.symbol("⛅"))), .text(View.Text("sunny"))]))
        let layout = ViewLayout(presentation: Samples.presentation(20), mode: .expanded)
        #expect(layout.lines(row, width: 20).map { $0.text() } == ["⛅ sunny"])
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
