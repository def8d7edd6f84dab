// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import TodayKit

/// The timeline of a widget, and the errors that its author gets.
@MainActor @Suite(.serialized) struct KitTimelineTests {
    static var given: TodayKit.Timeline?
    static var line = WidgetSummary()
    static var draws: (Timestamp) -> any TodayKit.View = { Text("\($0.seconds)") }

    /// Shows the date for which it is drawn.
    struct Clock: TodayWidget {
        func widgetPerformUpdate() async -> NCUpdateResult { .newData }
        var timeline: TodayKit.Timeline? { given }
        var summary: WidgetSummary { line }
        var body: some TodayKit.View { ViewList([draws(extensionContext.entryDate)]) }
    }

    init() {
        (Self.given, Self.line) = (nil, WidgetSummary())
        Self.draws = { Text("\($0.seconds)") }
    }

    private func content(
        _ entries: [TimelineEntry], _ policy: TimelineReloadPolicy = .atEnd, _ line: WidgetSummary = WidgetSummary()
    ) throws -> Content {
        (Self.given, Self.line) = (TodayKit.Timeline(entries: entries, policy: policy), line)
        return try WidgetHost<Clock>(WidgetRequest()).content()
    }

    private func date(_ seconds: Int) -> Timestamp { Timestamp(secondsSince1970: 1_800_000_000 + seconds) }

    @Test func oneBodyServesAllEntries() throws {
        let content = try content([TimelineEntry(date: date(60)), TimelineEntry(date: date(0))])
        let timeline = try #require(content.timeline)
        #expect(timeline.entries.map(\.date.microseconds) == [1_800_000_000_000_000, 1_800_000_060_000_000])
        #expect(timeline.entries.map(\.content.text) == ["1800000000", "1800000060"])
        #expect(timeline.policy == .end)
        // Before the first entry, hosts show the content for now.
        let drawn = try #require(Int(content.text))
        #expect(abs(drawn - Timestamp.now.seconds) < 60)
        #expect(content.shown(at: date(59).wallTime).text == "1800000000")
        #expect(content.shown(at: date(61).wallTime).text == "1800000060")
    }

    @Test func withoutATimelineThereIsNone() throws {
        #expect(try WidgetHost<Clock>(WidgetRequest()).content().timeline == nil)
    }

    @Test func thePolicyIsTheTimeOfTheNextUpdate() throws {
        let entries = [TimelineEntry(date: date(0)), TimelineEntry(date: date(60))]
        let table: [(TimelineReloadPolicy, NextAsk)] = [
            (.atEnd, .date(date(60).wallTime)), (.after(date(30)), .date(date(30).wallTime)), (.never, .never),
        ]
        for (policy, ask) in table {
            #expect(try content(entries, policy).nextAsk == ask)
        }
    }

    @Test func anEntryMayReplaceTheRelevanceOfTheSummary() throws {
        let entries = [
            TimelineEntry(date: date(0)), TimelineEntry(date: date(60), relevance: WidgetRelevance(1, until: date(90))),
        ]
        let content = try content(entries, .never, WidgetSummary(relevance: WidgetRelevance(0.25)))
        #expect(content.relevance == Relevance(0.25))
        let relevances = content.timeline?.entries.map(\.content.relevance)
        #expect(relevances == [Relevance(0.25), Relevance(1, until: date(90).wallTime)])
    }

    @Test func entriesHaveBothDisplayModes() throws {
        Self.draws = { date in
            ByDisplayMode {
                Text("small \(date.seconds)")
            } expanded: {
                Text("large \(date.seconds)")
            }
        }
        let entry = try #require(try content([TimelineEntry(date: date(0))]).timeline?.entries.first)
        #expect(entry.content.compact == .text(.init("small 1800000000")))
        #expect(entry.content.expanded == .text(.init("large 1800000000")))
    }

    @Test func aTimelineHasAtMost64Entries() throws {
        let many = (0..<65).map { TimelineEntry(date: date($0)) }
        #expect(try content(Array(many.dropLast())).timeline?.entries.count == 64)
        expectError(
            "timeline: has 65 entries, more than 64; give the first, and ask again with the policy atEnd", many)
    }

    @Test func errorsNameTheField() {
        let one = [TimelineEntry(date: date(0))]
        expectError("timeline: has no entries; without any, return nil", [])
        expectError(
            "nextUpdate: does not go with a timeline: its policy says when to ask next", one,
            WidgetSummary(nextUpdate: .seconds(60)))
        expectError(
            "timeline[0].content.relevance.score: 2.0 is not within 0 to 1",
            [TimelineEntry(date: date(0), relevance: WidgetRelevance(2))])
        expectError(
            "relevance.score: is not a finite number", one, WidgetSummary(relevance: WidgetRelevance(.nan)))
        expectError("timeline[0].date: ", [TimelineEntry(date: Timestamp(secondsSince1970: .max))])
        Self.draws = { Text($0 == date(0) ? "\u{1b}[31m" : "x") }
        expectError("timeline[0].content.", one)
    }

    private func expectError(
        _ words: String, _ entries: [TimelineEntry], _ line: WidgetSummary = WidgetSummary(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        do {
            _ = try content(entries, .never, line)
            Issue.record("no error: \(words)", sourceLocation: sourceLocation)
        } catch {
            let whole = "the widget drew what cannot be shown: \(words)"
            #expect("\(error)".hasPrefix(whole), "\(error)", sourceLocation: sourceLocation)
        }
    }

    /// The example of the documentation.
    struct Departures: TodayWidget {
        private var departures: [Timestamp] = []

        mutating func widgetPerformUpdate() async throws -> NCUpdateResult {
            departures = (1...8).map { Timestamp.now + .seconds($0 * 900) }
            return .newData
        }

        var timeline: TodayKit.Timeline? {
            TodayKit.Timeline(entries: departures.map { TimelineEntry(date: $0) }, policy: .atEnd)
        }

        var body: some TodayKit.View {
            let next = departures.first { $0 > extensionContext.entryDate }
            Text(next?.text("%H:%M") ?? "No departure")
        }
    }

    @Test func theExampleOfTheDocumentationWorks() async throws {
        let host = WidgetHost<Departures>(WidgetRequest())
        let outcome = await host.perform(.performUpdate, WidgetRequest())
        let content = try #require(outcome.content)
        let texts = [content.text] + (content.timeline?.entries.map(\.content.text) ?? [])
        #expect(texts.count == 9)
        #expect(Set(texts).count == 9)
        #expect(texts.last == "No departure")
    }

    @Test func timestampsAreAdded() {
        #expect(date(0) + .seconds(90) == date(90))
        #expect(date(0) + .milliseconds(1_999) == date(1))
        #expect(Timestamp(secondsSince1970: .max) + .seconds(1) == Timestamp(secondsSince1970: .max))
    }
}
