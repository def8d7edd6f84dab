// SPDX-License-Identifier: MIT
import Glibc
import Testing
import TodayModel

@testable import QueryService

/// Which clients may connect, decided as a pure value.
@Suite struct AdmissionTests {
    private func admission(_ users: [(uid: uid_t, count: Int)]) -> Admission {
        var limits = QueryLimits()
        limits.connections = 12
        limits.connectionsForRoot = 2
        limits.connectionsPerUser = 6
        var admission = Admission(limits: limits)
        for (uid, count) in users { for _ in 0..<count { admission.opened(by: uid) } }
        return admission
    }

    @Test(
        arguments: [
            ([], 7, .admitted),
            ([(7, 2)], 7, .admitted),
            ([(7, 3)], 7, .admittedUnlessRun(.ofUserAndWidgets(3))),
            ([(7, 5)], 7, .admittedUnlessRun(.ofUserAndWidgets(5))),
            ([(7, 6)], 7, .refused(.ofUser(6))),
            // The connections of one user do not count as another user's.
            ([(7, 6)], 8, .admitted),
            // The last two of all connections are for root.
            ([(7, 5), (8, 4)], 9, .admitted),
            ([(7, 5), (8, 5)], 9, .refused(.all(10))),
            ([(7, 5), (8, 5)], 1, .refused(.all(10))),
            ([(7, 5), (8, 5)], 0, .admitted),
            ([(7, 6), (8, 5)], 0, .admitted),
            ([(7, 6), (8, 6)], 0, .refused(.all(12))),
            // Root has the same limit as any user.
            ([(0, 6)], 0, .refused(.ofUser(6))),
        ] as [([(uid: uid_t, count: Int)], uid_t, Admission.Verdict)])
    func verdicts(users: [(uid: uid_t, count: Int)], uid: uid_t, verdict: Admission.Verdict) {
        let admission = admission(users)
        #expect(admission.count == users.reduce(0) { $0 + $1.count })
        #expect(admission.verdict(on: uid) == verdict)
    }

    @Test func aConnectionThatClosesMakesRoomForOne() {
        var admission = admission([(7, 6), (8, 1)])
        admission.closed(by: 7)
        #expect(admission.count == 6)
        #expect(admission.verdict(on: 7) == .admittedUnlessRun(.ofUserAndWidgets(5)))
        for count in stride(from: 4, to: 0, by: -1) {
            admission.closed(by: 7)
            #expect(admission.count == count + 1)
        }
        #expect(admission.verdict(on: 7) == .admitted)
        admission.opened(by: 7)
        admission.opened(by: 7)
        #expect(admission.verdict(on: 7) == .admittedUnlessRun(.ofUserAndWidgets(3)))
    }

    @Test(
        arguments: [
            (.ofUser(3), "3 connections of one user: no more until some are closed"),
            (.ofUserAndWidgets(4), "4 connections of one user: no more for widgets until some are closed"),
            (.all(5), "5 connections: no more until some are closed"),
        ] as [(Admission.LimitReached, String)])
    func aLimitIsPutIntoWords(reached: Admission.LimitReached, words: String) {
        #expect(reached.reason == words)
    }
}
