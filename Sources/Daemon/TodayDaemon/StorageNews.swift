// SPDX-License-Identifier: MIT
import Reactor
import SnapshotStore
import TodayModel

/// Logs the conditions of the storage that `StorageNews` lets through.
@LoopActor
final class StorageLog {
    private let log: Log
    private var news = StorageNews()
    private var timer: TimerSource?

    init(_ log: Log) throws(ReactorError) {
        self.log = log
        timer = try TimerSource(.monotonic) { [unowned self] in writeDueLine() }
    }

    func changed(to condition: StoreCondition) { write(news.changed(to: condition, at: Moment.now.awake)) }

    /// Logs the condition that the pause has held back.
    func writeDueLine() { write(news.takeDueLine(at: Moment.now.awake)) }

    private func write(_ condition: StoreCondition?) {
        if condition == .ok { log.info("storage: ok") } else if let condition { log.error(condition.sentence) }
        if let deadline = news.deadline {
            timer?.arm(at: deadline.microseconds, slack: 1_000_000)
        } else {
            timer?.disarm()
        }
    }
}

/// Decides which conditions of the storage are logged: the first at once, and then one a minute at most, because on a disk that is
/// nearly full, the condition changes with every commit. The last line always becomes true. A database that was set aside is
/// logged in any case.
struct StorageNews {
    static let pause = TimeSpan.minutes(1)

    private var current = StoreCondition.ok
    private var last = StoreCondition.ok
    private var written: AwakeTime?

    mutating func changed(to condition: StoreCondition, at now: AwakeTime) -> StoreCondition? {
        current = condition
        if case .setAside = condition {
            last = condition
            return condition
        }
        return takeDueLine(at: now)
    }

    /// When to call `takeDueLine`; nil while the last line is true.
    var deadline: AwakeTime? {
        current == last ? nil : written.map { $0 + Self.pause } ?? AwakeTime(microseconds: 0)
    }

    /// What the pause has held back; nil if there is nothing.
    mutating func takeDueLine(at now: AwakeTime) -> StoreCondition? {
        guard let deadline, deadline <= now else { return nil }
        (last, written) = (current, now)
        return current
    }
}
