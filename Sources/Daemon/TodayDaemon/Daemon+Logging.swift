// SPDX-License-Identifier: MIT
import Registry
import Scheduler
import SnapshotStore
import Systemd
import TodayModel

/// Turns reports of the stages into journal lines and into events for `todayctl monitor`. The stages do not log. The
/// journal gets changes that matter to an administrator, not every run.
extension Daemon {
    func event(_ kind: Event.Kind, _ id: WidgetID?, _ text: @autoclosure () -> String) {
        guard service.isMonitored else { return }
        service.announce(Event(time: .now, kind: kind, id: id, text: text()))
    }

    /// Logs what an administrator should know about the start.
    func reportOpening() {
        // A failure to create a new database must not hide what happened to the old one.
        if store.lasting != .ok, store.lasting != store.condition { log.error(store.lasting.sentence) }
        if store.condition != .ok { storageChanged(store.condition) }
        for complaint in store.complaints { log.warning(complaint) }
        reportComplaints()
        for id in catalog.widgets { registry.widgets[id].map(complain) }
    }

    /// Logs each complaint about todayd.conf, file names and watching once.
    func reportComplaints() {
        for complaint in registry.complaints where !knownComplaints.contains(complaint) { log.warning("\(complaint)") }
        knownComplaints = Set(registry.complaints)
    }

    func describe(_ choices: Choices) -> String {
        var words: [String] = []
        if let enabled = choices.enabled { words.append(enabled ? "enabled" : "disabled") }
        words.append(choices.hasContent ? "has content" : "has no content")
        if let mode = choices.mode { words.append(mode.rawValue) }
        if choices.allowedOnLockScreen { words.append("on the lock screen") }
        if let rank = choices.rank { words.append("rank \(rank)") }
        return words.joined(separator: ", ")
    }

    func storageChanged(_ condition: StoreCondition) {
        event(.storage, nil, condition.sentence)
        write(storageNews.changed(to: condition, at: Moment.now.awake))
    }

    /// Logs the storage condition that the pause has held back.
    func storageNewsAreDue() { write(storageNews.look(at: Moment.now.awake)) }

    private func write(_ line: StorageNews.Line?) {
        if let line, line.isTrouble { log.error(line.text) } else if let line { log.info(line.text) }
        if let deadline = storageNews.deadline {
            storageTimer?.arm(at: deadline.microseconds, slack: 1_000_000)
        } else {
            storageTimer?.disarm()
        }
    }

    func report(_ change: Registry.Change) {
        switch change {
        case .added(let entry):
            event(.added, entry.id, entry.source)
            complain(entry)
        case .changed(let entry, _):
            event(.changed, entry.id, entry.source)
            complain(entry)
        case .removed(let entry):
            event(.removed, entry.id, entry.source)
        }
    }

    private func complain(_ entry: Registry.Entry) {
        for complaint in entry.complaints { log.warning("\(complaint)") }
    }

    /// Logs the first failure of a series, and the end of the series. The update log has the successes.
    func report(_ outcome: RunOutcome, wasFailing: Bool) {
        switch outcome.result {
        case .newData, .noData:
            event(.finished, outcome.widget, outcome.record.result.rawValue)
            if case .newData(let content) = outcome.result { event(.snapshot, outcome.widget, content.text) }
            if wasFailing, !outcome.isInteraction { log.info("\(outcome.widget): works again") }
        case .failed(let reason):
            event(.finished, outcome.widget, "failed: \(reason)")
            if !wasFailing { log.warning("\(outcome.widget): \(reason)") }
        }
    }
}

/// Decides which conditions of the storage are logged. On a disk that is nearly full, the condition changes with every
/// commit. Each kind is logged at once the first time, and then at most every ten minutes. After the pause, the current
/// condition is logged, so the last line always becomes true.
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
    /// How many changes have come since the last line.
    private var keptBack = 0

    mutating func changed(to condition: StoreCondition, at now: AwakeTime) -> Line? {
        current = condition
        keptBack += 1
        guard let time = written[Kind(condition)], now < time + Self.pause else { return line(at: now) }
        return nil
    }

    /// When to call `look`; nil while the last line is true.
    var deadline: AwakeTime? { current == last ? nil : written[Kind(current)].map { $0 + Self.pause } }

    /// The line that the pause has held back; nil where there is none.
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

/// Writes lines to the journal or a terminal. Lines may quote widgets and clients, so characters that control a
/// terminal are replaced.
struct Log: Sendable {
    private let output: @Sendable (LogLevel, String) -> Void

    /// - Parameter output: receives the messages instead of standard error, for tests.
    init(output: (@Sendable (LogLevel, String) -> Void)? = nil) {
        let standardError = StandardErrorLog(program: "todayd")
        self.output = output ?? { standardError.write($0, $1) }
    }

    func info(_ message: String) { write(.info, message) }
    func warning(_ message: String) { write(.warning, message) }
    func error(_ message: String) { write(.error, message) }

    private func write(_ level: LogLevel, _ message: String) {
        output(level, Self.printable(message))
    }

    /// Replaces characters that `PlainText` refuses. Refusing the line is not possible, because it must be logged.
    static func printable(_ message: String) -> String {
        if isFine(message) { return message }
        var text = String.UnicodeScalarView()
        for scalar in message.unicodeScalars { text.append(isFine(String(scalar)) ? scalar : "?") }
        return String(text)
    }

    private static func isFine(_ text: String) -> Bool {
        PlainText.complaint(about: text, allowingLines: true) == nil
    }
}
