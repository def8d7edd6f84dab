// SPDX-License-Identifier: MIT
import TodayModel

/// What is written when, and what is true for readers meanwhile: one commit is under way at most, and everything that
/// arrives during it goes into the next one together.
///
/// A change is visible once its commit has succeeded. Until then it exists in the tentative state only, so that
/// several changes in a row (two moves) build on each other. When a commit fails, its changes are gone and those that
/// wait are made again, on what is committed; records (snapshots, runs) are true already and stay to be written.
struct GroupCommit {
    /// Names one request until it is settled.
    typealias Ticket = UInt64

    /// How the requests of one commit ended, and what readers see differently now.
    struct Settlement {
        var succeeded: [Ticket] = []
        var failed: [Ticket] = []
        var refused: [(ticket: Ticket, refusal: Refusal)] = []
        var widgets: Set<WidgetID> = []
        /// The writers of each change of a group's defaults, in order; nil for one that is no widget.
        var groups: [AppGroup: [WidgetID?]] = [:]
    }

    private struct UnderWay {
        var settlement = Settlement()
        /// Of the changes, without the records.
        var changes: [Row] = []
        var next: StoredState
        var records: PendingRecords
    }

    /// More than all connections together can ask for at once; a bound all the same. So is the memory for what they bring.
    static let mostWaiting = 10_000
    static let mostWaitingBytes = 16 << 20

    /// What readers see.
    private(set) var committed: StoredState
    /// What will be when all goes well, nil when nothing is on its way.
    private var tentative: StoredState?
    /// Requests without a change wait for the records that came before them.
    private var waiting: [(ticket: Ticket, change: Change?)] = []
    private var waitingBytes = 0
    private var records = PendingRecords()
    private var hasNewRecords = false
    private var underWay: UnderWay?

    init(committed: StoredState = StoredState()) { self.committed = committed }

    var isUnderWay: Bool { underWay != nil }
    var isIdle: Bool { underWay == nil && waiting.isEmpty && records.isEmpty }
    /// The rows of the changes that are under way; `committed` is without them.
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

    /// Takes records, and a request that waits for them to be on disk.
    mutating func record(_ ticket: Ticket? = nil, _ add: (inout PendingRecords) -> Void) {
        add(&records)
        hasNewRecords = true
        if let ticket { waiting.append((ticket, nil)) }
    }

    /// Whether there is anything to write that has not been tried.
    var hasNews: Bool { !waiting.isEmpty || hasNewRecords }
    /// Whether no client waits for what is new: only runs have ended.
    var isPatient: Bool { waiting.isEmpty }

    /// Begins the next commit and returns its rows; nil while one is under way or when there is nothing new.
    /// Records that could not be written before are not new, or a full disk would be asked without end.
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
        beginning.changes = rows
        rows += records.rows
        waiting = []
        waitingBytes = 0
        records = PendingRecords()
        hasNewRecords = false
        underWay = beginning
        return rows
    }

    /// The commit under way is on disk.
    mutating func succeed() -> Settlement {
        guard let ended = underWay else { preconditionFailure("no commit is under way") }
        underWay = nil
        committed = ended.next
        if waiting.isEmpty { tentative = nil }
        return ended.settlement
    }

    /// The commit under way did not take place. Its records are tried again with the next unless they are to blame.
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

    /// A change that can no longer be made is refused when its turn comes, not here.
    private mutating func rebuildTentative() {
        var state = committed
        for case (_, let change?) in waiting { _ = try? change.apply(to: &state) }
        tentative = waiting.isEmpty ? nil : state
    }
}
