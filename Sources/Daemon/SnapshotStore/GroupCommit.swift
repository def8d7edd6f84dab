// SPDX-License-Identifier: MIT
import TodayModel

/// Decides when changes are written, and what readers see meanwhile. At most one commit is under way; everything that
/// arrives during it goes into the next one.
///
/// A change is visible once its commit has succeeded. Until then only the tentative state has it, so that several
/// changes in a row (two moves) build on each other. When a commit fails, its changes are lost, and the waiting changes
/// are applied again to the committed state. Records (snapshots, runs) are visible at once and stay to be written.
struct GroupCommit {
    /// Identifies one request until it is settled.
    typealias Ticket = UInt64

    /// How the requests of one commit ended, and what has changed for readers.
    struct Settlement {
        var succeeded: [Ticket] = []
        var failed: [Ticket] = []
        var refused: [(ticket: Ticket, refusal: Refusal)] = []
        var widgets: Set<WidgetID> = []
        /// The writers of each change of a group's defaults, in order; nil for a writer that is not a widget.
        var groups: [AppGroup: [WidgetID?]] = [:]
        /// The names of the settings whose values have changed.
        var settings: [WidgetID: Set<String>] = [:]
    }

    private struct UnderWay {
        var settlement = Settlement()
        /// The rows of the changes, without the records.
        var changes: [Row] = []
        var next: StoredState
        var records: PendingRecords
    }

    /// Limits for waiting changes: more than all connections together can request at once, and the memory for their
    /// values.
    static let mostWaiting = 10_000
    static let mostWaitingBytes = 16 << 20

    /// The state that readers see.
    private(set) var committed: StoredState
    /// The state after all waiting changes; nil when none waits.
    private var tentative: StoredState?
    /// A request without a change waits until the records before it are on disk.
    private var waiting: [(ticket: Ticket, change: Change?)] = []
    private var waitingBytes = 0
    private var records = PendingRecords()
    private var hasNewRecords = false
    private var underWay: UnderWay?

    init(committed: StoredState = StoredState()) { self.committed = committed }

    var isUnderWay: Bool { underWay != nil }
    var isIdle: Bool { underWay == nil && waiting.isEmpty && records.isEmpty }
    /// The rows of the changes under way, which `committed` does not have yet.
    var changesUnderWay: [Row] { underWay?.changes ?? [] }

    mutating func enqueue(_ change: Change, _ ticket: Ticket) throws(Refusal) {
        if let refusal = change.refusal { throw refusal }
        guard waiting.count < Self.mostWaiting, waitingBytes <= Self.mostWaitingBytes else {
            throw Refusal.notStored("too many changes are waiting for the disk")
        }
        var state = tentative ?? committed
        tentative = nil  // the only other reference: without it, the change copies nothing
        defer { tentative = state }
        _ = try change.apply(to: &state)
        waiting.append((ticket, change))
        waitingBytes += change.bytes
    }

    /// Adds records. A request with `ticket` is settled when they are on disk.
    mutating func record(_ ticket: Ticket? = nil, _ add: (inout PendingRecords) -> Void) {
        add(&records)
        hasNewRecords = true
        if let ticket { waiting.append((ticket, nil)) }
    }

    /// Whether there is something that no commit has tried to write.
    var hasNews: Bool { !waiting.isEmpty || hasNewRecords }
    /// Whether no client waits, because only runs have ended.
    var isPatient: Bool { waiting.isEmpty }

    /// Begins the next commit and returns its rows; nil while one is under way or when there is nothing new. Records of
    /// a failed commit do not count as new, because the writer would retry without end on a full disk.
    mutating func begin(evenWithoutNews: Bool = false) -> [Row]? {
        guard underWay == nil, hasNews || evenWithoutNews else { return nil }
        var beginning = UnderWay(next: committed, records: records)
        var rows: [Row] = []
        for (ticket, change) in waiting {
            do throws(Refusal) {
                let made = try change?.apply(to: &beginning.next) ?? []
                if case .defaults(let group, _, _, let writer)? = change, !made.isEmpty {
                    beginning.settlement.groups[group, default: []].append(writer)
                }
                rows += made
                beginning.settlement.succeeded.append(ticket)
            } catch {
                beginning.settlement.refused.append((ticket, error))
            }
        }
        for case .choices(let id, _) in rows { beginning.settlement.widgets.insert(id) }
        for case .setting(let id, let name, _) in rows { beginning.settlement.settings[id, default: []].insert(name) }
        beginning.changes = rows
        rows += records.rows
        waiting = []
        waitingBytes = 0
        records = PendingRecords()
        hasNewRecords = false
        underWay = beginning
        return rows
    }

    /// Ends the commit under way, which is on disk.
    mutating func succeed() -> Settlement {
        guard let ended = underWay else { preconditionFailure("no commit is under way") }
        underWay = nil
        committed = ended.next
        if waiting.isEmpty { tentative = nil }
        return ended.settlement
    }

    /// Ends the commit under way, which failed. Its records go into the next commit, unless they caused the failure.
    mutating func fail(keepingRecords: Bool) -> Settlement {
        guard let ended = underWay else { preconditionFailure("no commit is under way") }
        underWay = nil
        if keepingRecords { records.putBack(ended.records) }
        rebuildTentative()
        var settlement = Settlement()
        settlement.failed = ended.settlement.succeeded
        settlement.refused = ended.settlement.refused
        return settlement
    }

    /// A change that has become impossible is refused by `begin`, not here.
    private mutating func rebuildTentative() {
        var state = committed
        for case (_, let change?) in waiting { _ = try? change.apply(to: &state) }
        tentative = waiting.isEmpty ? nil : state
    }
}

/// What widgets have provided that is not on disk yet: the latest value of each layer, at most as many runs as a log
/// keeps, and the new values of numbers.
struct PendingRecords {
    private struct Widget {
        var own: (layer: Layers.Own?, contentChanged: Bool)?
        var pushed: Layers.Pushed??
        var memory: WidgetMemory??
        var runs: [UpdateLog.Entry] = []
        /// Whether older entries of the log are removed before `runs` are written.
        var endsLog = false
        var history: PendingHistory?

        mutating func boundRuns() {
            let excess = runs.count - StoreLimits.runsPerWidget
            if excess > 0 { runs.removeFirst(excess) }
        }

        /// Adds the records of a failed commit again; later ones are newer and win.
        mutating func putBack(_ old: Widget) {
            if let older = old.own {
                own = (own.map(\.layer) ?? older.layer, older.contentChanged || own?.contentChanged == true)
            }
            pushed = pushed ?? old.pushed
            memory = memory ?? old.memory
            if !endsLog { runs = old.runs + runs }
            boundRuns()
            endsLog = endsLog || old.endsLog
            if let older = old.history {
                var merged = history ?? PendingHistory()
                merged.putBack(older)
                history = merged
            }
        }

        func rows(of id: WidgetID) -> [Row] {
            var rows: [Row] = endsLog ? [.endOfLog(id)] : []
            if let own { rows.append(.own(id, own.layer, contentChanged: own.contentChanged)) }
            if let pushed { rows.append(.pushed(id, pushed)) }
            if let memory { rows.append(.memory(id, memory)) }
            rows += runs.map { .run(id, $0) }
            return rows + (history?.rows(of: id) ?? [])
        }
    }

    private var widgets: [WidgetID: Widget] = [:]

    var isEmpty: Bool { widgets.isEmpty }

    var rows: [Row] { widgets.flatMap { $0.value.rows(of: $0.key) } }

    mutating func add(own layer: Layers.Own?, of id: WidgetID, contentChanged: Bool) {
        let hadChanged = widgets[id]?.own?.contentChanged == true
        widgets[id, default: Widget()].own = (layer, contentChanged || hadChanged)
    }

    mutating func add(pushed layer: Layers.Pushed?, to id: WidgetID) {
        widgets[id, default: Widget()].pushed = .some(layer)
    }

    mutating func add(_ memory: WidgetMemory?, of id: WidgetID) {
        widgets[id, default: Widget()].memory = .some(memory)
    }

    mutating func add(_ run: UpdateLog.Entry, of id: WidgetID) {
        widgets[id, default: Widget()].runs.append(run)
        widgets[id]?.boundRuns()
    }

    mutating func add(_ names: [String], of history: History, hasDropped: Bool, to id: WidgetID) {
        var pending = widgets[id]?.history ?? PendingHistory()
        pending.add(names, of: history, hasDropped: hasDropped)
        widgets[id, default: Widget()].history = pending
    }

    mutating func forget(_ id: WidgetID) {
        widgets[id] = Widget(
            own: (nil, true), pushed: .some(nil), memory: .some(nil), runs: [], endsLog: true, history: .ofForgotten)
    }

    /// Adds the records of a failed commit again; records that came since are newer and win.
    mutating func putBack(_ older: PendingRecords) {
        for (id, old) in older.widgets { widgets[id, default: Widget()].putBack(old) }
    }
}
