// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Scheduler

@Suite struct CadenceTests {
    @Test(arguments: [TimeSpan.seconds(1), .seconds(10), .minutes(1), .minutes(5), .hours(1), .days(1), .days(30)])
    func aPeriodIsTheIntervalAndAtMostA32ndMore(interval: TimeSpan) {
        for number in 0..<100 {
            let period = period(of: interval, "w\(number)")
            #expect(period >= interval)
            #expect(period <= interval + min(interval / 32, .minutes(5)))
        }
    }

    @Test func thePeriodOfAWidgetIsAlwaysTheSame() {
        #expect(
            Cadence(interval: .minutes(5), widget: id("disk")) == Cadence(interval: .minutes(5), widget: id("disk")))
    }

    /// A new version of todayd moves no run: the period depends on nothing but identifier and interval.
    @Test(
        arguments: [("disk", 300_281_209, 86_408_998_709), ("btc", 304_874_256, 86_555_976_207)]
            as [(String, Int64, Int64)])
    func thePeriodOfAWidgetIsTheSameInEveryVersion(name: String, ofFiveMinutes: Int64, ofADay: Int64) {
        #expect(Cadence(interval: .minutes(5), widget: id(name)).period == .microseconds(ofFiveMinutes))
        #expect(Cadence(interval: .days(1), widget: id(name)).period == .microseconds(ofADay))
    }

    @Test func aThousandWidgetsOfOneIntervalSpreadEvenly() {
        let jitters = (0..<1_000).map {
            (period(of: .minutes(5), "w\($0)") - .minutes(5)).microseconds
        }
        // 300 s / 32 = 9.375 s; ten equal parts of it should each hold about a hundred.
        let parts = Dictionary(grouping: jitters) { $0 / 937_500 }.mapValues(\.count)
        #expect(parts.count == 10)
        #expect(parts.values.allSatisfy { (60...140).contains($0) })
    }

    @Test(arguments: [(0, 60, 0), (59, 60, 0), (60, 120, 1), (61, 120, 1), (250, 300, 4)])
    func theNextDueTimeIsOnTheGridOfTheStart(ended: Int64, due: Int64, skipped: Int) {
        let start = BootTime(microseconds: 5_000_000)
        let cadence = Cadence(interval: .microseconds(60_000_000), widget: id("even"))
        let scale = period(of: .minutes(1), "even").microseconds
        let next = cadence.next(after: start, now: start + TimeSpan(microseconds: ended * scale / 60))
        #expect(next.skipped == skipped)
        #expect(next.due == start + TimeSpan(microseconds: due / 60 * scale))
    }

    @Test(arguments: [(1, 1), (2, 4), (3, 9), (4, 16), (10, 100)])
    func retriesComeAfterSquaresOfMinutes(failures: Int, minutes: Int64) {
        #expect(Cadence.retryDelay(failuresInARow: failures) == .minutes(minutes))
    }

    @Test func endlessFailuresDoNotOverflow() {
        #expect(Cadence.retryDelay(failuresInARow: .max) == .minutes(1_000_000))
    }

    @Test(
        arguments: [
            (TimeSpan.zero, TimeSpan.seconds(1)), (.seconds(-5), .seconds(1)), (.minutes(10), .minutes(10)),
            (.days(400), .days(7)),
        ])
    func aWishForTheNextUpdateIsKeptWithinBounds(wish: TimeSpan, granted: TimeSpan) {
        #expect(Cadence.bounded(wish) == granted)
    }

    @Test func slackIsSmallAgainstTheWait() {
        #expect(Cadence.slack(for: .seconds(1)) == .microseconds(15_625))
        #expect(Cadence.slack(for: .minutes(1)) == .microseconds(937_500))
        #expect(Cadence.slack(for: .days(1)) == .seconds(5))
        #expect(Cadence.slack(for: .zero) == .milliseconds(1))
    }
}

extension TimeSpan {
    fileprivate static func microseconds(_ count: Int64) -> TimeSpan { TimeSpan(microseconds: count) }
}
