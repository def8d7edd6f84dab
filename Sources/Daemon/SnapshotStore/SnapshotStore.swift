// SPDX-License-Identifier: MIT
import JSON
import Reactor
import Spelling
import TodayModel

/// Keeps what is known of widgets: the user's choices and settings, app groups' defaults, the layers of content, the update log
/// and the history of numbers.
///
/// Reads are answered from memory and never wait. A choice, a move, a setting and a change of defaults become visible when they
/// are on disk. Content, pushed or provided by a widget, is visible at once; it is written in this turn of the loop or shortly
/// after. The completion of a change is called when the change is on disk.
@LoopActor
package final class SnapshotStore {
    package typealias Completion = @LoopActor (Result<Void, Refusal>) -> Void

    package enum Report {
        /// The choices, layers, memory or log of these widgets have changed.
        case widgets(Set<WidgetID>)
        /// The defaults of these groups have changed. Each group has the writers of its changes in order, one for each
        /// revision; nil for a writer that is not a widget.
        case defaults([AppGroup: [WidgetID?]])
        /// The user has set or removed values of widgets' settings; the names of the settings.
        case settings([WidgetID: Set<String>])
        /// A client has pushed content to a widget or has taken it back (nil).
        case push(Layers.Pushed?, to: WidgetID)
        case condition(StoreCondition)
    }

    package var onReport: @LoopActor (Report) -> Void = { _ in }

    /// What the store could not read when it opened, for the journal.
    package let complaints: [String]
    /// The last daemon did not close the store. Nothing that it acknowledged is lost, but the latest content and runs
    /// of widgets may be.
    package let followsCrash: Bool

    private var widgets: KeptWidgets
    let commits: Commits

    /// Opens or creates the database in an existing directory. Throws only when another process uses it or when the
    /// writer thread cannot be started; every other problem becomes a `condition`.
    package init(path: String, options: StoreOptions = StoreOptions()) throws(StoreUnavailable) {
        let lock = try StateLock(of: path, patience: options.lockTimeout)
        let opening = try Opening(path: path, options: options)
        widgets = opening.contents.widgets
        complaints = opening.contents.complaints
        followsCrash = opening.followsCrash
        commits = try Commits(opening, path: path, options: options, lock: lock)
        commits.everything = { [unowned self] in everything }
        commits.onConditionChange = { [unowned self] in onReport(.condition($0)) }
        commits.onSettled = { [unowned self] settlement in
            if !settlement.widgets.isEmpty { onReport(.widgets(settlement.widgets)) }
            if !settlement.groups.isEmpty { onReport(.defaults(settlement.groups)) }
            if !settlement.settings.isEmpty { onReport(.settings(settlement.settings)) }
        }
    }

    /// How durable changes are now.
    package var condition: StoreCondition { commits.health.condition }
    /// Whether the database was set aside, at the start or later. It stays until the daemon ends.
    package var lasting: StoreCondition { commits.health.lasting }

    /// Writes what waits, closes the database and refuses further changes. Blocks the loop for at most `limit`; returns
    /// false if something could not be written.
    @discardableResult
    package func close(within limit: TimeSpan = .seconds(5)) -> Bool { commits.close(within: limit) }
}

// MARK: - Reading

extension SnapshotStore {
    /// The committed state.
    package var state: StoredState { commits.groupCommit.committed }

    package func choices(of id: WidgetID) -> Choices { state.choices[id] ?? Choices() }

    /// The widgets that the user has added.
    package var added: Set<WidgetID> { Set(state.choices.lazy.filter(\.value.isAdded).map(\.key)) }

    /// The values that the user has set of a widget's settings, including settings that its manifest no longer has.
    package func settings(of id: WidgetID) -> [String: SettingValue] { state.settings[id] ?? [:] }

    /// The given widgets in the user's order.
    package func order(of widgets: [WidgetID]) -> [WidgetID] { state.order(of: widgets) }

    package func layers(of id: WidgetID) -> Layers { widgets.table[id]?.layers ?? Layers() }

    package func memory(of id: WidgetID) -> WidgetMemory { widgets.table[id]?.memory ?? WidgetMemory() }

    /// The number of changes of a group's defaults.
    package func revision(of group: AppGroup) -> Int64 { state.revisions[group] ?? 0 }

    package func history(of id: WidgetID) -> [RunRecord] { widgets.table[id]?.log.records ?? [] }

    /// The last run that was an update, which shows whether the widget works.
    package func lastUpdate(of id: WidgetID) -> RunRecord? { widgets.table[id]?.log.lastUpdate }

    /// The last values of a widget's numbers.
    package func numbers(of id: WidgetID) -> History { widgets.table[id]?.history ?? History() }

    package func defaults(of group: AppGroup) -> JSONObject {
        JSONObject(
            (state.defaults[group]?.values ?? [:]).sorted { SpelledText($0.key) < SpelledText($1.key) }.map { ($0, $1) }
        )
    }

    /// All committed changes and all records. Changes under way are missing, because the commit may fail.
    var everything: Contents { Contents(state: state, widgets: widgets) }
}

// MARK: - Writing

extension SnapshotStore {
    /// Makes a change. The completion is called once: when the change is on disk and visible, or with the reason of a
    /// refusal. A refusal that needs no commit comes at once.
    package func change(_ change: Change, completion: @escaping Completion = { _ in }) {
        switch change {
        case .push(let id, let pushed): push(pushed, to: id, completion)
        case .takeBack(let id): push(nil, to: id, completion)
        case .choice, .move, .defaults, .add, .remove, .settings: commits.make(change, completion)
        }
    }

    /// Records the outcome of a run in the widget's log and layers.
    ///
    /// - Parameters:
    ///   - seen: the inputs that the widget has seen now; nil leaves them as they were.
    ///   - tried: the inputs of the run.
    package func record(_ outcome: RunOutcome, seen: UpdateInputs? = nil, tried: UpdateInputs? = nil) {
        note(outcome)
        renew(outcome, seen: seen, tried: tried)
    }

    /// Records what a widget's program has given, like `record` but without an entry in the widget's log.
    package func renew(_ outcome: RunOutcome, seen: UpdateInputs? = nil, tried: UpdateInputs? = nil) {
        let id = outcome.widget
        let (change, own, memory) = widgets.update(id) { widget in
            let before = widget.memory
            widget.memory.apply(outcome, from: tried)
            if let seen { widget.memory.seen = seen }
            return (widget.layers.apply(outcome), widget.layers.own, widget.memory == before ? nil : widget.memory)
        }
        if outcome.isMeasurement, let own { sample(own.content, of: id, at: own.confirmed) }
        if change != .none { commits.record { $0.add(own: own, of: id, contentChanged: change == .content) } }
        if let memory { record(memory, of: id) }
        onReport(.widgets([id]))
    }

    /// Records what happened to a widget's program in the widget's log only.
    package func log(_ outcome: RunOutcome) {
        note(outcome)
        onReport(.widgets([outcome.widget]))
    }

    private func note(_ outcome: RunOutcome) {
        let entry = widgets.update(outcome.widget) { $0.log.append(outcome.logEntry) }
        commits.record { $0.add(entry, of: outcome.widget) }
    }

    /// Adds the numbers of a content to the history of the widget.
    private func sample(_ content: Content, of id: WidgetID, at date: WallTime) {
        let numbers = content.numbers
        guard !numbers.isEmpty else { return }
        let hasDropped = widgets.append(numbers, of: id, at: date)
        commits.record { $0.add(numbers.map(\.name), of: self.numbers(of: id), hasDropped: hasDropped, to: id) }
    }

    /// Gives a widget pushed content, or removes it (nil). It is visible at once; the completion says whether it is on
    /// disk. Content that could not be written goes into the next commit.
    private func push(_ pushed: Layers.Pushed?, to id: WidgetID, _ completion: @escaping Completion) {
        if let pushed { sample(pushed.content, of: id, at: pushed.taken) }
        changeInMemory(id) { $0.pushed = pushed }
        onReport(.push(pushed, to: id))
        commits.record(completion) { $0.add(pushed: pushed, to: id) }
    }

    /// Changes a widget's layers in memory, such as its draft and its placeholder.
    package func changeInMemory(_ id: WidgetID, _ body: (inout Layers) -> Void) {
        widgets.update(id) { body(&$0.layers) }
        onReport(.widgets([id]))
    }

    /// Changes what the store remembers of a widget.
    package func remember(_ id: WidgetID, _ body: (inout WidgetMemory) -> Void) {
        let before = memory(of: id)
        var memory = before
        body(&memory)
        guard memory != before else { return }
        widgets.update(id) { $0.memory = memory }
        record(memory, of: id)
    }

    private func record(_ memory: WidgetMemory, of id: WidgetID) {
        commits.record { $0.add(memory == WidgetMemory() ? nil : memory, of: id) }
    }

    /// Forgets the content and logs of removed widgets, except the newest ones.
    package func forgetDeparted(isPresent: (WidgetID) -> Bool) {
        let departed = widgets.table.ids.filter { !isPresent($0) }
        guard departed.count > StoreLimits.departedWidgets else { return }
        let newestFirst = departed.map { (id: $0, time: widgets[$0].lastSign) }.sorted { $0.time > $1.time }
        for (id, _) in newestFirst.dropFirst(StoreLimits.departedWidgets) {
            widgets.forget(id)
            commits.record { $0.forget(id) }
        }
    }

    /// Checks whether the database is still in its place, and writes everything again if it is not.
    package func checkFile() { commits.checkpoint() }
}

extension RunOutcome {
    /// Whether the numbers of the widget's own content are values of now: an update gave this content, or gave it again.
    fileprivate var isMeasurement: Bool {
        guard !isInteraction else { return false }
        return switch result {
        case .newData: true
        case .noData: isRepeated
        case .failed: false
        }
    }
}
