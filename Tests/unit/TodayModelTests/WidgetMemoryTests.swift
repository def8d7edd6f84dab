// SPDX-License-Identifier: MIT
import Testing
import TodayModel

private func at(_ seconds: Int64) -> WallTime { WallTime(microseconds: (1_700_000_000 + seconds) * 1_000_000) }

/// The wait that a failed update requests survives a restart, until the next update says otherwise.
@Suite struct WidgetMemoryTests {
    struct Row: CustomTestStringConvertible {
        var name: String
        var result: RunOutcome.Result
        var ask: NextAsk?
        var interaction: Interaction?
        var after: WallTime?
        /// When the last successful update requested the next one.
        var next: NextAsk? = .never
        var testDescription: String { name }
    }

    /// A run from second 98 to second 100; before it, the widget waits for second 500.
    static let rows = [
        Row(name: "a wait counts from the end", result: .failed("x"), ask: .wait(.minutes(16)), after: at(1_060)),
        Row(name: "a date", result: .failed("x"), ask: .date(at(300)), after: at(300)),
        Row(name: "a failure that asks for nothing", result: .failed("x"), after: nil),
        Row(
            name: "success ends it", result: .newData(Content(text: "new")), ask: .wait(.minutes(16)), after: nil,
            next: .date(at(1_060))),
        Row(name: "so does noData", result: .noData, after: nil, next: nil),
        Row(name: "a button that fails", result: .failed("x"), interaction: .action("a"), after: at(500)),
        Row(
            name: "a button that succeeds", result: .newData(Content(text: "new")), interaction: .action("a"),
            after: at(500)),
    ]

    @Test(arguments: rows) func anUpdateSaysFromWhenOnItMayBeAsked(_ row: Row) throws {
        var outcome = RunOutcome(
            widget: try #require(WidgetID("org.example.a")), run: 1, reason: row.interaction?.reason ?? .schedule,
            started: at(98), duration: .seconds(2), result: row.result, nextAsk: row.ask)
        outcome.interaction = row.interaction
        var memory = WidgetMemory(largestMode: .expanded, notBefore: at(500), nextAsk: .never)
        var inputs = UpdateInputs()
        inputs.settings = 1
        memory.apply(outcome, from: inputs)
        let tried = row.interaction == nil && outcome.isFailure ? inputs : nil
        #expect(memory == WidgetMemory(largestMode: .expanded, notBefore: row.after, tried: tried, nextAsk: row.next))
    }
}
