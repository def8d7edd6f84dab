// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

/// A view that subscribers follow: the visible widgets of one extension point, or widgets that the client names.
@LoopActor
final class ShowFeed: Feed {
    enum Subject: Hashable {
        case point(ExtensionPoint)
        /// These, in this order, each once.
        case widgets([WidgetID])
    }

    let subject: Subject
    /// The widgets that the client names; nil for those of a point.
    private let named: Set<WidgetID>?
    private let itemCache: ItemCache
    /// The version of the item cache at the last refresh.
    private var checked: UInt64
    /// How many items the item cache had serialised at the last refresh.
    private var serialisations: Int
    private(set) var members: Set<WidgetID> = []
    /// Whether the members have changed since `takeOtherMembers` was called.
    private var hasOtherMembers = true
    /// The version at which each widget left the view, for subscribers that have not been told yet.
    private var departures: [WidgetID: UInt64] = [:]

    init(_ subject: Subject, itemCache: ItemCache) {
        self.subject = subject
        if case .widgets(let ids) = subject { named = Set(ids) } else { named = nil }
        self.itemCache = itemCache
        let now = BootTime.now
        members = Set(Self.members(of: subject, in: itemCache, now: now))
        checked = itemCache.version
        serialisations = itemCache.serialisations
        super.init()
        version = itemCache.version
    }

    /// The widgets of a view, in order.
    static func members(of subject: Subject, in itemCache: ItemCache, now: BootTime) -> [WidgetID] {
        switch subject {
        case .widgets(let ids):
            ids.filter { itemCache.entry(for: $0, now: now) != nil }
        case .point(let point):
            itemCache.order.filter { itemCache.entry(for: $0, now: now)?.isShown(at: point) ?? false }
        }
    }

    override func refresh() {
        itemCache.refreshAnnounced(now: .now)
        if serialisations != itemCache.serialisations {
            serialisations = itemCache.serialisations
            forgetFrames()
        }
        let changed = news(since: checked)
        checked = itemCache.version
        var isDifferent = false
        for id in changed {
            if belongs(id) {
                if members.insert(id).inserted { hasOtherMembers = true }
                departures[id] = nil
                isDifferent = true
            } else if members.remove(id) != nil {
                hasOtherMembers = true
                departures[id] = itemCache.version
                isDifferent = true
            }
        }
        if isDifferent { version = itemCache.version }
        if departures.count > 256 {
            let oldest = oldestSeen
            departures = departures.filter { $0.value > oldest }
        }
    }

    /// Whether the members have changed since the last call.
    func takeOtherMembers() -> Bool {
        defer { hasOtherMembers = false }
        return hasOtherMembers
    }

    /// The oldest version of the item cache that a subscriber still needs. A subscriber that is up to date has seen
    /// everything up to `checked`, even where nothing of it belongs to this view.
    var oldestNeeded: UInt64 {
        let oldest = oldestSeen
        return oldest == version ? checked : oldest
    }

    override func reply(since seen: UInt64) -> [UInt8]? {
        guard seen != Self.nothingSeen else {
            let ids = Self.members(of: subject, in: itemCache, now: .now)
            return ItemsReply(items(ids)).encoded(continues: true)
        }
        let items = items(news(since: seen).filter { belongs($0) })
        let removed = departures.filter { $0.value > seen }.keys.sorted()
        if items.isEmpty && removed.isEmpty { return nil }
        return ItemsReply(items, removed: removed).encoded(continues: true)
    }

    private func items(_ ids: [WidgetID]) -> [[UInt8]] {
        itemCache.bytes(of: itemCache.entries(of: ids, now: .now))
    }

    private func news(since version: UInt64) -> [WidgetID] {
        let changed = itemCache.changed(since: version, among: named)
        guard case .widgets(let ids) = subject, changed.count > 1 else { return changed }
        let unordered = Set(changed)
        return ids.filter(unordered.contains)
    }

    private func belongs(_ id: WidgetID) -> Bool {
        guard let entry = itemCache.entry(for: id, now: .now) else { return false }
        switch subject {
        case .point(let point): return entry.isShown(at: point)
        case .widgets: return true
        }
    }
}

/// Builds the reply of `Show` from items that are already encoded.
struct ItemsReply {
    private let items: [[UInt8]]
    private let removed: [WidgetID]

    init(_ items: [[UInt8]], removed: [WidgetID] = []) {
        self.items = items
        self.removed = removed
    }

    var parameters: [UInt8] {
        var object = JSONObjectBytes(capacity: items.reduce(64) { $0 + $1.count + 1 })
        object.add("items", array: items)
        object.add("removed", JSON(removed.map(\.text)))
        return object.end()
    }

    func encoded(continues: Bool) -> [UInt8] {
        VarlinkReply.encode(parametersBytes: parameters, continues: continues)
    }
}
