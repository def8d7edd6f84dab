// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel

/// The widgets as JSON bytes. Each item is serialised once per state, however many hosts ask for it, and has the version at
/// which it last changed, so that a subscriber needs only the version that it has seen.
@LoopActor
final class ItemCache {
    /// A widget's item in the form of the protocol, the extension points that it is for, and those at which it is shown.
    struct Entry {
        let id: WidgetID
        let bytes: [UInt8]
        fileprivate let points: [ExtensionPoint]
        fileprivate let places: [ExtensionPoint]
        fileprivate let isVisible: Bool
        let validUntil: BootTime?
        /// The version at which subscribers had to be told of it.
        let version: UInt64
        /// A hash of everything in the item but `confirmed`. Subscribers are told of a change only when it differs. It
        /// hashes the encoded bytes, because hashing a String normalises it.
        fileprivate let essence: Int
        fileprivate var isCurrent = true

        func isShown(at point: ExtensionPoint) -> Bool { isVisible && places.contains(point) }

        /// Whether `List` of the point includes it.
        func belongs(to point: ExtensionPoint) -> Bool { points.contains(point) || places.contains(point) }
    }

    /// Increases with every change that subscribers are told of.
    private(set) var version: UInt64 = 1
    /// How many items were turned into bytes, for tests and benchmarks.
    private(set) var serialisations = 0

    /// The clocks drift against each other: a time that has passed on one clock may still be ahead on the other.
    private static let shortestValidity = TimeSpan.milliseconds(1)

    /// The length of `,"confirmed":` and a time in microseconds.
    private static let confirmedBytes = 32

    private unowned let backend: any Backend
    private let replyBytes: Int
    /// The item that is being serialised. An array that grows byte by byte takes up to twice its length, so that an entry has a
    /// copy of the right length.
    private var unfinished: [UInt8] = []
    private var entries: [WidgetID: Entry] = [:]
    private var knownOrder: [WidgetID]?
    /// The widgets that have changed or gone since the last call of `takeChanges`.
    private var changed: Set<WidgetID> = []

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
    }

    func announceAll() {
        knownOrder = nil
        let present = Set(order)
        for id in entries.keys {
            if present.contains(id) { entries[id]?.isCurrent = false } else { remove(id) }
        }
    }

    /// Asks the backend for each widget that may differ: it was announced, or its time is over.
    ///
    /// - Returns: those that have changed or gone since the last call.
    func takeChanges(now: BootTime) -> Set<WidgetID> {
        for id in order { _ = entry(for: id, now: now) }
        // Whatever is still announced no longer exists.
        for id in entries.filter({ !$0.value.isCurrent }).keys { _ = entry(for: id, now: now) }
        defer { changed = [] }
        return changed
    }

    /// When the first entry becomes invalid; nil if none ever does.
    var nextExpiry: BootTime? { entries.values.lazy.compactMap(\.validUntil).min() }

    /// How many items are kept, for tests.
    var count: Int { entries.count }

    private func refresh(_ id: WidgetID, now: BootTime) -> Entry? {
        let old = entries[id]
        guard let shown = backend.item(id) else {
            if old != nil { remove(id) }
            return nil
        }
        var item = shown.item
        item.confirmed = nil
        unfinished.removeAll(keepingCapacity: true)
        item.json.write(to: &unfinished)
        let essence = unfinished.hashValue
        var object = JSONObjectBytes(reopening: unfinished, room: Self.confirmedBytes)
        if let confirmed = shown.item.confirmed { object.add("confirmed", .int(confirmed.microseconds)) }
        serialisations += 1
        if old?.essence != essence { noteChange(of: id) }
        let entry = Entry(
            id: id, bytes: object.end(), points: item.points, places: item.places, isVisible: item.isVisible,
            // A time that has already passed would make the cache ask for the item again and again.
            validUntil: shown.validUntil.map { max($0, now + Self.shortestValidity) },
            version: old?.essence == essence ? old?.version ?? version : version, essence: essence)
        entries[id] = entry
        return entry
    }

    private func remove(_ id: WidgetID) {
        entries[id] = nil
        noteChange(of: id)
    }

    private func noteChange(of id: WidgetID) {
        version += 1
        changed.insert(id)
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
