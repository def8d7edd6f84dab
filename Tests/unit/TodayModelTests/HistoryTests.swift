// SPDX-License-Identifier: MIT
import JSON
import Testing

@testable import TodayModel

/// The last values of a widget's numbers.
@Suite struct HistoryTests {
    private static func at(_ milliseconds: Int64) -> WallTime { WallTime(microseconds: milliseconds * 1_000) }

    private static func numbers(_ values: [String: Double]) throws -> [Metric] {
        try values.sorted { $0.key < $1.key }.map { try #require(Metric($0.key, $0.value)) }
    }

    // MARK: One number

    /// The values that remain after values at these milliseconds: 0, 1, 2 and so on.
    @Test(
        arguments: [
            ([0, 1_000, 2_000], [0, 1, 2]),
            // The newest of a second wins.
            ([0, 999, 1_000, 1_001, 1_999, 2_000], [1, 4, 5]),
            // A stream with ten updates a second.
            ([5_000, 5_100, 5_900, 6_000, 6_100], [2, 4]),
            // The clock was set back by a year, and forward again.
            ([31_536_000_000, 1_000, 2_000, 31_536_000_000], [0, 1, 2, 3]),
            // Before 1970.
            ([-1_500, -1_000, -999, -1, 0], [0, 3, 4]), ([.min / 1_000, .max / 1_000], [0, 1]),
        ] as [([Int64], [Double])])
    func aSecondHasOneValue(dates: [Int64], values: [Double]) {
        var series = Series()
        for (value, date) in dates.enumerated() { series.append(Sample(Double(value), at: Self.at(date))) }
        #expect(series.samples.map(\.value) == values)
        #expect(series.end == Int64(values.count))
    }

    @Test func theOldestValuesGiveWay() {
        var series = Series()
        for value in 0..<1_003 { series.append(Sample(Double(value), at: Self.at(Int64(value) * 1_000))) }
        #expect(series.samples.count == 1_000 && series.first == 3 && series.end == 1_003)
        #expect(series.samples.first?.value == 3 && series.samples.last?.value == 1_002)
        series.trim(to: 10)
        #expect(series.samples.map(\.value) == (993..<1_003).map(Double.init) && series.end == 1_003)
        series.trim(to: 11)
        #expect(series.samples.count == 10 && series.first == 993)
    }

    /// A series that is full, as it is read at a start, gets values without room for twice as many.
    @Test func aFullSeriesDoesNotGrow() {
        var samples: [Sample] = []
        samples.reserveCapacity(Series.most)
        for second in 0..<Series.most { samples.append(Sample(0, at: Self.at(Int64(second) * 1_000))) }
        let room = samples.capacity
        var series = Series(samples)
        samples = []
        for second in 0..<Int64(100) { series.append(Sample(1, at: Self.at((second + 2_000) * 1_000))) }
        #expect(series.samples.capacity == room && series.samples.count == Series.most && series.end == 1_100)
    }

    // MARK: All numbers of a widget

    @Test func eachNumberHasASeriesOfItsOwn() throws {
        var history = History()
        #expect(history.append(try Self.numbers(["a": 1, "b": 2]), at: Self.at(0)) == [])
        #expect(history.append(try Self.numbers(["b": 3]), at: Self.at(1_000)) == [])
        #expect(history.names == ["a", "b"])
        #expect(history["a"]?.samples.map(\.value) == [1] && history["b"]?.samples.map(\.value) == [2, 3])
        #expect(history["c"] == nil)
        // Names are equal when their bytes are.
        #expect(history.append(try Self.numbers(["\u{e9}": 1]), at: Self.at(0)) == [])
        #expect(history["e\u{301}"] == nil && history["\u{e9}"] != nil)
    }

    @Test func aNameThatWasNotUsedForLongGivesWay() throws {
        var history = History()
        for second in 0..<Int64(History.mostNames) {
            #expect(history.append(try Self.numbers(["n\(second)": 1]), at: Self.at(second * 1_000)) == [])
        }
        #expect(history.append(try Self.numbers(["n0": 2]), at: Self.at(100_000)) == [])
        #expect(history.append(try Self.numbers(["new": 1]), at: Self.at(101_000)) == ["n1"])
        // The numbers of the content itself stay, also after the clock was set back.
        #expect(history.append(try Self.numbers(["old": 1]), at: Self.at(-1_000)) == ["n2"])
        #expect(history["old"] != nil && history["n0"]?.samples.count == 2)
        #expect(history.series.count == History.mostNames)
    }

    @Test func aContentNeverHasTooManyNumbers() throws {
        var content = Content(text: "x")
        content.metrics = try (0..<ContentLimits.metrics).map { try #require(Metric("m\($0)", 1)) }
        content.percentage = 5
        var history = History()
        #expect(history.append(content.numbers, at: Self.at(0)) == [])
        #expect(history.series.count == content.numbers.count && content.numbers.count == History.mostNames)
    }

    @Test func thePercentageIsANumberUnlessAMetricHasItsName() throws {
        var content = Content(text: "x")
        #expect(content.numbers.isEmpty)
        content.percentage = 62
        #expect(content.numbers.map(\.name) == ["percentage"] && content.numbers.map(\.value) == [62])
        content.metrics = [try #require(Metric("percentage", 61.8)), try #require(Metric("load1", -0.0))]
        #expect(content.numbers.map(\.value) == [61.8, 0])
        // What is not a number is not a metric, and leaves no value.
        #expect(Metric("x", .nan) == nil && Metric("x", .infinity) == nil && Metric("x\u{0}", 1) == nil)
    }

    // MARK: Charts

    private static func chart(_ text: String) throws -> View.Chart {
        let content = try Content(JSONField(root: JSON.parse(Array(#"{"text":"x","compact":\#(text)}"#.utf8))))
        guard case .chart(let chart)? = content.compact else { throw JSONField(root: .null).fail("no chart") }
        return chart
    }

    @Test func aChartMayNameANumber() throws {
        let chart = try Self.chart(#"{"type":"chart","history":"load1","label":"Load","min":0}"#)
        #expect(chart.history == "load1" && chart.points.isEmpty && chart.minimum == 0)
        #expect(View.chart(chart).json == ["type": "chart", "history": "load1", "label": "Load", "min": 0.0])
        let short = try Self.chart(#"{"type":"chart","history":"load1","last":60}"#)
        #expect(short.last == 60 && short != View.Chart(history: "load1"))
        #expect(View.chart(short).json == ["type": "chart", "history": "load1", "last": 60])
        for last in [1, 1_000] {
            #expect(try Self.chart(#"{"type":"chart","history":"a","last":\#(last)}"#).last == last)
        }
    }

    @Test(
        arguments: [
            (#"{"type":"chart"}"#, "compact.points: is missing"),
            (
                #"{"type":"chart","history":"a","points":[]}"#,
                "compact.points: does not go with history, which has the points"
            ),
            (
                #"{"type":"chart","history":"a","mark":0}"#,
                "compact.mark: does not go with history, which has the points"
            ),
            (#"{"type":"chart","history":""}"#, "compact.history: is empty"),
            (#"{"type":"chart","points":[1],"last":1}"#, "compact.last: goes with history only"),
            (
                #"{"type":"chart","history":"a","last":0}"#,
                "compact.last: expected a whole number from 1 to 1000, found 0"
            ),
            (
                #"{"type":"chart","history":"a","last":1001}"#,
                "compact.last: expected a whole number from 1 to 1000, found 1001"
            ),
            (#"{"type":"chart","history":"a","last":"1"}"#, "compact.last: expected a whole number, found a string"),
            (#"{"type":"chart","history":1}"#, "compact.history: expected a string, found a number"),
            (#"{"type":"chart","history":"a\u0007"}"#, "compact.history: contains the control character U+0007"),
            (#"{"type":"chart","histori":"a"}"#, #"compact.histori: unknown field, did you mean "history"?"#),
        ])
    func wrongChartsAreRefused(chart: String, reason: String) throws {
        do {
            Issue.record("\(try Self.chart(chart)) is read")
        } catch {
            #expect("\(error)" == reason)
        }
    }

    private static func content(charts: Int, of name: String = "a") -> Content {
        let charts = (0..<charts).map { _ in View.chart(View.Chart(history: name)) }
        var content = Content(text: "x")
        content.compact = .stack(.init(.vertical, [.grid(.init(columns: 1, charts))]))
        content.expanded = .item(View.Item(title: "t", children: charts))
        return content
    }

    private static func points(_ view: View?) -> [[Double]] {
        guard let view else { return [] }
        if case .chart(let chart) = view { return [chart.points] }
        return view.children.flatMap { points($0) }
    }

    @Test func chartsGetTheNewestPoints() throws {
        var history = History()
        for second in 0..<Int64(5) {
            _ = history.append(try Self.numbers(["a": Double(second)]), at: Self.at(second * 1_000))
        }
        var content = Self.content(charts: 1)
        content.drawHistory(history)
        #expect(
            Self.points(content.compact) == [[0, 1, 2, 3, 4]] && Self.points(content.expanded) == [[0, 1, 2, 3, 4]])
        // The item is one that any client can read.
        #expect(try Content(JSONField(root: content.json)) == content)
        for (last, points) in [(1, [4]), (3, [2, 3, 4]), (5, [0, 1, 2, 3, 4]), (6, [0, 1, 2, 3, 4])]
            as [(Int, [Double])]
        {
            content.compact = .chart(View.Chart(history: "a", last: last))
            content.drawHistory(history)
            #expect(content.compact == .chart(View.Chart(points: points)))
        }
        // Other views stay as they are.
        var other = Content(text: "x")
        var chart = View.Chart(points: [1])
        chart.mark = 0
        other.compact = .stack(.init(.horizontal, [.chart(chart), .spacer, .text(.init("x"))]))
        let before = other
        other.drawHistory(history)
        #expect(other == before)
    }

    @Test func manyChartsShareTheirPoints() throws {
        var history = History()
        for second in 0..<Int64(Series.most) {
            _ = history.append(try Self.numbers(["a": Double(second)]), at: Self.at(second * 1_000))
        }
        var content = Self.content(charts: 900)
        content.drawHistory(history)
        let points = Self.points(content.compact) + Self.points(content.expanded)
        #expect(points.count == 1_800)
        #expect(points.allSatisfy { $0 == (991..<1_000).map(Double.init) })
        // No chart gets more than its share.
        let long = View.chart(View.Chart(history: "a", last: 500))
        content.compact = .stack(View.Stack(.vertical, Array(repeating: long, count: 1_800)))
        content.expanded = nil
        content.drawHistory(history)
        #expect(Self.points(content.compact).allSatisfy { $0 == (991..<1_000).map(Double.init) })
        content = Self.content(charts: 8)
        content.drawHistory(history)
        #expect(Self.points(content.compact).allSatisfy { $0.count == 1_000 })
    }

    @Test func aChartOfANumberWithoutHistoryIsEmptyAndNamed() {
        var content = Self.content(charts: 1, of: "load9")
        content.drawHistory(History())
        var expected = View.Chart(points: [])
        expected.label = "load9"
        #expect(content.expanded == .item(View.Item(title: "t", children: [.chart(expected)])))
    }

    // MARK: The protocol

    private static func read(_ reply: [UInt8]) throws -> [SeriesReply] {
        var all: [SeriesReply] = []
        for field in try JSONField(root: JSON.parse(reply)).required("series").array() {
            all.append(try SeriesReply(field))
        }
        return all
    }

    @Test func seriesAreReadAsTheyAreWritten() throws {
        var history = History()
        for (second, value) in [(1, 1e308), (2, -0.0), (3, .leastNonzeroMagnitude), (0, 62)] as [(Int64, Double)] {
            _ = history.append(try Self.numbers(["a": value, "b\"\\": 1]), at: Self.at(second * 1_000))
        }
        let all = try Self.read(history.reply(nil, last: 10))
        #expect(all.map(\.name) == ["a", "b\"\\"] && all.map(\.count) == [4, 4])
        #expect(all.first?.series.samples == history["a"]?.samples)
        #expect(try Self.read(history.reply(nil, last: nil)).map(\.series.samples.count) == [1, 1])
        let two = try Self.read(history.reply("a", last: 2)).first
        #expect(two?.series.samples.map(\.value) == [.leastNonzeroMagnitude, 62] && two?.count == 4)
        #expect(try Self.read(history.reply("a", last: nil)).first?.series.samples == history["a"]?.samples)
        let none = String(decoding: history.reply("a", last: 0), as: UTF8.self)
        #expect(none == #"{"series":[{"name":"a","count":4,"samples":[]}]}"#)
        #expect(String(decoding: history.reply("c", last: 10), as: UTF8.self) == #"{"series":[]}"#)
        #expect(String(decoding: History().reply(nil, last: nil), as: UTF8.self) == #"{"series":[]}"#)
    }

    @Test(
        arguments: [
            (0, 5, 5), (1, 5, 5), (1, 1_000, 1_000), (1, 5_000, 1_000), (2, 1_000, 500), (3, 1_000, 333), (3, 4, 4),
            (65, 1_000, 15), (65, 15, 15), (65, 16, 15), (65, 0, 0),
        ])
    func numbersShareTheValuesOfAReply(series: Int, last: Int, length: Int) {
        #expect(History.length(of: series, last: last) == length)
        #expect(series * length <= History.mostInReply)
    }
}
