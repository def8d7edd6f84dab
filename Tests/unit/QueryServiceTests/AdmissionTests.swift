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
            ([(7, 6)], 7, .full(uid: 7, .ofUser(6))),
            // The connections of one user do not count as another user's.
            ([(7, 6)], 8, .admitted),
            // The last two of all connections are for root.
            ([(7, 5), (8, 4)], 9, .admitted),
            ([(7, 5), (8, 5)], 9, .full(uid: nil, .all(10))),
            ([(7, 5), (8, 5)], 1, .full(uid: nil, .all(10))),
            ([(7, 5), (8, 5)], 0, .admitted),
            ([(7, 6), (8, 5)], 0, .admitted),
            ([(7, 6), (8, 6)], 0, .full(uid: nil, .all(12))),
            // Root has the same limit as any user.
            ([(0, 6)], 0, .full(uid: 0, .ofUser(6))),
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

    /// Each user has searches of its own: one in each round of the loop, and after one in vain the next a second later.
    @Test func aSearchIsNotRepeatedAtOnce() {
        var admission = admission([(7, 1), (8, 1)])
        let start = BootTime(microseconds: 5_000_000)
        func searches(
            _ uid: uid_t?, after microseconds: Int64 = 0, in round: UInt64, isSpeaking: Bool = false
        ) -> Bool {
            let now = start + TimeSpan(microseconds: microseconds)
            return admission.searches(for: uid, at: now, in: round, isSpeaking: isSpeaking)
        }
        let first = [
            searches(7, in: 1), searches(7, in: 1), searches(8, in: 1), searches(nil, in: 1), searches(7, in: 2),
        ]
        #expect(first == [true, false, true, true, true])
        let speaking = searches(7, in: 2, isSpeaking: true)
        #expect(speaking)
        admission.searchedInVain(for: 7, at: start)
        let second = [
            searches(7, after: 999_999, in: 3, isSpeaking: true), searches(8, in: 3), searches(nil, in: 3),
            searches(7, after: 1_000_000, in: 4),
        ]
        #expect(second == [false, true, true, true])
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
