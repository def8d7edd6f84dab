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
        func note(_ condition: StoreCondition?, _ time: AwakeTime) {
            guard let condition else { return }
            lines.append("\(time.microseconds / 1_000_000) \(condition.sentence)")
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

    @Test func theFirstIsLoggedAtOnceAndTheLastLineBecomesTrue() {
        #expect(
            lines([(5, Self.full), (6, Self.failing), (7, .ok)], until: 9_000)
                == ["5 there is no room", "65 ok"])
        #expect(
            lines([(0, Self.full), (1, .ok), (2, Self.full)], until: 9_000) == ["0 there is no room"])
        #expect(
            lines([(0, Self.failing), (9, .failing("for another reason"))], until: 9_000)
                == ["0 it cannot be written", "60 for another reason"])
        #expect(
            lines([(0, Self.full), (60, .ok), (200, Self.full)], until: 9_000)
                == ["0 there is no room", "60 ok", "200 there is no room"])
    }

    @Test func flippingWritesALineAMinute() {
        let flips = (0..<150).map { (second: Int64($0), to: $0 % 2 == 0 ? Self.full : StoreCondition.ok) }
        #expect(
            lines(flips, until: 9_000)
                == [
                    "0 there is no room", "60 ok", "120 there is no room", "180 ok",
                ])
    }

    /// The condition after it may come at once.
    @Test func aDatabaseThatWasSetAsideIsLoggedAtOnce() {
        let setAside = StoreCondition.setAside(path: nil, reason: "it was damaged")
        #expect(
            lines([(0, Self.failing), (1, setAside), (2, .ok)], until: 9_000)
                == [
                    "0 it cannot be written", "1 \(setAside.sentence)", "60 ok",
                ])
    }
}
