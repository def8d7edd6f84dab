// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import QueryService

@Suite struct ClientTroubleTests {
    @Test func anAdministratorIsToldOfOneKindAndUserOnceAMinute() {
        var filter = TroubleFilter()
        let troubles: [(ClientTrouble, second: Int64, isTold: Bool)] = [
            (.limitReached(uid: 1, "many"), 0, true),
            (.limitReached(uid: 1, "more"), 59, false),
            (.limitReached(uid: 2, "many"), 59, true),
            (.protocolViolation(uid: 1, pid: 2, "x"), 59, true),
            (.limitReached(uid: 1, "again"), 60, true),
        ]
        for (trouble, second, expected) in troubles {
            let isTold = filter.letsThrough(trouble.kind, at: BootTime(microseconds: second * 1_000_000))
            #expect(isTold == expected, "\(trouble)")
        }
    }
}
