// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Scheduler

@Suite struct LastAnswerTests {
    private static let now = Simulation().now
    private static let minute = Cadence(interval: .minutes(1), widget: id("a"))

    /// What the answer asked for, and how long it is fresh.
    private static let ages: [(ask: NextAsk?, age: TimeSpan?)] = [
        (nil, .minutes(2)), (.wait(.seconds(5)), .minutes(2)), (.wait(.hours(1)), .hours(2)),
        (.date(now.wall + .hours(1)), .hours(2)), (.date(now.wall - .hours(1)), .minutes(2)), (.never, nil),
    ]

    @Test(arguments: ages) func anAnswerIsFreshForTwiceItsWait(_ row: (ask: NextAsk?, age: TimeSpan?)) {
        #expect(LastAnswer(row.ask, Self.minute, now: Self.now).freshUntil == row.age.map { Self.now.awake + $0 })
    }

    @Test func aStoredAnswerIsFreshFromItsOwnTimeOn() {
        let answer = LastAnswer(StoredAnswer(age: .seconds(30)), Self.minute, now: Self.now)
        #expect(answer.boot == Self.now.boot - .seconds(30))
        #expect(answer.freshUntil == Self.now.awake + .seconds(90))
    }

    @Test func anAnswerFromTheFutureIsStaleNow() {
        let answer = LastAnswer(StoredAnswer(age: .seconds(-9), nextAsk: .wait(.hours(1))), Self.minute, now: Self.now)
        #expect(answer.boot == nil && answer.nextAsk == nil)
        #expect(answer.freshUntil == Self.now.awake)
    }

    @Test func anAnswerFollowsAChangedInterval() {
        var answer = LastAnswer(nil, Self.minute, now: Self.now)
        answer.follow(Cadence(interval: .hours(1), widget: id("a")), now: Self.now)
        #expect(answer.freshUntil == Self.now.awake + .hours(2))
    }

    @Test(arguments: [
        (NextAsk.wait(.minutes(5)), TimeSpan.minutes(10)), (.never, .minutes(20)), (.wait(.hours(1)), .minutes(20)),
    ])
    func anInteractionMayMakeTheAnswerStaleSoonerButNotLater(ask: NextAsk, age: TimeSpan) {
        var answer = LastAnswer(.wait(.minutes(10)), Self.minute, now: Self.now)
        answer.redraw(ask, Self.minute, now: Self.now)
        #expect(answer.freshUntil == Self.now.awake + age)
    }
}
