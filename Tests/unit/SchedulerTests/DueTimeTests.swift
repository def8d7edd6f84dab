// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Scheduler

@Suite struct DueTimeTests {
    private static let now = Simulation().now
    private static let cadence = Cadence(interval: .minutes(1), widget: id("a"))
    private static let start = now.boot - .seconds(20)
    private static let date = now.wall + .hours(1)

    @Test func aWaitCountsFromTheStartAndADateFromNow() {
        func due(_ ask: NextAsk) -> DueTime {
            DueTime.askedFor(ask, since: Self.start, Self.cadence, now: Self.now)
        }
        #expect(due(.wait(.seconds(64))) == DueTime(Self.start + .seconds(64), slack: .seconds(1), because: .schedule))
        #expect(
            due(.date(Self.date))
                == DueTime(Self.now.boot + .hours(1), slack: .milliseconds(500), because: .date(Self.date)))
        #expect(due(.date(Self.now.wall)) == DueTime.after(Self.cadence.period, since: Self.start))
        #expect(due(.never) == DueTime(.never, because: .schedule))
    }

    @Test func aRetryComesBeforeTheRegularRunOrNotAtAll() {
        let regular = DueTime.after(.minutes(5), since: Self.now.boot)
        let first = DueTime.retry(afterFailures: 1, before: regular, now: Self.now)
        #expect(first == DueTime.after(.minutes(1), since: Self.now.boot, because: .retry))
        #expect(DueTime.retry(afterFailures: 3, before: regular, now: Self.now) == regular)
    }

    @Test(
        arguments: [
            (.start, .boot), (.schedule, .schedule), (.date(date), .schedule), (.retry, .retry),
            (.statedWait(until: nil), .retry), (.statedWait(until: date), .retry), (.behind, .behind),
        ] as [(DueTime.Cause, RunReason)])
    func aCauseHasItsReasonUntilASleepPutsTheRunOff(cause: DueTime.Cause, reason: RunReason) {
        var due = DueTime(Self.start, because: cause)
        #expect(due.reason == reason)
        due.putOff(to: Self.now.boot + .seconds(1))
        #expect(due.reason == .wake && due.time == Self.now.boot + .seconds(1))
        #expect(due.isStatedWait == DueTime(Self.start, because: cause).isStatedWait, "a stated wait stays one")
    }

    @Test(arguments: [nil, date]) func onlyADateIsFollowed(date: WallTime?) {
        var due = DueTime.stated(
            date.map(NextAsk.date) ?? .wait(.hours(1)), Self.cadence, now: Self.now)
        #expect(due.isStatedWait && due.date == date)
        var later = Self.now
        later.wall = later.wall + .minutes(10)
        #expect(due.followDate(later) == (date != nil))
        #expect(due.time == Self.now.boot + (date == nil ? .hours(1) : .minutes(50)))
    }
}
