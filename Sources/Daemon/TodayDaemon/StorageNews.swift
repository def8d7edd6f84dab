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

    private func write(_ line: StorageNews.Line?) {
        if let line, line.isTrouble { log.error(line.text) } else if let line { log.info(line.text) }
        if let deadline = news.deadline {
            timer?.arm(at: deadline.microseconds, slack: 1_000_000)
        } else {
            timer?.disarm()
        }
    }
}

/// Decides which conditions of the storage are logged. On a disk that is nearly full, the condition changes with every commit.
/// Each kind is logged at once the first time, and then at most every ten minutes. After the pause, the current condition is
/// logged, so the last line always becomes true.
struct StorageNews {
    static let pause = TimeSpan.minutes(10)

    struct Line: Equatable {
        let text: String
        let isTrouble: Bool
    }

    private enum Kind {
        case ok, setAside, readOnly, full, failing

        init(_ condition: StoreCondition) {
            self =
                switch condition {
                case .ok: .ok
                case .setAside: .setAside
                case .readOnly: .readOnly
                case .full: .full
                case .failing: .failing
                }
        }
    }

    private var current = StoreCondition.ok
    private var last = StoreCondition.ok
    /// When each kind was last logged.
    private var written: [Kind: AwakeTime] = [:]
    /// How many changes there have been since the last line.
    private var keptBack = 0

    mutating func changed(to condition: StoreCondition, at now: AwakeTime) -> Line? {
        current = condition
        keptBack += 1
        guard let time = written[Kind(condition)], now < time + Self.pause else { return line(at: now) }
        return nil
    }

    /// When to call `takeDueLine`; nil while the last line is true.
    var deadline: AwakeTime? { current == last ? nil : written[Kind(current)].map { $0 + Self.pause } }

    /// The line that the pause has held back; nil if there is none.
    mutating func takeDueLine(at now: AwakeTime) -> Line? {
        guard let deadline, deadline <= now else { return nil }
        return line(at: now)
    }

    private mutating func line(at now: AwakeTime) -> Line {
        let others = keptBack > 1 ? " (it has changed \(keptBack) times since the last line about it)" : ""
        written[Kind(current)] = now
        last = current
        keptBack = 0
        return Line(text: (current == .ok ? "storage: ok" : current.sentence) + others, isTrouble: current != .ok)
    }
}
