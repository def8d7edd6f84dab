// SPDX-License-Identifier: MIT
import Formats
import Testing
import TodayModel

@testable import Runner

/// The result of an answer, which depends on what is known of the widget.
@Suite struct StartedRunTests {
    private static let started = WallTime(microseconds: 1_796_022_000_000_000)
    private static let old = Content(text: "old")
    private static let later = started + .hours(1)

    private static func content(_ text: String, _ change: (inout Content) -> Void = { _ in }) -> Content {
        var content = Content(text: text)
        change(&content)
        return content
    }

    private static func timeline(_ text: String, at date: WallTime, _ policy: Timeline.Policy = .end) -> Content {
        content("now") {
            $0.timeline = Timeline([Timeline.Entry(date: date, content: Content(text: text))], policy: policy)
        }
    }

    private struct Case: Sendable {
        var name: String
        var previous: Content?
        var isEditing = false
        var interaction: Interaction?
        var answer: WidgetAnswer
        var result: RunOutcome.Result
        var ask: NextAsk?
    }

    private static let unknown =
        "it answers noData, but todayd has no content of it: the first answer has to be content"

    private static let cases: [Case] = [
        Case(name: "the first content", answer: .newData(old), result: .newData(old)),
        Case(
            name: "other content", previous: old, answer: .newData(content("new") { $0.nextUpdate = .minutes(2) }),
            result: .newData(content("new") { $0.nextUpdate = .minutes(2) }), ask: .wait(.minutes(2))),
        Case(name: "the same content", previous: old, answer: .newData(old), result: .noData),
        Case(
            name: "another time to ask alone", previous: old,
            answer: .newData(content("old") { $0.nextUpdate = .minutes(2) }), result: .noData, ask: .wait(.minutes(2))),
        Case(
            name: "the same content in an editor", previous: old, isEditing: true, answer: .newData(old),
            result: .newData(old)),
        Case(
            name: "a timeline", previous: old, answer: .newData(timeline("a", at: later)),
            result: .newData(timeline("a", at: later)), ask: .date(later)),
        Case(
            name: "the same timeline", previous: timeline("a", at: later), answer: .newData(timeline("a", at: later)),
            result: .noData, ask: .date(later)),
        Case(
            name: "another entry", previous: timeline("a", at: later), answer: .newData(timeline("b", at: later)),
            result: .newData(timeline("b", at: later)), ask: .date(later)),
        Case(
            name: "another policy", previous: timeline("a", at: later),
            answer: .newData(timeline("a", at: later, .never)), result: .newData(timeline("a", at: later, .never)),
            ask: .never),
        Case(name: "nothing new", previous: old, answer: .noData(), result: .noData),
        Case(
            name: "nothing new for an hour", previous: old, answer: .noData(wait: .hours(1)), result: .noData,
            ask: .wait(.hours(1))),
        Case(
            name: "nothing new, and a timeline holds", previous: timeline("a", at: later), answer: .noData(),
            result: .noData, ask: .date(later)),
        Case(
            name: "nothing new, and a timeline has ended", previous: timeline("a", at: started), answer: .noData(),
            result: .noData),
        Case(
            name: "nothing new, and the timeline has no end", previous: timeline("a", at: started, .never),
            answer: .noData(), result: .noData, ask: .never),
        Case(name: "nothing is known", answer: .noData(), result: .failed(unknown)),
        Case(name: "nothing is known, for an hour", answer: .noData(wait: .hours(1)), result: .failed(unknown)),
        Case(name: "a button, and nothing is known", interaction: .action("a"), answer: .noData(), result: .noData),
    ]

    @Test(arguments: cases.map(\.name)) func anAnswerHasItsResult(name: String) throws {
        let trial = try #require(Self.cases.first { $0.name == name })
        let id = try #require(WidgetID("org.example.test"))
        let plan = UpdatePlan(command: ["/x"], contentProtocol: .varlink)
        let manifest = Manifest(id: id, displayName: "Test", update: plan)
        var request = RunRequest(run: 1, manifest: manifest, reason: .schedule, mode: .compact)
        request.previous = trial.previous.map { Layers.Own($0, taken: .now) }
        request.isEditing = trial.isEditing
        request.interaction = trial.interaction
        var outcome = RunOutcome(
            widget: id, run: 1, reason: .schedule, started: Self.started, duration: .seconds(1), result: .noData)
        outcome.setResult(from: trial.answer, for: request)
        #expect(outcome.result == trial.result)
        #expect(outcome.nextAsk == trial.ask)
    }
}
