// SPDX-License-Identifier: MIT

import Testing
import TodayModel

@testable import Rendering

@Suite struct ChartDrawingTests {
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

    /// The mark stands in the column of its point, for fewer columns than points and for more.
    @Test(arguments: [1, 2, 7, 30, 31, 64, 500])
    func theMarkIsWhereItsPointIs(columns: Int) throws {
        for count in [1, 2, 30, 90] {
            for place in 0..<count {
                // One point is higher than all others.
                var chart = View.Chart(points: (0..<count).map { $0 == place ? 1 : 0 })
                chart.mark = place
                let curve = try #require(ChartCurve(chart))
                let mark = try #require(curve.markedPlace(columns: columns, rows: 1_000))
                let heights = curve.heights(columns: columns, rows: 1_000).map { $0 ?? 0 }
                #expect(heights.indices.contains(mark.column))
                #expect(heights[mark.column] == heights.max(), "\(place) of \(count) in \(columns)")
            }
        }
    }

    @Test func aMarkThatIsNowhereIsNotDrawn() throws {
        var chart = View.Chart(points: [1, 2, 3])
        for place in [-1, 3, .max] {
            chart.mark = place
            #expect(try #require(ChartCurve(chart)).markedPlace(columns: 10, rows: 4) == nil)
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
            let chart = try #require(ChartDrawing(view))
            for charset in [Charset.unicode, .ascii] {
                let lines = chart.lines(width: width, rows: 3, color: nil, charset)
                #expect(lines.count == 3 && lines.allSatisfy { $0.width <= width })
            }
        }
    }
}
