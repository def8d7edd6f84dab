// SPDX-License-Identifier: MIT
import Platform
import Testing

@testable import AgendaStore

@Suite struct AgendaItemTests {
    private static let today = CivilDay(number: 20_778)

    struct Rule: Sendable {
        let offset: Int
        let isDone: Bool
        let state: AgendaItem.State
        let isDue: Bool
        let words: String

        init(_ offset: Int, done isDone: Bool = false, _ state: AgendaItem.State, due isDue: Bool, _ words: String) {
            (self.offset, self.isDone, self.state, self.isDue, self.words) = (offset, isDone, state, isDue, words)
        }
    }

    static let rules: [Rule] = [
        Rule(0, .today, due: true, "today"), Rule(1, .later, due: false, "tomorrow"),
        Rule(-1, .overdue, due: true, "since yesterday"), Rule(-2, .overdue, due: true, "since 2026-11-19"),
        Rule(2, .later, due: false, "2026-11-23"), Rule(-400, .overdue, due: true, "since 2025-10-17"),
        Rule(0, done: true, .done, due: false, "done"), Rule(-1, done: true, .done, due: false, "done"),
        Rule(1, done: true, .done, due: false, "done"),
    ]

    @Test(arguments: rules) func anItemIsDueFromItsDayOnUntilItIsDone(_ rule: Rule) {
        let item = AgendaItem(
            number: 1, title: "a", due: CivilDay(number: Self.today.number + rule.offset), isDone: rule.isDone)
        #expect(item.state(on: Self.today) == rule.state)
        #expect(item.isDue(on: Self.today) == rule.isDue)
        #expect(item.dueText(on: Self.today) == rule.words)
    }

    @Test func aTitleIsOneLine() throws {
        #expect(try AgendaTitle.checked("  Call Ada \n") == "Call Ada")
        #expect(try AgendaTitle.checked("日本 🎉 €") == "日本 🎉 €")
        #expect(throws: AgendaError.badTitle("it is more than one line")) { try AgendaTitle.checked("a\nb") }
        #expect(throws: AgendaError.badTitle("it contains a terminal escape sequence")) {
            try AgendaTitle.checked("a\u{1b}[31m")
        }
        #expect(throws: AgendaError.badTitle("it is longer than 500 bytes; make it shorter")) {
            try AgendaTitle.checked(String(repeating: "é", count: 251))
        }
        #expect(try AgendaTitle.checked(String(repeating: "é", count: 250)).utf8.count == 500)
        #expect(throws: AgendaError.self) { try AgendaTitle.checked(" \t ") }
    }

    /// Another program may have written any title into the database.
    @Test func aTitleOfAnotherProgramIsShownAsTextThatTodaydAccepts() {
        func shown(_ title: String) -> String { AgendaItem(number: 7, title: title, due: Self.today).shownTitle }
        #expect(shown("Call Ada") == "Call Ada")
        #expect(shown("a\u{1b}[31mb") == "a?[31mb")
        #expect(shown("a\u{202e}b") == "a?b")
        #expect(shown("a\nb") == "a?b")
        #expect(shown("") == "item 7")
        #expect(shown(String(repeating: "x", count: 1_000)).utf8.count == 500)
        #expect(shown("a" + String(repeating: "\u{301}", count: 200)) == "a")
    }

    @Test func aPageHasOneRowPerItemAndCountsTheRest() {
        let items = (1...5).map { AgendaItem(number: $0, title: "a", due: Self.today) }
        #expect(AgendaPage(items: items, rows: 5) == AgendaPage(items: items, rows: 16))
        #expect(AgendaPage(items: items, rows: 5).more == nil)
        #expect(AgendaPage(items: items, rows: 4).shown.map(\.number) == [1, 2, 3])
        #expect(AgendaPage(items: items, rows: 4).more == "and 2 more: agenda list")
        #expect(AgendaPage(items: items, rows: 0).shown.count == 1)
        #expect(AgendaPage(items: [], rows: 4).shown.isEmpty)
    }

    struct Action: Sendable {
        let name: String
        let number: Int?
        init(_ name: String, _ number: Int?) { (self.name, self.number) = (name, number) }
    }

    static let actions: [Action] = [
        Action("done 1", 1), Action("done 12345", 12_345), Action("done", nil), Action("done ", nil),
        Action("done -1", nil), Action("done +1", nil), Action("done 1 2", nil), Action("remove 1", nil),
        Action("done  1", nil), Action("done 99999999999999999999", nil), Action("", nil),
    ]

    @Test(arguments: actions) func anActionNamesItsItem(_ action: Action) {
        #expect(AgendaAction.doneItem(of: action.name) == action.number)
    }

    // MARK: Hiding

    @Test func withNothingToDoTheWidgetHides() throws {
        var flags: [Bool] = []
        #expect(try AgendaVisibility.update(readItems: { [] }, setHasContent: { flags.append($0) }).isEmpty)
        #expect(flags == [false])
    }

    @Test func withSomethingToDoTheFlagIsNotSet() throws {
        var flags: [Bool] = []
        let item = AgendaItem(number: 1, title: "a", due: Self.today)
        #expect(try AgendaVisibility.update(readItems: { [item] }, setHasContent: { flags.append($0) }) == [item])
        #expect(flags == [])
    }

    /// The app adds an item and sets the flag to true after the widget has read the agenda, and before the widget sets the
    /// flag to false.
    @Test func anItemAddedWhileTheWidgetHidesShowsItAgain() throws {
        var flag = true
        var items: [AgendaItem] = []
        let item = AgendaItem(number: 1, title: "a", due: Self.today)
        let open = try AgendaVisibility.update(readItems: { items }) { new in
            if items.isEmpty { items = [item] }
            flag = new
        }
        #expect(open == [item])
        #expect(flag)
    }
}
