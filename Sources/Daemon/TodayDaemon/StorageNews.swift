// SPDX-License-Identifier: MIT
import SnapshotStore
import TodayModel

/// What of the storage's condition is worth a line in the journal. On a disk that is nearly full it changes with every
/// commit: the first line of each kind is written at once, and then one of a kind in ten minutes. The last line always
/// becomes true again: what has not been said by then is said when the time is over.
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
    /// When each kind was written last.
    private var written: [Kind: AwakeTime] = [:]
    /// How many changes were kept back since the last line.
    private var keptBack = 0

    mutating func changed(to condition: StoreCondition, at now: AwakeTime) -> Line? {
        current = condition
        keptBack += 1
        guard let time = written[Kind(condition)], now < time + Self.pause else { return line(at: now) }
        return nil
    }

    /// When to call `look`; nil while the last line is true.
    var deadline: AwakeTime? { current == last ? nil : written[Kind(current)].map { $0 + Self.pause } }

    /// What has to be said now because it was kept back before.
    mutating func look(at now: AwakeTime) -> Line? {
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
