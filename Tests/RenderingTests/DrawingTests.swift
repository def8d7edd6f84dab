// SPDX-License-Identifier: MIT

import Testing
import TodayModel

@testable import Rendering

@Suite struct DrawingTests {
    @Test(
        arguments: [
            (0, "▕          ▏", "[----------]"), (0.001, "▕▏         ▏", "[#---------]"),
            (0.5, "▕█████     ▏", "[#####-----]"),
            (0.4625, "▕████▋     ▏", "[#####-----]"), (0.999, "▕█████████▉▏", "[#########-]"),
            (1, "▕██████████▏", "[##########]"),
            (7, "▕██████████▏", "[##########]"), (-1, "▕          ▏", "[----------]"),
            (.nan, "▕          ▏", "[----------]"),
        ] as [(Double, String, String)])
    func barGrowsByEighths(value: Double, unicode: String, ascii: String) {
        let bar = ProgressBar(value: value, tint: nil)
        #expect(bar.line(width: 12, .unicode).text() == unicode)
        #expect(bar.line(width: 12, .ascii).text() == ascii)
    }

    @Test(
        arguments: [
            (0.004, "1%"), (0, "0%"), (0.5, "50%"), (0.996, "99%"), (1, "100%"), (2, "100%"), (-3, "0%"), (.nan, "-"),
        ] as [(Double, String)])
    func percentageIsHonestAtItsEnds(value: Double, text: String) {
        #expect(NumberText.percentage(value) == text)
    }

    @Test(
        arguments: [
            (nil, 20, "▕██████▌      ▏  50%"), ("50.0%", 20, "▕██████      ▏ 50.0%"), ("", 20, "▕██████▌      ▏"),
            ("3 of 6", 8, "3 of 6"),
        ] as [(String?, Int, String)])
    func aTextStandsInPlaceOfThePercentage(text: String?, width: Int, line: String) {
        var progress = View.Progress(value: 0.5)
        progress.text = text
        let layout = ViewLayout(presentation: Samples.presentation(width), mode: .compact)
        #expect(layout.lines(.progress(progress), width: width).map { $0.text() } == [line])
    }

    @Test(
        arguments: [
            (0, "0"), (0.25, "0.25"), (-0.25, "-0.25"), (1.5, "1.5"), (42.13, "42.1"), (999.6, "1000"), (9_999, "9999"),
            (67_234, "67.2k"), (999_999, "1M"), (-1_500_000, "-1.5M"), (3e9, "3G"), (.infinity, "-"), (0.001, "0"),
        ] as [(Double, String)])
    func numbersAreShort(value: Double, text: String) {
        #expect(NumberText.short(value) == text)
    }

    @Test func chartsLookAsInTheirGoldenFiles() throws {
        let wave = (0..<40).map { Double(($0 * $0) % 29) }
        var samples: [(String, View.Chart)] = [
            ("rising", .init(points: (0..<20).map(Double.init))), ("waves", .init(points: wave)),
            ("flat", .init(points: [5, 5, 5])), ("one", .init(points: [7])),
            ("steps", .init(points: [0, 0, 10, 10, 0, 0])),
            ("gaps", .init(points: wave.enumerated().map { $0 / 8 % 2 == 0 ? $1 : .nan })), ("none", .init(points: [])),
            ("many", .init(points: (0..<4_000).map { Double(($0 / 100) % 7) })),
        ]
        var based = View.Chart(points: (0..<30).map { Double($0 - 15) * 1.5 })
        based.baseline = 0
        based.label = "above and below"
        samples.append(("baseline", based))
        var ranged = View.Chart(points: [20, 40, 30])
        (ranged.minimum, ranged.maximum) = (0, 100)
        samples.append(("range", ranged))
        var marked = based
        (marked.mark, marked.label) = (21, "a day of thirty")
        samples.append(("mark", marked))
        var crowded = View.Chart(points: (0..<400).map { Double($0 * $0 % 1_300) })
        crowded.mark = 399
        samples.append(("mark among many", crowded))
        var gap = View.Chart(points: [1, 2, .nan, 4])
        gap.mark = 2
        samples.append(("mark on a gap", gap))
        for charset in [Charset.unicode, .ascii] {
            let presentation = Samples.presentation(48, charset)
            let layout = ViewLayout(presentation: presentation, mode: .expanded)
            let lines = samples.flatMap { name, chart in
                [presentation.line("-- \(name)")] + layout.lines(.chart(chart), width: 48)
            }
            try expectGolden(charset == .ascii ? "charts-ascii" : "charts", presentation.text(lines))
        }
    }

    /// The column of the mark is that in which its point is drawn, whether points share columns or columns points.
    @Test(arguments: [1, 2, 7, 30, 31, 64, 500])
    func theMarkIsWhereItsPointIs(columns: Int) throws {
        for count in [1, 2, 30, 90] {
            for place in 0..<count {
                // One point stands out of all the others.
                var chart = View.Chart(points: (0..<count).map { $0 == place ? 1 : 0 })
                chart.mark = place
                let drawing = try #require(LineChart(chart))
                let mark = try #require(drawing.markedPlace(columns: columns, rows: 1_000))
                let heights = drawing.heights(columns: columns, rows: 1_000).map { $0 ?? 0 }
                #expect(heights.indices.contains(mark.column))
                #expect(heights[mark.column] == heights.max(), "\(place) of \(count) in \(columns)")
            }
        }
    }

    @Test func aMarkThatIsNowhereIsNotDrawn() throws {
        var chart = View.Chart(points: [1, 2, 3])
        for place in [-1, 3, .max] {
            chart.mark = place
            #expect(try #require(LineChart(chart)).markedPlace(columns: 10, rows: 4) == nil)
        }
    }

    @Test(arguments: [1, 2, 15, 16, 17, 60])
    func chartKeepsItsWidthWhateverItsPoints(width: Int) throws {
        let samples: [[Double]] = [
            [1], [1, 2], [1e308, -1e308], [0, .infinity, 1], [0, .leastNonzeroMagnitude], [1, 1.0000000000000002],
            [-.leastNonzeroMagnitude, .leastNonzeroMagnitude, 0], (0..<500).map(Double.init),
        ]
        for points in samples {
            var view = View.Chart(points: points)
            view.mark = points.count - 1
            let chart = try #require(LineChart(view))
            for charset in [Charset.unicode, .ascii] {
                let lines = chart.lines(width: width, rows: 3, color: nil, charset)
                #expect(lines.count == 3 && lines.allSatisfy { $0.width <= width })
            }
        }
    }

    @Test(
        arguments: [
            ([(10, 10), (10, 10)], 30, [10, 10]), ([(10, 10), (0, 100)], 30, [10, 20]),
            ([(5, 100), (5, 100)], 21, [11, 10]), ([(5, 8), (5, 100)], 21, [8, 13]), ([(5, 8), (5, 9)], 40, [8, 9]),
            ([(30, 30), (4, 4)], 20, [16, 4]), ([(10, 10), (10, 10), (10, 20)], 20, [7, 7, 6]), ([(3, 3)], 1, [1]),
        ] as [([(Int, Int)], Int, [Int])])
    func widthIsShared(demands: [(Int, Int)], width: Int, widths: [Int]) {
        let demands = demands.map { WidthDemand(least: $0.0, most: $0.1) }
        #expect(ViewLayout.distribute(demands, width: width) == widths)
    }

    @Test(
        arguments: [
            (0, "now"), (59, "now"), (60, "1 min"), (3_599, "59 min"), (7_200, "2 h"), (86_399, "23 h"),
            (432_000, "5 d"),
            (-5, "now"), (-3_600, "in the future"),
        ] as [(Int64, String)])
    func ageIsRoughAndNeverExaggerated(seconds: Int64, text: String) {
        #expect(TimeSpan.seconds(seconds).age == text)
    }

    @Test(
        arguments: [
            (417, "0 ms"), (28_447, "28 ms"), (999_999, "999 ms"), (1_234_567, "1.2 s"), (59_000_000, "59 s"),
            (90_000_000, "1 min 30 s"), (3_600_000_000, "60 min"), (-1, "0 ms"),
        ] as [(Int64, String)])
    func durationIsAsPreciseAsIsOfUse(microseconds: Int64, text: String) {
        #expect(TimeSpan(microseconds: microseconds).duration == text)
    }

    @Test(
        arguments: [
            (Style.plain, ColorDepth.direct, ""), (.bold, .none, ""), (.bold, .sixteen, "\u{1B}[1m"),
            (.meaning(.critical), .sixteen, "\u{1B}[31m"),
            (.init(color: .rgb(red: 255, green: 0, blue: 0)), .sixteen, "\u{1B}[31m"),
            (.init(color: .rgb(red: 255, green: 0, blue: 0)), .indexed, "\u{1B}[38;5;196m"),
            (.init(color: .rgb(red: 1, green: 2, blue: 3)), .direct, "\u{1B}[38;2;1;2;3m"),
            (.init(color: .rgb(red: 90, green: 90, blue: 90)), .sixteen, ""),
        ] as [(Style, ColorDepth, String)])
    func styleBecomesWhatTheTerminalHas(style: Style, depth: ColorDepth, sequence: String) {
        #expect(style.escapeSequence(depth) == sequence)
    }
}
