// SPDX-License-Identifier: MIT

import ClientTestSupport
import JSON
import Rendering
import TestSupport
import Testing
import TodayModel

@testable import Commands
@testable import Console
@testable import Watch

/// What each key does to which widget.
@Suite struct WatchKeyTests {
    /// Keys, the widget that is selected then, and what is begun.
    private static let deeds: [(keys: String, selected: String, commands: [String])] = [
        ("", "plain", []), ("j", "one", []), ("<down><down>", "two", []), ("jjk", "one", []), ("k", "plain", []),
        ("G", "form", []), ("<end>", "form", []), ("Gg", "plain", []), ("G<home>", "plain", []), ("Gj", "form", []),
        ("<pgdn>", "form", []), ("<pgdn><pgup>", "plain", []), ("<left>", "plain", []), ("<right>", "plain", []),
        // Press.
        ("<enter>", "plain", []), ("j<enter>", "one", ["PerformAction org.a.one go"]),
        ("j1", "one", ["PerformAction org.a.one go"]),
        ("j2", "one", []), ("jj<enter>", "two", []), ("jj<enter>1", "two", ["PerformAction org.a.two done"]),
        ("jj2", "two", ["OpenURL org.a.two https://home.example"]), ("jj3", "two", []),
        ("jj<enter><esc>1", "two", ["PerformAction org.a.two done"]),
        ("jj<enter>x1", "two", ["PerformAction org.a.two done"]), ("jj<enter>3", "two", []),
        ("jj<enter>j1", "two", ["PerformAction org.a.two done"]),
        ("jjj<enter>", "page", ["SetDisplayMode org.a.page expanded"]),
        // The widget as a whole.
        (" ", "plain", []), ("jjj ", "page", ["SetDisplayMode org.a.page expanded"]),
        ("jjjm", "page", ["SetDisplayMode org.a.page expanded"]),
        ("o", "plain", []), ("jo", "one", []), ("jjo", "two", ["OpenURL org.a.two https://home.example"]),
        ("u", "plain", ["Update org.a.plain"]), ("U", "plain", ["Update"]),
        ("h", "plain", ["Disable org.a.plain today"]),
        ("i", "plain", []), ("Gi", "form", ["SetEditing org.a.form true"]),
        ("J", "plain", ["Move org.a.plain after org.a.one"]), ("K", "plain", []), ("GJ", "form", []),
        ("GK", "form", ["Move org.a.form before org.a.page"]),
        // Keys without a meaning, and text that is not a key.
        ("xyz<tab><bs>", "plain", []), ("0", "plain", []), ("/jjj", "", []),
        ("/one<enter>h", "one", ["Disable org.a.one today"]),
        ("/o<down><down><enter>u", "two", ["Update org.a.two"]), ("?u", "plain", []),
        ("?uu", "plain", ["Update org.a.plain"]),
    ]

    @Test(arguments: deeds.indices) func keysBeginDeeds(index: Int) throws {
        let (keys, selected, commands) = Self.deeds[index]
        var state = try WatchSamples.state()
        var started: [String] = []
        for effect in state.type(keys) {
            guard case .start(let deed) = effect else {
                Issue.record("\(effect)")
                continue
            }
            started.append(deed.spelled)
        }
        #expect(started == commands)
        _ = state.frame()
        #expect(state.selected == selected)
    }

    private static let others: [(keys: String, effects: [WatchEffect])] = [
        ("q", [.quit]), ("<^c>", [.quit]), ("?q", [.quit]), ("?<^c>", [.quit]), ("/q", []), ("/<^c>", [.quit]),
        ("<^z>", [.suspend]), ("/<^z>", [.suspend]), ("<^l>", [.redraw]), ("?<^l>", [.redraw]), ("e<esc>q", [.quit]),
        ("/x<esc>q", [.quit]), ("<esc>", []), ("jj<enter>q", []), ("jj<enter>qq", [.quit]),
    ]

    @Test(arguments: others.indices) func keysForTheProgram(index: Int) throws {
        var state = try WatchSamples.state()
        let effects = state.type(Self.others[index].keys)
        #expect(effects == Self.others[index].effects)
    }

    @Test func withoutKeysNothingIsSelected() throws {
        var state = try WatchSamples.state { $0.hasKeys = false }
        let effects = state.type("jq")
        #expect(effects.isEmpty && state.selection == nil)
        let rows = state.rows()
        #expect(rows.allSatisfy { !$0.contains("█") && !$0.contains("quit") && !$0.contains("More") })
    }

    // MARK: Numbers

    @Test func aNumberMayHaveTwoDigits() throws {
        let many = WatchSamples.item("many", position: 0, views: (1...12).map { WatchSamples.button("B\($0)") })
        var state = try WatchSamples.state([many])
        let first = state.type("1")
        #expect(first.isEmpty)
        #expect(state.bottom().hasPrefix("press number 1 to 12: 1_"))
        let second = state.type("2")
        #expect(try second == [.start(.press(WatchSamples.id("many"), action: "b12"))])
        let alone = state.type("1<enter>")
        #expect(try alone == [.start(.press(WatchSamples.id("many"), action: "b1"))])
        let mended = state.type("1<bs>7")
        #expect(try mended == [.start(.press(WatchSamples.id("many"), action: "b7"))])
        let none = state.type("13")
        #expect(none.isEmpty && state.choice == nil)
        #expect(state.bottom().hasPrefix("there is no 13"))
    }

    @Test func aNumberNeverMeansSomethingElse() throws {
        let before = WatchSamples.item("w", position: 0, views: [WatchSamples.button("A"), WatchSamples.button("B")])
        let after = WatchSamples.item("w", position: 0, views: [WatchSamples.button("B"), WatchSamples.button("A")])
        var state = try WatchSamples.state([before])
        _ = state.type("<enter>")
        try state.apply(["items": [after], "removed": []])
        let effects = state.type("1")
        #expect(effects.isEmpty)
        #expect(state.bottom().contains("nothing was pressed"))
    }

    @Test func severalLinksAreChosenByNumber() throws {
        let links = [WatchSamples.button("X"), WatchSamples.link("a"), WatchSamples.link("b")]
        var state = try WatchSamples.state([WatchSamples.item("w", position: 0, views: links)])
        let asked = state.type("o")
        #expect(asked.isEmpty)
        let button = state.type("1")
        #expect(button.isEmpty, "a button is not opened")
        let opened = state.type("o3")
        #expect(try opened == [.start(.open(WatchSamples.id("w"), url: "https://b.example"))])
    }

    /// Of two links the second is the twelfth target: its number has both digits.
    @Test func aNumberIsTypedWhole() throws {
        let buttons = (1...9).map { WatchSamples.button("B\($0)") }
        let views = [WatchSamples.button("C"), WatchSamples.link("a")] + buttons + [WatchSamples.link("b")]
        var state = try WatchSamples.state([WatchSamples.item("w", position: 0, views: views)])
        let first = state.type("o")
        #expect(first.isEmpty)
        var choice = try #require(state.choice)
        let answers = [choice.add("1"), choice.add("2")]
        #expect(answers == [.open, .one(12)])
        #expect(choice.numbers == [2, 12])
        let selected = state.selectedItem()
        let item = try #require(selected)
        var last = NumberChoice(.press, of: TargetChoice(item))
        let digits = [last.add("1"), last.add("1")]
        #expect(digits == [.open, .one(11)])
        var alone = NumberChoice(.open, of: TargetChoice(item))
        let none = alone.add("3")
        #expect(none == NumberChoice.Answer.none)
    }

    /// Enter on an expanded widget with several buttons does not collapse it.
    @Test func anExpandedMenuAsksForANumber() throws {
        let views = [WatchSamples.button("A"), WatchSamples.button("B")]
        for (mode, hasChoice) in [("compact", false), ("expanded", true)] {
            let item = WatchSamples.item(
                "w", position: 0, views: views, expanded: views, change: ["mode": .string(mode)])
            var state = try WatchSamples.state([item])
            let effects = state.type("<enter>")
            #expect(effects.isEmpty == hasChoice && (state.choice != nil) == hasChoice)
        }
    }

    /// Items of menus are named by their titles, unless that is not clear.
    @Test func commandsAreNamedByWhatTheyAre() throws {
        let id = try WatchSamples.id("w")
        let views = [
            WatchSamples.menuItem("Log", terminal: true), WatchSamples.menuItem("Quiet", terminal: false),
            WatchSamples.menuItem("Same", terminal: false),
            WatchSamples.menuItem("Same", terminal: false, more: ["update": true]),
            WatchSamples.menuItem("7", terminal: false), WatchSamples.button("Act"),
            WatchSamples.menuItem("act", terminal: false), ["type": "item", "title": "Fresh", "update": true],
            ["type": "item", "title": "Page", "url": "https://a.example", "update": true],
        ]
        var state = try WatchSamples.state([WatchSamples.item("w", position: 0, views: views)])
        let wanted: [WatchDeed] = [
            .performHere(id, "Log"), .perform(id, "Quiet"), .perform(id, "3"), .perform(id, "4"), .perform(id, "5"),
            .press(id, action: "act"), .perform(id, "7"), .update(id), .perform(id, "Page"),
        ]
        for (index, deed) in wanted.enumerated() {
            let effects = state.type("\(index + 1)")
            #expect(effects == [.start(deed)])
        }
    }

    // MARK: Editing

    @Test func aListThatDoesNotComeEndsEditingWithTheReason() throws {
        var state = try WatchSamples.state()
        _ = state.type("e")
        state.giveUpList("todayd is busy")
        #expect(!state.isViewEdited && state.message?.isTrouble == true && state.message?.text == "todayd is busy")
    }

    @Test func whatIsHiddenIsShownAgain() throws {
        var state = try WatchSamples.state()
        let none = state.type("e")
        #expect(none.isEmpty && state.isViewEdited)
        let all =
            WatchSamples.standard + [
                WatchSamples.item(
                    "off", position: 5, change: ["state": "disabled", "visible": false, "cure": "enable"]),
                WatchSamples.item(
                    "flag", position: 6, change: ["state": "hidden", "visible": false, "cure": "set_has_content"]),
                WatchSamples.item("bad", position: 7, change: ["state": "invalid"]),
            ]
        let items = try (["items": .array(all)] as JSONObject).member("items", [Item].self)
        state.list(items)
        let rows = state.rows()
        #expect(rows[5].hasSuffix("disabled  Hidden") && rows[6].hasSuffix("hidden  Hidden"))
        #expect(rows[3].hasSuffix("  More") && rows[4].hasSuffix("  Info"))
        let enabled = state.type("GKkh")
        #expect(
            try enabled == [
                .start(.move(WatchSamples.id("bad"), place: .before, other: WatchSamples.id("flag"))),
                .start(.show(WatchSamples.id("flag"), by: .setHasContent)),
            ])
        let pressed = state.type("k<enter>")
        #expect(try pressed == [.start(.show(WatchSamples.id("off"), by: .enable))])
        let invalid = state.type("Gh")
        #expect(try invalid == [.start(.hide(WatchSamples.id("bad"), .today))], "todayd says why not")
        // A row has no buttons.
        let button = state.type("gj<enter>")
        #expect(button.isEmpty)
        _ = state.type("e")
        #expect(!state.isViewEdited && state.listed == nil && state.rows().count { $0.hasPrefix("█") } == 2)
    }

    @Test func aWidgetThatIsEditedShowsItsEditor() throws {
        let edited = WatchSamples.item(
            "form", position: 0, views: [WatchSamples.button("Add")],
            change: ["allowsEditing": true, "editing": true])
        var state = try WatchSamples.state([edited])
        _ = state.type("e")
        let rows = state.rows()
        #expect(rows[0].hasSuffix("Done  Cancel") && rows[1].contains("[Add]"))
        let effects = state.type("i<enter>")
        #expect(
            try effects == [
                .start(.edit(WatchSamples.id("form"), .done)),
                .start(.press(WatchSamples.id("form"), action: "add")),
            ])
    }

    /// Esc ends what was begun last: the filter, the editing of the widget, the edited view.
    @Test func escapeCancelsTheEditing() throws {
        let edited = WatchSamples.item("form", position: 0, change: ["allowsEditing": true, "editing": true])
        let other = WatchSamples.item("other", position: 1)
        var state = try WatchSamples.state([edited, other])
        let cancel = try WatchEffect.start(.edit(WatchSamples.id("form"), .cancel))
        var effects = state.type("/form<esc>")
        #expect(effects == [])
        effects = state.type("e<esc>")
        #expect(effects == [cancel] && state.isViewEdited)
        effects = state.type("j<esc>")
        #expect(effects == [] && !state.isViewEdited)
    }

    /// What is edited from here ends with the view; what another host edits does not.
    @Test func theViewKnowsWhatItEdits() throws {
        var state = try WatchSamples.state()
        let (id, other) = (try WatchSamples.id("form"), try WatchSamples.id("page"))
        for id in [id, other] { state.began(.edit(id, .begin)) }
        #expect(state.ownEdits == [id, other])
        _ = state.ended(.edit(other, .begin), succeeded: false, said: "it allows no editing")
        _ = state.ended(.edit(id, .begin), succeeded: true, said: "")
        #expect(state.ownEdits == [id])
        state.began(.edit(id, .done))
        #expect(state.ownEdits.isEmpty)
    }

    @Test func namedAndSortedWidgetsAreNotMoved() throws {
        var named = try WatchSamples.state { $0.areNamed = true }
        let effects = named.type("Je")
        #expect(effects.isEmpty && !named.isViewEdited)
        var sorted = try WatchSamples.state { $0.order = .relevance }
        let none = sorted.type("J")
        #expect(none.isEmpty)
        #expect(sorted.bottom().contains("sorted by relevance"))
        let moved = sorted.type("eJ")
        #expect(moved.count == 1, "an edited view is in the user's order")
    }

    /// A move depends on the one before: it waits for it, also where a key is held.
    @Test func movesFollowEachOther() throws {
        var state = try WatchSamples.state()
        let (plain, one, two) = (try WatchSamples.id("plain"), try WatchSamples.id("one"), try WatchSamples.id("two"))
        let first = state.type("J")
        let deed = WatchDeed.move(plain, place: .after, other: one)
        #expect(first == [.start(deed)])
        state.began(deed)
        let held = state.type("JJ")
        #expect(held.isEmpty && state.moves.held.count == 2)
        try state.apply([
            "items": [
                WatchSamples.item("plain", position: 1),
                WatchSamples.item("one", position: 0, views: [WatchSamples.button("Go")]),
            ]
        ])
        let next = state.ended(deed, succeeded: true, said: "")
        #expect(next == [.start(.move(plain, place: .after, other: two))])
        let failed = state.ended(.move(plain, place: .after, other: two), succeeded: false, said: "no")
        #expect(failed.isEmpty && state.moves.isEmpty && state.bottom().hasPrefix("no"))
    }

    @Test func theSameIsNotBegunTwice() throws {
        var state = try WatchSamples.state()
        let deed = WatchDeed.update(try WatchSamples.id("plain"))
        state.began(deed)
        let none = state.type("u")
        #expect(none.isEmpty)
        #expect(state.bottom().hasPrefix("updating org.a.plain …"))
        _ = state.ended(deed, succeeded: true, said: "org.a.plain: new content")
        #expect(state.bottom().hasPrefix("org.a.plain: new content"))
        let again = state.type("u")
        #expect(again == [.start(deed)])
        #expect(!state.bottom().contains("new content"), "the next key clears it")
    }

    // MARK: The mouse

    private static let clicks:
        [(button: MouseEvent.Button, column: Int, row: Int, selected: String, commands: [String])] = [
            (.left, 5, 0, "plain", []), (.left, 5, 3, "one", []), (.left, 5, 2, "plain", []),
            (.left, 5, 39, "plain", []),
            (.middle, 5, 3, "one", ["Update org.a.one"]),
            (.right, 5, 10, "page", ["SetDisplayMode org.a.page expanded"]),
            (.right, 5, 3, "one", []), (.left, 56, 10, "page", ["SetDisplayMode org.a.page expanded"]),
            (.left, 53, 10, "page", []),
            (.left, 57, 13, "form", ["SetEditing org.a.form true"]), (.left, 5, 30, "plain", []),
            (.left, 59, 3, "one", []),
        ]

    @Test(arguments: clicks.indices) func aClickSelectsOrPresses(index: Int) throws {
        let (button, column, row, selected, commands) = Self.clicks[index]
        var state = try WatchSamples.state()
        let effects = state.handle(.mouse(MouseEvent(button: button, column: column, row: row)))
        let started = effects.map {
            if case .start(let deed) = $0 { deed.spelled } else { "\($0)" }
        }
        #expect(started == commands)
        #expect(state.selected == selected)
    }

    @Test func theSecondClickPressesWhatItIsOn() throws {
        var state = try WatchSamples.state()
        func click(_ column: Int, _ row: Int) -> [WatchEffect] {
            state.handle(.mouse(MouseEvent(button: .left, column: column, row: row)))
        }
        let one = [click(5, 4), click(5, 4), click(5, 3)]
        #expect(try one == [[], [.start(.press(WatchSamples.id("one"), action: "go"))], []])
        let two = [click(5, 6), click(5, 7), click(6, 8), click(40, 8), click(5, 6)]
        let open = WatchEffect.start(.open(try WatchSamples.id("two"), url: "https://home.example"))
        #expect(try two == [[], [.start(.press(WatchSamples.id("two"), action: "done"))], [open], [], []])
    }
}
