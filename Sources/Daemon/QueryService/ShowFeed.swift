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
    /// How many items the item cache had serialised when the last changes came.
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

    /// Takes the widgets of which subscribers have to be told, whichever view they are in.
    func take(_ changed: Set<WidgetID>) {
        if serialisations != itemCache.serialisations {
            serialisations = itemCache.serialisations
            forgetFrames()
        }
        for id in changed where named?.contains(id) ?? true {
            if let entry = shown(id) {
                if members.insert(id).inserted { hasOtherMembers = true }
                departures[id] = nil
                // The feed may have begun after this change.
                if entry.version <= version { continue }
            } else if members.remove(id) != nil {
                hasOtherMembers = true
                departures[id] = itemCache.version
            } else {
                continue
            }
            version = itemCache.version
        }
        if departures.count > 256 {
            let oldest = subscribers.values.reduce(version) { min($0, $1.seen) }
            departures = departures.filter { $0.value > oldest }
        }
    }

    /// Whether the members have changed since the last call.
    func takeOtherMembers() -> Bool {
        defer { hasOtherMembers = false }
        return hasOtherMembers
    }

    override func reply(since seen: UInt64) -> [UInt8]? {
        let now = BootTime.now
        var entries = itemCache.entries(of: Self.members(of: subject, in: itemCache, now: now), now: now)
        var removed: [WidgetID] = []
        if seen != Self.nothingSeen {
            entries.removeAll { $0.version <= seen }
            removed = departures.filter { $0.value > seen }.keys.sorted()
            if entries.isEmpty && removed.isEmpty { return nil }
        }
        return ItemsReply(itemCache.bytes(of: entries), removed: removed).encoded(continues: true)
    }

    /// The widget as this view shows it; nil if it is not in the view.
    private func shown(_ id: WidgetID) -> ItemCache.Entry? {
        guard let entry = itemCache.entry(for: id, now: .now) else { return nil }
        switch subject {
        case .point(let point): return entry.isShown(at: point) ? entry : nil
        case .widgets: return entry
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
