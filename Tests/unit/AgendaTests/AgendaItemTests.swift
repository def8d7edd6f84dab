// SPDX-License-Identifier: MIT
import AgendaStore
import Testing
import TodayKit

@Suite struct AgendaItemTests {
    private static let today = CivilDay(number: 20_778)

    struct Rule: Sendable {
        let offset: Int
        let isDone: Bool
        let isOverdue: Bool
        let isDue: Bool
        let words: String

        init(_ offset: Int, done isDone: Bool = false, overdue isOverdue: Bool, due isDue: Bool, _ words: String) {
            (self.offset, self.isDone, self.isOverdue) = (offset, isDone, isOverdue)
            (self.isDue, self.words) = (isDue, words)
        }
    }

    static let rules: [Rule] = [
        Rule(0, overdue: false, due: true, "today"), Rule(1, overdue: false, due: false, "tomorrow"),
        Rule(-1, overdue: true, due: true, "since yesterday"), Rule(-2, overdue: true, due: true, "since 2026-11-19"),
        Rule(2, overdue: false, due: false, "2026-11-23"), Rule(-400, overdue: true, due: true, "since 2025-10-17"),
        Rule(0, done: true, overdue: false, due: false, "done"),
        Rule(-1, done: true, overdue: false, due: false, "done"),
        Rule(1, done: true, overdue: false, due: false, "done"),
    ]

    @Test(arguments: rules) func anItemIsDueFromItsDayOnUntilItIsDone(_ rule: Rule) {
        let item = AgendaItem(
            number: 1, title: "a", due: CivilDay(number: Self.today.number + rule.offset), isDone: rule.isDone)
        #expect(item.isOverdue(on: Self.today) == rule.isOverdue)
        #expect(item.isDue(on: Self.today) == rule.isDue)
        #expect(item.dueText(on: Self.today) == rule.words)
    }
}
