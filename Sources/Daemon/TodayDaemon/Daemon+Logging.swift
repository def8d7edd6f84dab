// SPDX-License-Identifier: MIT
import Registry
import Scheduler
import SnapshotStore
import TodayModel

/// The one voice: what stages report becomes lines in the journal and events for `todayctl monitor`. A line is written
/// when something changes for a person who looks after the machine, not for every run.
extension Daemon {
    func event(_ kind: Event.Kind, _ id: WidgetID?, _ text: @autoclosure () -> String) {
        guard service.isMonitored else { return }
        service.announce(Event(time: .now, kind: kind, id: id, text: text()))
    }

    /// What was found at the start and the administrator should know.
    func reportOpening() {
        // A new one that cannot be made must not hide what has become of the old one.
        if store.standing != .ok, store.standing != store.condition { log.error(store.standing.sentence) }
        if store.condition != .ok { storageChanged(store.condition) }
        for complaint in store.complaints { log.warning(complaint) }
        reportComplaints()
        for id in catalog.widgets { registry.widgets[id].map(complain) }
    }

    /// What is wrong in todayd.conf, with names of files, with watching; each once.
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

    /// The time is over for which news of the storage were kept back.
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

    /// Successes are in the update log; the journal gets the first failure of a row, and the end of the row.
    func report(_ outcome: RunOutcome, wasFailing: Bool) {
        switch outcome.result {
        case .newData, .noData:
            event(.finished, outcome.widget, outcome.record.result.rawValue)
            if case .newData(let content) = outcome.result { event(.snapshot, outcome.widget, content.text) }
            if wasFailing, !outcome.reason.isErrand { log.info("\(outcome.widget): works again") }
        case .failed(let reason):
            event(.finished, outcome.widget, "failed: \(reason)")
            if !wasFailing { log.warning("\(outcome.widget): \(reason)") }
        }
    }
}
