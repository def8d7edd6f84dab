// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel

/// The widgets as JSON bytes. Each item is serialised once per state, however many hosts ask for it. While there are
/// subscribers, the cache also remembers in which order widgets changed, so that a subscriber needs only the version
/// that it has seen.
@LoopActor
final class ItemCache {
    /// A widget's item in the form of the protocol, and the extension points that list and show it.
    struct Entry {
        let id: WidgetID
        let bytes: [UInt8]
        let points: [ExtensionPoint]
        let shownAt: Set<ExtensionPoint>
        let validUntil: BootTime?
        /// A hash of everything in the item but `confirmed`. Subscribers are told of a change only when it differs. It
        /// hashes the encoded bytes, because hashing a String normalises it.
        fileprivate let essence: Int
        fileprivate var isCurrent = true

        func isShown(at point: ExtensionPoint) -> Bool { shownAt.contains(point) }
    }

    /// Increases with every change that subscribers are told of.
    private(set) var version: UInt64 = 1
    /// How many items were turned into bytes, for tests and benchmarks.
    private(set) var serialisations = 0
    /// How many changes the history holds, for tests.
    var historyLength: Int { history.count }
    /// No entry expires before this time; nil when none ever does.
    private(set) var nextExpiry: BootTime?

    /// The clocks drift against each other: a time that has passed on one clock may still be ahead on the other.
    private static let shortestValidity = TimeSpan.milliseconds(1)

    private unowned let backend: any Backend
    private let replyBytes: Int
    private var entries: [WidgetID: Entry] = [:]
    private var knownOrder: [WidgetID]?

    private var keepsHistory = false
    private var announced: Set<WidgetID> = []
    private var history: [(version: UInt64, id: WidgetID)] = []
    private var latest: [WidgetID: UInt64] = [:]

    /// - Parameter replyBytes: how many bytes of items one reply may hold.
    init(backend: any Backend, replyBytes: Int) {
        self.backend = backend
        self.replyBytes = replyBytes
    }

    /// All widgets in the user's order.
    var order: [WidgetID] {
        if let knownOrder { return knownOrder }
        let order = backend.widgets()
        knownOrder = order
        return order
    }

    func entry(for id: WidgetID, now: BootTime) -> Entry? {
        if let entry = entries[id], entry.isCurrent, entry.validUntil.map({ now < $0 }) ?? true { return entry }
        return refresh(id, now: now)
    }

    /// Notes that widgets may have changed, appeared or gone. The cache asks the backend for them when it needs them.
    func announce(_ changed: Set<WidgetID>) {
        knownOrder = nil
        for id in changed { entries[id]?.isCurrent = false }
        if keepsHistory { announced.formUnion(changed) }
    }

    func announceAll() {
        let present = Set(backend.widgets())
        announce(present.union(entries.keys))
        // Clients do not ask for a widget that has gone; only subscribers have to be told of its end.
        if !keepsHistory { entries = entries.filter { present.contains($0.key) } }
    }

    /// How many items are kept, for tests.
    var count: Int { entries.count }

    private func refresh(_ id: WidgetID, now: BootTime) -> Entry? {
        let old = entries[id]
        guard let shown = backend.item(id) else {
            if old != nil {
                entries[id] = nil
                remember(id)
            }
            return nil
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(old?.bytes.count ?? 0)
        var item = shown.item
        item.confirmed = nil
        item.json.write(to: &bytes)
        let essence = bytes.hashValue
        if let confirmed = shown.item.confirmed {
            var object = JSONObjectBytes(reopening: bytes)
            object.add("confirmed", .int(confirmed.microseconds))
            bytes = object.end()
        }
        serialisations += 1
        // An expiry that has already passed would make the cache ask for the item again and again.
        let expiry = shown.validUntil.map { max($0, now + Self.shortestValidity) }
        let entry = Entry(
            id: id, bytes: bytes, points: item.points, shownAt: Set(item.points.filter(item.isShown)),
            validUntil: expiry, essence: essence)
        entries[id] = entry
        if let expiry { nextExpiry = min(nextExpiry ?? expiry, expiry) }
        if old?.essence != entry.essence { remember(id) }
        return entry
    }
}

// MARK: - Together

extension ItemCache {
    func entries(of ids: [WidgetID], now: BootTime) -> [Entry] { ids.compactMap { entry(for: $0, now: now) } }

    /// The items for one reply. If they are too long for one, the largest come without their content and say so: no
    /// widget's content hides the other widgets from hosts.
    func bytes(of entries: [Entry]) -> [[UInt8]] {
        var items = entries.map(\.bytes)
        var excess = items.reduce(0) { $0 + $1.count } - replyBytes
        guard excess > 0 else { return items }
        for index in items.indices.sorted(by: { items[$0].count > items[$1].count }) {
            let bare = bare(entries[index])
            excess -= items[index].count - bare.count
            items[index] = bare
            if excess <= 0 { break }
        }
        return items
    }

    private func bare(_ entry: Entry) -> [UInt8] {
        guard var item = backend.item(entry.id)?.item else { return entry.bytes }
        item.content = nil
        item.failure = "its content of \(entry.bytes.count) bytes is too much for one reply with all others"
        var bytes: [UInt8] = []
        item.json.write(to: &bytes)
        return bytes
    }
}

// MARK: - History

extension ItemCache {
    /// Called when a subscriber comes, before it gets its first reply.
    func beginHistory() { keepsHistory = true }

    /// Called when the last subscriber has left.
    func endHistory() {
        keepsHistory = false
        announced = []
        history = []
        latest = [:]
    }

    /// Asks the backend for the announced widgets and for those that have expired.
    func refreshAnnounced(now: BootTime) {
        if let expiry = nextExpiry, expiry <= now { expire(now) }
        let ids = announced
        announced = []
        for id in ids { _ = entry(for: id, now: now) }
    }

    /// The widgets that have changed or gone since a version, each once.
    ///
    /// - Parameter ids: those that are asked for; nil means all. It takes the time of the fewer, these or the changes.
    func changed(since version: UInt64, among ids: Set<WidgetID>? = nil) -> [WidgetID] {
        var low = 0
        var high = history.count
        while low < high {
            let middle = (low + high) / 2
            if history[middle].version > version { high = middle } else { low = middle + 1 }
        }
        if let ids, ids.count < history.count - low { return ids.filter { hasChanged($0, since: version) } }
        let changed = history[low...].compactMap { latest[$0.id] == $0.version ? $0.id : nil }
        return ids.map { ids in changed.filter(ids.contains) } ?? changed
    }

    func hasChanged(_ id: WidgetID, since version: UInt64) -> Bool { latest[id].map { $0 > version } ?? false }

    /// Forgets the changes that every subscriber has seen.
    func forget(upTo version: UInt64) {
        guard let first = history.first, first.version <= version else { return }
        history.removeAll { entry in
            guard entry.version <= version else { return false }
            if latest[entry.id] == entry.version { latest[entry.id] = nil }
            return true
        }
    }

    private func remember(_ id: WidgetID) {
        version += 1
        guard keepsHistory else { return }
        history.append((version, id))
        latest[id] = version
        // A subscriber that does not read keeps the history from being forgotten, so keep only the latest change of
        // each widget.
        if history.count > 2 * latest.count + 64 { history.removeAll { latest[$0.id] != $0.version } }
    }

    private func expire(_ now: BootTime) {
        var next: BootTime?
        for (id, entry) in entries {
            guard let expiry = entry.validUntil else { continue }
            if expiry <= now {
                announced.insert(id)
            } else {
                next = min(next ?? expiry, expiry)
            }
        }
        nextExpiry = next
    }
}
