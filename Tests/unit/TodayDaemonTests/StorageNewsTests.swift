// SPDX-License-Identifier: MIT
import SnapshotStore
import Testing
import TodayModel

@testable import TodayDaemon

@Suite struct StorageNewsTests {
    static let full = StoreCondition.full("there is no room")
    static let failing = StoreCondition.failing("it cannot be written")

    /// Which lines are logged at which second, if the caller looks at every deadline.
    private func lines(_ changes: [(second: Int64, to: StoreCondition)], until end: Int64) -> [String] {
        var news = StorageNews()
        var lines: [String] = []
        func note(_ line: StorageNews.Line?, _ time: AwakeTime) {
            guard let line else { return }
            lines.append("\(time.microseconds / 1_000_000) \(line.isTrouble ? "error: " : "")\(line.text)")
        }
        func pass(to time: AwakeTime) {
            while let deadline = news.deadline, deadline <= time { note(news.takeDueLine(at: deadline), deadline) }
        }
        for change in changes {
            let time = AwakeTime(microseconds: change.second * 1_000_000)
            pass(to: time)
            note(news.changed(to: change.to, at: time), time)
        }
        pass(to: AwakeTime(microseconds: end * 1_000_000))
        return lines
    }

    @Test func theFirstOfEachKindIsLoggedAtOnce() {
        #expect(
            lines([(5, Self.full), (6, Self.failing), (7, .ok)], until: 9_000)
                == ["5 error: there is no room", "6 error: it cannot be written", "7 storage: ok"])
    }

    @Test func flippingWritesTwoLinesInTenMinutes() {
        let flips = (0..<1_200).map { (second: Int64($0), to: $0 % 2 == 0 ? Self.full : StoreCondition.ok) }
        #expect(
            lines(flips, until: 9_000)
                == [
                    "0 error: there is no room", "1 storage: ok",
                    "600 error: there is no room (it has changed 599 times since the last line about it)",
                    "601 storage: ok",
                ])
    }

    @Test func theLastLineBecomesTrueAgain() {
        #expect(
            lines([(0, Self.full), (1, .ok), (2, Self.full)], until: 9_000)
                == ["0 error: there is no room", "1 storage: ok", "600 error: there is no room"])
        #expect(
            lines([(0, Self.full), (1, .ok), (2, Self.full), (3, .ok)], until: 9_000)
                == ["0 error: there is no room", "1 storage: ok"])
    }

    @Test func anotherReasonOfTheSameKindIsLoggedLater() {
        #expect(
            lines([(0, Self.failing), (9, .failing("for another reason"))], until: 9_000)
                == ["0 error: it cannot be written", "600 error: for another reason"])
    }

    @Test func changesThatWereNotLoggedAreCounted() {
        #expect(
            lines([(0, Self.full), (1, .ok), (2, Self.full), (3, Self.failing)], until: 9_000).last
                == "3 error: it cannot be written (it has changed 2 times since the last line about it)")
    }

    /// Not before ten minutes have passed, and then at once.
    @Test func newsWaitTenMinutes() {
        func time(_ seconds: Int64) -> AwakeTime { AwakeTime(microseconds: seconds * 1_000_000) }
        var news = StorageNews()
        var lines = [news.changed(to: Self.full, at: time(0)), news.changed(to: .ok, at: time(1))]
        lines += [
            news.changed(to: Self.full, at: time(599)), news.takeDueLine(at: time(599)),
            news.takeDueLine(at: time(600)),
        ]
        #expect(lines.map { $0 != nil } == [true, true, false, false, true])
        lines = [news.changed(to: .ok, at: time(601)), news.changed(to: Self.full, at: time(1_200))]
        #expect(lines.map { $0?.isTrouble } == [false, true])
    }

    @Test func afterTenMinutesAKindIsLoggedAtOnceAgain() {
        #expect(
            lines([(0, Self.full), (1, .ok), (700, Self.full)], until: 9_000).last == "700 error: there is no room")
    }
}
