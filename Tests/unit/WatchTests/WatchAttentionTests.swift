// SPDX-License-Identifier: MIT

import ClientTestSupport
import JSON
import Rendering
import Testing
import TodayModel

@testable import Watch

/// A key means what its user has seen: other widgets, other things in them, and another order come in between.
@Suite struct WatchAttentionTests {
    private static func pair(_ first: String, _ second: String) -> JSON {
        WatchSamples.item("w", position: 0, views: [WatchSamples.button(first), WatchSamples.button(second)])
    }

    /// A reply that takes a widget away.
    private func remove(_ name: String, from state: inout WatchState) throws {
        try state.apply(["items": [], "removed": JSON(["org.a.\(name)"])])
        _ = state.frame()
    }

    // MARK: Another selection

    @Test(arguments: ["h", "<enter>", "1", "o", "J", "K", "i", " ", "m", "u"])
    func aKeyForTheWidgetThatHasGoneIsIgnored(key: String) throws {
        var state = try WatchSamples.state()
        state.clock = AwakeTime(microseconds: 0) + .seconds(5)
        let gone = state.selected
        try remove(gone, from: &state)
        state.clock = state.clock + .milliseconds(499)
        let effects = state.type(key)
        #expect(effects.isEmpty && state.choice == nil)
        #expect(state.bottom() == "another widget is selected by now: nothing was done")
    }

    @Test func aHeldKeyHidesOneWidget() throws {
        var state = try WatchSamples.state()
        var hidden: [WatchEffect] = []
        for _ in 0..<40 {
            state.clock = state.clock + .milliseconds(50)
            for effect in state.type("h") {
                hidden.append(effect)
                guard case .start(let deed) = effect else { continue }
                state.began(deed)
                try remove(state.selected, from: &state)
                _ = state.ended(deed, succeeded: true, said: "")
            }
        }
        #expect(try hidden == [.start(.hide(WatchSamples.id("plain"), .today))])
        // It means the other widget after a while, or after a movement.
        state.clock = state.clock + .milliseconds(500)
        let later = state.type("h")
        #expect(try later == [.start(.hide(WatchSamples.id("one"), .today))])
        try remove("one", from: &state)
        let moved = state.type("gh")
        #expect(try moved == [.start(.hide(WatchSamples.id("two"), .today))])
        try remove("two", from: &state)
        let still = state.type("kh")
        #expect(try still == [.start(.hide(WatchSamples.id("page"), .today))], "also where there is nothing to move to")
    }

    @Test func otherKeysAndFiltersAreNoReason() throws {
        var state = try WatchSamples.state()
        try remove("plain", from: &state)
        let all = state.type("U")
        #expect(all == [.start(.update(nil))])
        let hidden = state.type("h")
        #expect(hidden.isEmpty, "a key that concerns no widget does not make the new selection a known one")
        var filtered = try WatchSamples.state()
        let own = filtered.type("/two<enter>u")
        #expect(try own == [.start(.update(WatchSamples.id("two")))])
        var pasted = try WatchSamples.state()
        _ = pasted.type("/")
        _ = pasted.handle(.paste("two"))
        let text = pasted.type("<enter>u")
        #expect(try text == [.start(.update(WatchSamples.id("two")))])
    }

    @Test func aClickOnAnotherWidgetSelectsFirst() throws {
        var state = try WatchSamples.state()
        try remove("plain", from: &state)
        let click = MouseEvent(button: .left, column: 5, row: 1)
        let first = state.handle(.mouse(click))
        let second = state.handle(.mouse(click))
        #expect(first.isEmpty && state.selected == "one")
        #expect(try second == [.start(.press(WatchSamples.id("one"), action: "go"))])
    }

    @Test func aFilterWithoutAMatchKeepsTheSelection() throws {
        var state = try WatchSamples.state()
        _ = state.type("jj/xyz")
        #expect(state.selection == nil)
        _ = state.type("<esc>")
        #expect(state.selected == "two")
        _ = state.type("/fxyz<^u>")
        #expect(state.selected == "two")
    }

    // MARK: Other things in the widget

    @Test(arguments: ["1", "2", "<enter>1", "12"]) func whatHasJustChangedIsNotPressed(keys: String) throws {
        var state = try WatchSamples.state([Self.pair("Cancel", "Delete")])
        for step in 1...20 {
            state.clock = AwakeTime(microseconds: 0) + .milliseconds(100 * Int64(step))
            try state.apply([
                "items": [step % 2 == 0 ? Self.pair("Cancel", "Delete") : Self.pair("Delete", "Cancel")],
                "removed": [],
            ])
            let effects = state.type(keys)
            #expect(effects.isEmpty)
            #expect(state.bottom().contains("nothing was pressed"))
        }
        state.clock = state.clock + .milliseconds(499)
        let early = state.type("1")
        state.clock = state.clock + .milliseconds(1)
        let late = state.type("1")
        #expect(try early.isEmpty && late == [.start(.press(WatchSamples.id("w"), action: "cancel"))])
    }

    @Test func theOnlyThingAndALinkMayHaveJustChanged() throws {
        for (old, new, keys) in [
            (WatchSamples.button("Cancel"), WatchSamples.button("Delete"), "<enter>"),
            (WatchSamples.link("a"), WatchSamples.link("b"), "o"),
        ] as [(JSON, JSON, String)] {
            var state = try WatchSamples.state([WatchSamples.item("w", position: 0, views: [old])])
            state.clock = state.clock + .seconds(9)
            try state.apply(["items": [WatchSamples.item("w", position: 0, views: [new])], "removed": []])
            let effects = state.type(keys)
            #expect(effects.isEmpty && state.bottom().contains("nothing was pressed"))
        }
    }

    @Test func aClickOnWhatHasJustChangedPressesNothing() throws {
        var state = try WatchSamples.state([Self.pair("Cancel", "Delete")])
        try state.apply(["items": [Self.pair("Delete", "Cancel")], "removed": []])
        let click = MouseEvent(button: .left, column: 5, row: 1)
        let early = state.handle(.mouse(click))
        state.clock = state.clock + .milliseconds(500)
        let late = state.handle(.mouse(click))
        #expect(try early.isEmpty && late == [.start(.press(WatchSamples.id("w"), action: "delete"))])
    }

    /// The title of a menu's item may tell the time.
    @Test func aTitleMayChange() throws {
        func item(_ title: String) -> JSON {
            WatchSamples.item(
                "w", position: 0, views: [["type": "button", "title": .string(title), "action": "same"]])
        }
        var state = try WatchSamples.state([item("10:00:00")])
        try state.apply(["items": [item("10:00:01")], "removed": []])
        let effects = state.type("<enter>")
        #expect(try effects == [.start(.press(WatchSamples.id("w"), action: "same"))])
    }

    // MARK: Moves

    /// Does what todayd does for a move: the places of two neighbours are swapped.
    private func order(_ names: [String], in state: inout WatchState) throws {
        let items = names.enumerated().map { WatchSamples.item($1, position: $0) }
        try state.apply(["items": .array(items), "removed": []])
    }

    private func begin(_ effects: [WatchEffect], in state: inout WatchState) -> [WatchDeed] {
        var deeds: [WatchDeed] = []
        for case .start(let deed) in effects {
            state.began(deed)
            deeds.append(deed)
        }
        return deeds
    }

    /// Ends the moves one by one, as todayd would.
    private func finish(_ begun: [WatchDeed], _ names: inout [String], in state: inout WatchState) throws {
        var deeds = begun
        while let deed = deeds.first {
            guard case .move(let id, let place, let other) = deed else { return }
            names.removeAll { "org.a.\($0)" == id.text }
            let beside = try #require(names.firstIndex { "org.a.\($0)" == other.text })
            names.insert(String(id.text.dropFirst(6)), at: beside + (place == .after ? 1 : 0))
            // The command ends before the view is read.
            let early = state.ended(deed, succeeded: true, said: "")
            #expect(early.isEmpty)
            try order(names, in: &state)
            deeds = begin(state.nextMove(), in: &state)
        }
    }

    @Test func aHeldMoveIsForItsWidget() throws {
        var names = ["a", "b", "c", "d", "e", "f"]
        var state = try WatchSamples.state([])
        try order(names, in: &state)
        let first = begin(state.type("gJ"), in: &state)
        let held = state.type("Jj")
        #expect(held.isEmpty && state.selected == "b")
        try finish(first, &names, in: &state)
        #expect(names == ["b", "c", "a", "d", "e", "f"])
    }

    @Test func movesThatHaveNowhereToGoAreForgotten() throws {
        var names = ["a", "b", "c", "d", "e", "f"]
        var state = try WatchSamples.state([])
        try order(names, in: &state)
        let first = begin(state.type("GkkkJ"), in: &state)
        #expect(first.count == 1 && state.selected == "c")
        let held = state.type("JJJJJJJK")
        #expect(held.isEmpty && state.moves.held.count == 8)
        try finish(first, &names, in: &state)
        #expect(names == ["a", "b", "d", "e", "c", "f"], "down to the end, and one up")
        #expect(state.moves.isEmpty)
        let again = begin(state.type("K"), in: &state)
        try finish(again, &names, in: &state)
        #expect(names == ["a", "b", "d", "c", "e", "f"])
    }

    @Test func whatTheViewNeverShowsIsNotWaitedForLong() throws {
        var state = try WatchSamples.state()
        let deed = begin(state.type("J"), in: &state)
        _ = state.type("J")
        for deed in deed { _ = state.ended(deed, succeeded: true, said: "") }
        state.clock = state.clock + .milliseconds(999)
        let early = state.nextMove()
        state.clock = state.clock + .milliseconds(1)
        let late = state.nextMove()
        #expect(early.isEmpty && late.isEmpty && state.moves.isEmpty)
        let again = begin(state.type("J"), in: &state)
        #expect(again.count == 1)
        for deed in again { _ = state.ended(deed, succeeded: true, said: "") }
        state.clock = state.clock + .seconds(9)
        let last = state.type("J")
        #expect(last.count == 1, "also where nothing has come since")
    }

    @Test(arguments: ["/x", "e", "lose", "fail"]) func movesAreForgottenWith(change: String) throws {
        var state = try WatchSamples.state()
        let deeds = begin(state.type("J"), in: &state)
        _ = state.type("JJ")
        #expect(state.moves.held.count == 2)
        switch change {
        case "lose": state.lose(at: WatchSamples.now)
        case "fail": for deed in deeds { _ = state.ended(deed, succeeded: false, said: "no") }
        default: _ = state.type(change)
        }
        #expect(state.moves.isEmpty)
    }

    // MARK: The screen

    @Test func helpIsWithinALargerScreen() throws {
        var state = try WatchSamples.state(columns: 100, rows: 5)
        _ = state.type("?" + String(repeating: "j", count: 100))
        state.resize(Size(columns: 100, rows: 40), WatchSamples.presentation(100))
        #expect(state.rows()[0].hasPrefix("╭ Keys"))
    }

    @Test func troubleIsToldWhileTodaydIsLost() throws {
        var state = try WatchSamples.state()
        state.lose(at: WatchSamples.now)
        let deed = WatchDeed.update(nil)
        _ = state.ended(deed, succeeded: true, said: "all is well")
        #expect(state.bottom().hasPrefix("todayd has not answered"))
        _ = state.ended(deed, succeeded: false, said: "no connection")
        #expect(state.bottom() == "no connection")
        _ = state.type("j")
        #expect(state.bottom().hasPrefix("todayd has not answered"))
    }

    @Test func whatIsTypedIsShownOnOneRow() throws {
        var state = try WatchSamples.state(rows: 1)
        #expect(state.bottom().hasPrefix("█"))
        _ = state.type("/t")
        #expect(state.bottom().hasPrefix("/t_"))
        _ = state.type("wo<enter>")
        #expect(state.bottom().hasPrefix("█"))
        _ = state.type("<enter>")
        #expect(state.bottom().hasPrefix("press number 1 to 2: _"))
    }
}
