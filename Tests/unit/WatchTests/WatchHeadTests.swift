// SPDX-License-Identifier: MIT

import Console
import Rendering
import Testing
import TodayModel

@testable import Watch

/// The first row of the screen, and the page of keys.
@Suite struct WatchHeadTests {
    @Test func helpHasEveryKey() throws {
        var state = try WatchSamples.state(columns: 240, rows: 40)
        _ = state.type("?")
        let rows = state.rows()
        let help = rows.joined(separator: "\n")
        for entry in WatchKeys.all { #expect(help.contains(entry.spelling) && help.contains(entry.help)) }
        for entry in WatchKeys.others { #expect(help.ranges(of: entry.help).count == 1) }
        #expect(rows[0].hasPrefix("╭ Keys ─") && rows[0].hasSuffix("─╮") && rows[1].hasPrefix("│ Move"))
        #expect(rows[1].contains("The view"), "two columns")
        _ = state.type("x")
        #expect(state.rows()[0].contains("org.a.plain"))
        // On a small screen it scrolls to its end.
        state.resize(Size(columns: 100, rows: 5), WatchSamples.presentation(100))
        _ = state.type("?" + String(repeating: "j", count: 100))
        #expect(state.rows()[3].hasPrefix("╰──"))
        _ = state.type(String(repeating: "k", count: 100))
        #expect(state.rows()[0].hasPrefix("╭ Keys") && state.rows()[2].hasPrefix("│ Down, j"))
    }

    /// The day, what is well and what is not, and the time; not on a small screen.
    @Test func theHeadHasTheDayAndTheCounts() throws {
        func head(_ columns: Int, rows: Int = 20, _ change: (inout WatchState) -> Void = { _ in }) throws -> String {
            let items = [
                WatchSamples.item("good", position: 0),
                WatchSamples.item("bad", position: 1, change: ["state": "failing"]),
                WatchSamples.item("old", position: 2, change: ["stale": true]), WatchSamples.item("new", position: 3),
            ]
            var state = try WatchSamples.state(items, columns: columns, rows: rows) { $0.hasHead = true }
            change(&state)
            return state.rows()[0]
        }
        let clock = ClockTime(WatchSamples.now)
        let (day, time) = (try #require(clock.day), clock.short)
        #expect(day.hasSuffix(" 15 January") && time.count == 5)
        let line = try head(60)
        #expect(
            line.hasPrefix("\(day)  ") && line.hasSuffix("  2 ok · 1 failing · 1 stale   \(time)") && line.count == 60)
        #expect(
            try head(40) == "      2 ok · 1 failing · 1 stale   \(time)" && head(30) == time, "a narrow screen has less"
        )
        let well = try WatchSamples.state([WatchSamples.item("good", position: 0)], columns: 60, rows: 20) {
            $0.hasHead = true
        }
        #expect(well.rows()[0].hasSuffix("  1 ok   \(time)"), "nothing else is counted")
        #expect(try head(60, rows: 11).contains("good"), "a small screen has none")
        #expect(try head(60) { $0.lose(at: WatchSamples.now) }.hasSuffix("  \(time)"), "a lost todayd says nothing")
        var state = try WatchSamples.state { $0.hasHead = true }
        #expect(state.nextChange(after: WatchSamples.now) == .minutes(1))
        #expect(state.nextChange(after: WatchSamples.now + .seconds(50)) == .seconds(10))
        // A click on the head is for no widget, and below it the rows are further down.
        #expect(state.handle(.mouse(MouseEvent(button: .middle, column: 3, row: 0))) == [])
        #expect(
            try state.handle(.mouse(MouseEvent(button: .middle, column: 3, row: 1))) == [
                .start(.update(WatchSamples.id("plain")))
            ])
    }
}
