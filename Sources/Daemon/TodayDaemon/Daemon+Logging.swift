// SPDX-License-Identifier: MIT
import Registry
import Scheduler
import SnapshotStore
import Systemd
import TodayModel

/// Turns reports of the stages into journal lines and into events for `todayctl watch --events`. The journal gets changes that
/// matter to an administrator, not every run.
extension Daemon {
    func event(_ kind: Event.Kind, _ id: WidgetID?, _ text: @autoclosure () -> String) {
        guard service.isMonitored else { return }
        service.announce(Event(time: .now, kind: kind, id: id, text: text()))
    }

    /// Logs each complaint about todayd.conf, file names and watching once.
    func reportComplaints() {
        for complaint in registry.complaints where !knownComplaints.contains(complaint) { log.warning("\(complaint)") }
        knownComplaints = Set(registry.complaints)
    }

    func describe(_ choices: Choices) -> String {
        var words: [String] = []
        if choices.isAdded { words.append("added") }
        if let enabled = choices.enabled { words.append(enabled ? "enabled" : "disabled") }
        words.append(choices.hasContent ? "has content" : "has no content")
        if let mode = choices.mode { words.append(mode.rawValue) }
        for point in ExtensionPoint.allCases {
            if let isShown = choices.places[point] {
                words.append("\(isShown ? "shown in" : "hidden from") \(point.name)")
            }
        }
        if let rank = choices.rank { words.append("rank \(rank)") }
        return words.joined(separator: ", ")
    }

    func storageChanged(_ condition: StoreCondition) {
        event(.storage, nil, condition.sentence)
        storageLog.changed(to: condition)
    }

    func report(_ change: Registry.Change) {
        switch change {
        case .added(let entry):
            event(.added, entry.id, entry.path)
            warn(about: entry)
        case .changed(let entry, _):
            event(.changed, entry.id, entry.path)
            warn(about: entry)
        case .removed(let entry):
            event(.removed, entry.id, entry.path)
        }
    }

    func warn(about entry: Registry.Entry) {
        for complaint in entry.complaints { log.warning("\(complaint)") }
    }

    /// Logs the first failure of a series, and the end of the series. The update log has the successes.
    ///
    /// - Parameter words: what the event says about a success instead of its result.
    func report(_ outcome: RunOutcome, wasFailing: Bool, inJournal: Bool = true, words: String? = nil) {
        switch outcome.result {
        case .newData, .noData:
            event(.finished, outcome.widget, words ?? outcome.logEntry.result.rawValue)
            if case .newData(let content) = outcome.result { event(.snapshot, outcome.widget, content.text) }
            if wasFailing, inJournal, !outcome.isInteraction { log.info("\(outcome.widget): works again") }
        case .failed(let reason):
            event(.finished, outcome.widget, "failed: \(reason)")
            if !wasFailing, inJournal { log.warning("\(outcome.widget): \(reason)") }
        }
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
