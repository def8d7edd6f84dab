// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import TodayKit

/// The content that a body is drawn into, and the errors that its author gets.
@MainActor @Suite(.serialized) struct BodyDrawingTests {
    /// Shows the views of a test.
    struct Sample: TodayWidget {
        static var views: any TodayKit.View = EmptyView()
        static var line = WidgetSummary()
        static var insets = EdgeInsets.standard

        func widgetPerformUpdate() async -> NCUpdateResult { .newData }
        func widgetMarginInsets(forProposedMarginInsets defaultMarginInsets: EdgeInsets) -> EdgeInsets {
            #expect(defaultMarginInsets == .standard)
            return Self.insets
        }
        var summary: WidgetSummary { Self.line }
        var body: some TodayKit.View { ViewList([Self.views]) }
    }

    private func content(
        _ views: any TodayKit.View, _ line: WidgetSummary = WidgetSummary(), insets: EdgeInsets = .zero
    ) throws -> Content {
        (Sample.views, Sample.line, Sample.insets) = (views, line, insets)
        return try WidgetHost<Sample>(WidgetRequest()).content()
    }

    @Test func theSummaryIsTheFirstText() throws {
        let content = try content(
            VStack {
                Divider(); Text("one\ntwo"); Text("three")
            })
        #expect(content.text == "one")
        #expect(!content.isEmpty)
    }

    @Test func theSummaryIsOneShortLine() throws {
        #expect(try content(Text("a\tb")).text == "a b")
        let long = try content(Text(String(repeating: "\u{7f8e}", count: 1_000))).text
        #expect(long.hasSuffix("…") && long.utf8.count <= 1_024 && long.utf8.count > 1_000)
    }

    @Test func theSummaryMayBeGivenInFull() throws {
        let line = WidgetSummary(
            "62 %", short: "62", severity: .warning, icon: "💾", percentage: 62, tooltip: "a\nb",
            nextUpdate: .milliseconds(90_500))
        let content = try content(Text("x"), line)
        #expect(
            content.json.text
                == #"{"text":"62 %","short":"62","severity":"warning","icon":"💾","percentage":62.0,"tooltip":"a\nb","#
                + #""compact":{"type":"text","text":"x"},"insets":{},"nextUpdate":90500000}"#)
    }

    @Test func theExpandedViewIsLeftOutIfItIsTheSame() throws {
        #expect(try content(Text("x")).expanded == nil)
        let both = try content(
            ByDisplayMode {
                Text("x")
            } expanded: {
                Text("y")
            })
        #expect(both.compact == .text(.init("x")))
        #expect(both.expanded == .text(.init("y")))
    }

    @Test func aBodyThatShowsNothingIsEmpty() throws {
        #expect(try content(EmptyView()).isEmpty)
        let chart = try content(LineChart(points: [1]))
        #expect(!chart.isEmpty)
        #expect(chart.text == "Sample")
    }

    @Test func numbersAreMetrics() throws {
        let content = try content(LineChart(history: "b"), .numbers(["b": 2.5, "a": -1]))
        #expect(content.metrics.map(\.name) == ["a", "b"] && content.metrics.map(\.value) == [-1, 2.5])
    }

    @Test func contentHasTheMargins() throws {
        #expect(try content(Text("x"), insets: EdgeInsets(top: 1, right: 3)).insets == Insets(top: 1, right: 3))
        #expect(try content(Text("x")).insets == Insets())
    }

    static let rgb = Color(red: .nan, green: -1, blue: 7)

    @Test func partsOfColoursAreLimited() throws {
        #expect(try content(Text("x").foregroundColor(Self.rgb)).json.text.contains("#0000ff"))
    }

    @Test func errorsNameTheField() {
        let table: [(any TodayKit.View, WidgetSummary, EdgeInsets, String)] = [
            (LineChart(points: [1, .nan]), .init(), .zero, "compact.points[1]: is not a finite number"),
            (LineChart(points: [1], baseline: .infinity), .init(), .zero, "compact.baseline: is not a finite number"),
            (ProgressView(value: 0, total: 0), .init("x"), .zero, "compact.value: is not a finite number"),
            (Text("a\u{1b}[31m"), .init("x"), .zero, "compact.text: contains a terminal escape sequence"),
            (
                HStack {
                    Text("x"); Button("b\u{7}", action: "b")
                }, .init(), .zero,
                "compact.children[1].title: contains the control character U+0007"
            ),
            (Link("x", destination: "nowhere"), .init(), .zero, "compact.url: is not a URL"),
            (Link("x", destination: "no where"), .init(), .zero, "compact.url: is not a URL"),
            (Text("x"), .init("two\nlines"), .zero, "text: is more than one line"),
            (Text("x"), .numbers(["": 1]), .zero, "the metric  has no name or no number"),
            (Text("x"), .numbers(["a": .nan]), .zero, "the metric a has no name or no number"),
            (LineChart(history: "a\u{7}"), .init("x"), .zero, "compact.history: contains the control character U+0007"),
            (
                LineChart(history: "a", last: 0), .init("x"), .zero,
                "compact.last: expected a whole number from 1 to 1000, found 0"
            ),
            (Text("x"), .init(percentage: 101), .zero, "percentage: 101.0 is not within 0 to 100"),
            (
                Text("x"), .init(nextUpdate: .milliseconds(1)), .zero,
                "nextUpdate: 1000 microseconds are not between 1s and 1w; seconds are written as \"90s\""
            ),
            (Text("x"), .init(), EdgeInsets(left: -1), "insets.left: expected a whole number from 0 to 16, found -1"),
            (Grid(columns: 0) { Text("x") }, .init(), .zero, "compact.columns: expected a whole number from 1 to 32"),
            (Image(png: [1, 2, 3]), .init("x"), .zero, "compact.png: is not a PNG file in base64"),
        ]
        for (views, line, insets, reason) in table {
            do {
                _ = try content(views, line, insets: insets)
                Issue.record("no error: \(reason)")
            } catch {
                let words = "\(error)"
                #expect(words.hasPrefix("the widget drew what cannot be shown: \(reason)"), "\(words)")
            }
        }
    }
}

extension WidgetSummary {
    fileprivate static func numbers(_ metrics: [String: Double]) -> WidgetSummary {
        var summary = WidgetSummary("x")
        summary.metrics = metrics
        return summary
    }
}
