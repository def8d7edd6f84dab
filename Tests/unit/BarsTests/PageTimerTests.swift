// SPDX-License-Identifier: MIT
import Platform
import Testing
import TodayModel

@testable import Bars

@Suite struct PageTimerTests {
    @Test func summariesTurnAtTheirIntervalWhileTheyHavePages() {
        var timer = PageTimer(.seconds(5))
        // The second, whether there are pages, whether they turn, and the second of the next turn.
        let table: [(Int64, Bool, Bool, Int64?)] = [
            (0, false, false, nil), (3, true, false, 8), (4, true, false, 8), (7, true, false, 8), (8, true, true, 13),
            (20, true, true, 25), (26, false, false, nil), (27, true, false, 32),
        ]
        let start = AwakeTime.now
        for (second, hasPages, isDue, next) in table {
            #expect(timer.isDue(hasPages: hasPages, at: start + .seconds(second)) == isDue, "at \(second) s")
            #expect(timer.next == next.map { start + .seconds($0) }, "after \(second) s")
        }
    }
}
