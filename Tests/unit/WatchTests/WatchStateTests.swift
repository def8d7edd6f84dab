// SPDX-License-Identifier: MIT

import ClientTestSupport
import JSON
import Rendering
import TestSupport
import Testing
import TodayModel

@testable import Watch

/// What `todayctl watch` shows.
@Suite struct WatchStateTests {
    private static func numbered(_ count: Int, lines: Int = 1) -> [JSON] {
        (0..<count).map { index in
            WatchSamples.item("w\(index)", position: index, views: (0..<lines).map { WatchSamples.line("line \($0)") })
        }
    }

    // MARK: Selection

    @Test func theSelectionFollowsTheWidget() throws {
        var state = try WatchSamples.state(Self.numbered(5))
        _ = state.type("jj")
        #expect(state.selected == "w2")
        // Others go and come in front of it.
        try state.apply(["items": [], "removed": ["org.a.w0"]])
        _ = state.frame()
        #expect(state.selected == "w2" && state.selectedIndex == 1)
        try state.apply(["items": [WatchSamples.item("new", position: 0)], "removed": []])
        _ = state.frame()
        #expect(state.selected == "w2" && state.selectedIndex == 2)
        // Where it goes itself, its neighbour is selected.
        try state.apply(["items": [], "removed": ["org.a.w2"]])
        _ = state.frame()
        #expect(state.selected == "w3")
        try state.apply(["items": [], "removed": ["org.a.w3", "org.a.w4"]])
        _ = state.frame()
        #expect(state.selected == "w1")
        try state.apply(["items": [], "removed": ["org.a.w1", "org.a.new"]])
        _ = state.frame()
        #expect(state.rows().first?.hasPrefix("Nothing to show") == true && state.selection == nil)
        let effects = state.type("uhoJK <enter>1jk<left><pgdn>i")
        #expect(effects.isEmpty)
    }

    @Test func theSelectedWidgetIsMarkedAndNumbered() throws {
        var state = try WatchSamples.state()
        _ = state.type("jj")
        let rows = state.rows()
        #expect(rows.filter { $0.hasPrefix("█") } == [rows[6], "█   [1: Done]", "█   2: home"])
        #expect(rows[4] == "    [Go]")
        #expect(rows.last == "? help  q quit  1-2 press  o open  u update  h hide  e edit…")
    }

    @Test func whatChangesIsDrawnAgain() throws {
        var state = try WatchSamples.state()
        try state.apply([
            "items": [WatchSamples.item("plain", position: 0, views: [WatchSamples.line("other")])], "removed": [],
        ])
        #expect(state.rows()[1] == "█   other")
    }

    @Test func beforeTheFirstReplyThereIsNothing() {
        var options = WatchState.Options()
        options.hasHead = false
        var state = WatchState(options, WatchSamples.presentation())
        let before = state.rows()
        #expect(before.dropLast().allSatisfy { $0.isEmpty })
        state.lose(at: WatchSamples.now)
        let lost = state.rows()
        #expect(lost[0].hasPrefix("Nothing to show"))
    }

    @Test func aListThatComesTooLateIsDropped() throws {
        var state = try WatchSamples.state()
        let items = try (["items": .array(WatchSamples.standard)] as JSONObject).member("items", [Item].self)
        state.list(items)
        #expect(state.listed == nil)
    }

    // MARK: Scrolling

    @Test func nothingIsBelowTheLastLine() throws {
        var state = try WatchSamples.state(Self.numbered(20), rows: 10)
        for _ in 0..<50 { _ = state.handle(.mouse(MouseEvent(button: .wheelDown, column: 0, row: 0))) }
        let bottom = state.bottom()
        #expect(state.offset == 50 && bottom.hasSuffix("51-59/59"))
        // Half of the widgets go.
        try state.apply(["items": [], "removed": JSON((10..<20).map { "org.a.w\($0)" })])
        let less = state.bottom()
        #expect(less.hasSuffix("21-29/29"))
        for _ in 0..<50 { _ = state.handle(.mouse(MouseEvent(button: .wheelUp, column: 0, row: 0))) }
        #expect(state.offset == 0)
    }

    @Test func aClickDoesNotScroll() throws {
        var state = try WatchSamples.state(Self.numbered(20, lines: 3), rows: 8)
        // The second card is cut by the bottom row, which is not part of it.
        let none = state.handle(.mouse(MouseEvent(button: .left, column: 5, row: 7)))
        #expect(none.isEmpty && state.selected == "w0")
        _ = state.handle(.mouse(MouseEvent(button: .left, column: 5, row: 6)))
        _ = state.frame()
        #expect(state.selected == "w1" && state.offset == 0)
        _ = state.type("j")
        #expect(state.selected == "w2" && state.offset > 0)
    }

    @Test func everyLineCanBeReached() throws {
        var state = try WatchSamples.state(Self.numbered(20, lines: 3), rows: 10)
        var seen: Set<String> = []
        for _ in 0..<20 {
            let rows = state.rows()
            #expect(rows.count == 10 && rows.contains { $0.hasPrefix("█ org.a.\(state.selected)") })
            seen.formUnion(
                rows.compactMap { $0.split(separator: " ").first { $0.hasPrefix("org.a.") }.map(String.init) })
            _ = state.type("j")
        }
        #expect(seen.count == 20 && state.selected == "w19")
        #expect(state.bottom().hasSuffix("91-99/99"))
        _ = state.type("g")
        #expect(state.offset == 0 && state.bottom().hasSuffix("1-9/99"))
    }

    @Test func aLongWidgetIsScrolledBeforeTheNext() throws {
        let long = WatchSamples.item("long", position: 0, views: (0..<30).map { .string("line \($0)") })
        var state = try WatchSamples.state([long, WatchSamples.item("next", position: 1)], rows: 11) {
            $0.extras = TodayPage.Extras(whole: true)
        }
        var offsets: [Int] = []
        for _ in 0..<6 {
            _ = state.type("j")
            offsets.append(state.offset)
        }
        #expect(offsets == [5, 10, 15, 20, 21, 24] && state.selected == "next")
        _ = state.type("kkk")
        #expect(state.selected == "long" && state.offset == 11)
    }

    @Test func theWheelLeavesTheSelection() throws {
        var state = try WatchSamples.state(Self.numbered(20), rows: 10)
        for _ in 0..<5 { _ = state.handle(.mouse(MouseEvent(button: .wheelDown, column: 0, row: 0))) }
        #expect(state.offset == 15 && state.selected == "w0")
        // A reply does not move the screen, a key does.
        try state.apply(["items": [WatchSamples.item("w7", position: 7, views: ["other"])], "removed": []])
        _ = state.frame()
        #expect(state.offset == 15)
        _ = state.handle(.mouse(MouseEvent(button: .wheelUp, column: 0, row: 0)))
        #expect(state.offset == 12)
        _ = state.type("j")
        #expect(state.selected == "w1" && state.offset == 3)
    }

    @Test func aPageIsAScreen() throws {
        var state = try WatchSamples.state(Self.numbered(20), rows: 10)
        var selected: [String] = []
        for _ in 0..<8 {
            _ = state.type("<pgdn>")
            selected.append(state.selected)
            #expect(state.rows().contains { $0.hasPrefix("█") })
        }
        #expect(selected.last == "w19" && selected[0] == "w3" && Set(selected).count == 7)
        for _ in 0..<8 { _ = state.type("<pgup>") }
        #expect(state.selected == "w0" && state.offset == 0)
    }

    @Test func columnsAreMovedThrough() throws {
        // Cards of 44 columns and more: two fit.
        var state = try WatchSamples.state(Self.numbered(6), columns: 120, rows: 40)
        let rows = state.rows()
        #expect(rows[0].contains("org.a.w0") && rows[0].contains("org.a.w1"))
        let path: [(key: String, selected: String)] = [
            ("<right>", "w1"), ("j", "w3"), ("<left>", "w2"), ("j", "w4"), ("j", "w1"), ("k", "w4"), ("<right>", "w5"),
            ("<right>", "w5"), ("j", "w5"), ("G", "w5"), ("g", "w0"), ("k", "w0"),
        ]
        for step in path {
            _ = state.type(step.key)
            #expect(state.selected == step.selected)
        }
    }

    // MARK: Filter

    @Test func theFilterShowsWhatFits() throws {
        var state = try WatchSamples.state()
        _ = state.type("/PA")
        #expect(state.selected == "page" && state.bottom() == "/PA_")
        #expect(state.rows().count { $0.contains("org.a.") } == 1)
        _ = state.type("<enter>")
        #expect(state.bottom() == "/PA: 1 of 5; Esc shows all")
        _ = state.type("<esc>")
        #expect(state.filter == nil && state.selected == "page")
        _ = state.type("/xyz")
        #expect(state.rows().first == "no widget has 'xyz'")
        _ = state.type("<bs><bs><bs>")
        #expect(state.filter?.text == "")
        _ = state.type("<bs>")
        #expect(state.filter == nil)
        _ = state.type("/one<^u>two")
        #expect(state.filter?.text == "two")
        _ = state.type("<esc>/<enter>")
        #expect(state.filter == nil)
    }

    @Test func pastedTextGoesIntoTheFilterOnly() throws {
        var state = try WatchSamples.state()
        let effects = state.handle(.paste("q"))
        #expect(effects.isEmpty && state.filter == nil)
        _ = state.type("/")
        _ = state.handle(.paste("page"))
        #expect(state.filter?.text == "page")
        _ = state.type("<enter>")
        _ = state.handle(.paste("q"))
        #expect(state.filter?.text == "page" && state.filter?.isTyped == false)
        _ = state.type("<esc>/page")
        _ = state.handle(.paste(String(repeating: "x", count: 300)))
        #expect(state.filter?.text == "page")
    }

    // MARK: The bottom row

    @Test func whatIsLostIsStale() throws {
        var state = try WatchSamples.state()
        state.lose(at: WatchSamples.now)
        let rows = state.rows()
        #expect(rows[0].contains("stale") && rows.last?.hasPrefix("todayd has not answered since ") == true)
        try state.apply(["items": [WatchSamples.item("plain", position: 0)], "removed": []])
        #expect(state.rows()[0].contains("stale") == false && state.rows().last?.contains("answered") == false)
        #expect(state.rows().count { $0.contains("org.a.") } == 1)
    }

    @Test func withoutKeysTheLossIsOnTop() throws {
        var state = try WatchSamples.state(rows: 8) { $0.hasKeys = false }
        state.lose(at: WatchSamples.now)
        let rows = state.rows()
        #expect(rows[0].hasPrefix("todayd has not answered since ") && rows[1].isEmpty)
        #expect(rows.last == "+ 10 more lines; 'todayctl show --all' prints them")
    }

    @Test func errorsAreInWords() throws {
        var state = try WatchSamples.state()
        let deed = WatchDeed.hide(try WatchSamples.id("plain"), .today)
        state.began(deed)
        _ = state.ended(deed, succeeded: false, said: "permission denied")
        #expect(state.bottom() == "permission denied")
        state.began(deed)
        _ = state.ended(deed, succeeded: false, said: "")
        #expect(state.bottom() == "it has failed")
        _ = state.ended(deed, succeeded: true, said: "")
        #expect(state.bottom().hasPrefix("org.a.plain is hidden"))
        _ = state.ended(.open(try WatchSamples.id("two"), url: "https://a.example"), succeeded: true, said: "noise")
        #expect(state.bottom() == "opened https://a.example")
    }

    /// What was hidden, shown or moved can be taken back, once and for ten seconds.
    @Test func aChangeIsUndone() throws {
        let (plain, one) = (try WatchSamples.id("plain"), try WatchSamples.id("one"))
        let undone: [(deed: WatchDeed, undo: WatchDeed?)] = [
            (.hide(plain, .today), .show(plain, by: .showInToday)),
            (.hide(plain, .statusBar), .show(plain, by: .showInStatusBars)),
            (.show(plain, by: .showInToday), .hide(plain, .today)), (.show(plain, by: .enable), nil),
            (.move(plain, place: .after, other: one), .move(plain, place: .before, other: one)),
            (.move(plain, place: .before, other: one), .move(plain, place: .after, other: one)), (.update(plain), nil),
        ]
        for (deed, undo) in undone {
            var state = try WatchSamples.state()
            #expect(state.type("z") == [] && state.bottom().hasPrefix("there is nothing to undo"))
            state.began(deed)
            _ = state.ended(deed, succeeded: false, said: "no")
            #expect(state.undoing == nil, "nothing was done")
            _ = state.ended(deed, succeeded: true, said: "")
            _ = state.type("?")
            _ = state.type("?")
            #expect(state.undoing == undo && state.bottom().contains("z undo") == (undo != nil))
            #expect(state.type("z") == (undo.map { [.start($0)] } ?? []))
            #expect(state.type("z") == [], "once")
            _ = state.ended(deed, succeeded: true, said: "")
            state.resize(state.size, WatchSamples.presentation(80, WatchSamples.now + .seconds(10)))
            #expect(state.undoing == nil && state.type("z") == [], "too late")
        }
    }

    @Test func everyActionHasAKey() {
        #expect(Set(WatchKeys.all.map(\.action)) == Set(WatchAction.allCases))
        let keys = WatchKeys.all.flatMap(\.keys)
        #expect(Set(keys).count == keys.count)
    }

    @Test func allLinesAreShownOnRequest() throws {
        let long = WatchSamples.item("long", position: 0, views: (0..<30).map { .string("line \($0)") })
        var state = try WatchSamples.state([long])
        #expect(state.rows().contains { $0.hasSuffix("more lines") })
        _ = state.type("a")
        #expect(state.rows().contains { $0 == "█   line 29" })
        _ = state.type("a")
        #expect(!state.rows().contains { $0 == "█   line 29" })
    }

    @Test func whatIsNoTroubleGivesWayToTheKeys() throws {
        var state = try WatchSamples.state()
        let deed = WatchDeed.update(nil)
        for isTrouble in [false, true] {
            _ = state.ended(deed, succeeded: !isTrouble, said: "all of it")
            #expect(state.change(after: WatchSamples.now) == (isTrouble ? .minutes(1) : .seconds(10)))
            for (seconds, isShown) in [(0, true), (9, true), (10, isTrouble)] as [(Int64, Bool)] {
                var later = WatchSamples.presentation(60)
                later.now = WatchSamples.now + .seconds(seconds)
                state.resize(Size(columns: 60, rows: 40), later)
                #expect(state.bottom().hasPrefix("all of it") == isShown)
            }
            state.resize(Size(columns: 60, rows: 40), WatchSamples.presentation(60))
        }
    }

    @Test func agesAreBroughtUpToDate() throws {
        var state = try WatchSamples.state()
        #expect(state.change(after: WatchSamples.now) == .minutes(1))
        var later = WatchSamples.presentation(60)
        later.now = WatchSamples.now + .minutes(3)
        state.resize(Size(columns: 60, rows: 40), later)
        #expect(state.rows()[0].contains("3 min"))
    }

    // MARK: Everything

    /// Any events on any screen: a frame always fits, and the selected widget is one that is shown.
    @Test(arguments: [(1, 1), (2, 2), (20, 3), (80, 24), (200, 50), (500, 200)]) func anythingMayHappen(
        columns: Int, rows: Int
    ) throws {
        var numbers = SeededNumbers(seed: UInt64(columns))
        var state = try WatchSamples.state(columns: max(columns, 10), rows: rows)
        let keys: [Key] =
            WatchKeys.all.flatMap(\.keys) + "0123456789aexé ".unicodeScalars.map { .text($0) } + [
                .backspace, .delete, .tab,
            ]
        for _ in 0..<600 {
            switch Int.random(in: 0..<12, using: &numbers) {
            case 0:
                let index = Int.random(in: 0..<8, using: &numbers)
                let item = WatchSamples.standard[index % 5].objectValue ?? [:]
                var changed = item
                changed["id"] = .string("org.a.w\(index)")
                changed["position"] = .int(Int64(Int.random(in: 0..<8, using: &numbers)))
                changed["mode"] = Bool.random(using: &numbers) ? "expanded" : "compact"
                try state.apply(["items": [.object(changed)], "removed": JSON(["org.a.w\((index + 3) % 8)"])])
            case 1: state.lose(at: WatchSamples.now)
            case 2: try state.apply(["items": .array(WatchSamples.standard), "removed": []])
            case 3:
                let items = try (["items": .array(WatchSamples.standard)] as JSONObject).member("items", [Item].self)
                state.list(items.shuffled(using: &numbers).dropLast(Int.random(in: 0...5, using: &numbers)))
            case 4, 5:
                let buttons: [MouseEvent.Button] = [.left, .middle, .right, .wheelUp, .wheelDown]
                let mouse = MouseEvent(
                    button: buttons.randomElement(using: &numbers) ?? .left,
                    column: Int.random(in: 0..<columns, using: &numbers), row: Int.random(in: 0..<rows, using: &numbers)
                )
                carryOut(state.handle(.mouse(mouse)), on: &state, &numbers)
            case 6:
                let other = Size(
                    columns: Int.random(in: 1...columns, using: &numbers),
                    rows: Int.random(in: 1...rows, using: &numbers))
                state.resize(other, WatchSamples.presentation(max(other.columns, 10)))
            default: carryOut(state.handle(.key(keys.randomElement(using: &numbers) ?? .up)), on: &state, &numbers)
            }
            let frame = state.frame()
            #expect(frame.size == state.size && frame.rows.count == state.size.rows)
            #expect(frame.rows.allSatisfy { $0.width <= state.size.columns })
            let shown = state.currentPage().items.map(\.id)
            #expect(state.selection.map { shown.contains($0) } ?? shown.isEmpty)
        }
    }

    private func carryOut(_ effects: [WatchEffect], on state: inout WatchState, _ numbers: inout SeededNumbers) {
        for case .start(let deed) in effects {
            state.began(deed)
            if Bool.random(using: &numbers) { _ = state.ended(deed, succeeded: Bool.random(using: &numbers), said: "") }
        }
    }
}
