// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

/// A state that clients follow: a view, an app group's defaults, the events, the progress of an update.
///
/// The feed keeps for each subscriber only the version that it has seen. A subscriber that reads slowly gets the
/// difference to the newest version once its socket is writable. All subscribers that have seen the same version get
/// the same bytes.
@LoopActor
package class Feed {
    /// The version of a subscriber that has seen nothing.
    static let nothingSeen: UInt64 = 0

    final private(set) var subscribers: [SessionID: Session] = [:]
    private var frames: [UInt64: Frame] = [:]

    /// Subclasses increase it with every change, which drops the frames of the previous version.
    final var version: UInt64 = nothingSeen + 1 {
        didSet { forgetFrames() }
    }

    init() {}

    final func add(_ session: Session) {
        subscribers[session.id] = session
        subscribersChanged()
    }

    final func remove(_ session: Session) {
        subscribers[session.id] = nil
        subscribersChanged()
    }

    func subscribersChanged() {}

    /// The reply that brings a subscriber up to date; nil if nothing has changed for it.
    final func frame(since seen: UInt64) -> Frame? {
        if let frame = frames[seen] { return frame }
        guard let frame = reply(since: seen) else { return nil }
        frames[seen] = frame
        return frame
    }

    /// Drops the built replies, for changes that alter their bytes but of which no subscriber has to be told.
    final func forgetFrames() { frames.removeAll(keepingCapacity: true) }

    /// Whether the reply up to the current version is the last one.
    var isFinished: Bool { false }

    /// Asks the backend for changes that the service does not pass on to this feed.
    func refresh() {}

    /// Builds the reply for `frame`.
    func reply(since seen: UInt64) -> Frame? { nil }
}

/// The defaults of an app group. Each change sends all values.
@LoopActor
final class DefaultsFeed: Feed {
    let group: AppGroup
    private unowned let backend: any Backend
    private var values: JSONObject

    init(group: AppGroup, backend: any Backend) {
        self.group = group
        self.backend = backend
        values = Self.values(of: group, in: backend)
        super.init()
    }

    /// The values in the form of the protocol: each one is wrapped in an object, because Varlink has no "any" type. A group
    /// that no longer exists has no values.
    static func values(of group: AppGroup, in backend: any Backend) -> JSONObject {
        JSONObject((backend.defaults(of: group) ?? [:]).map { key, value in (key, ["value": value]) })
    }

    override func refresh() {
        let new = Self.values(of: group, in: backend)
        guard new != values else { return }
        values = new
        version += 1
    }

    override func reply(since seen: UInt64) -> [UInt8]? {
        VarlinkReply(["values": .object(values)], continues: true).encoded()
    }
}

/// The events as they happen. All subscribers share one ring. A subscriber that misses more events than the ring holds
/// is told how many it lost.
@LoopActor
final class MonitorFeed: Feed {
    nonisolated static let capacity = 512

    private var ring: [[UInt8]] = []
    /// The number of events so far. `version` is one more.
    private var count: UInt64 { version - Feed.nothingSeen - 1 }

    func record(_ event: Event) {
        var bytes: [UInt8] = []
        event.json.write(to: &bytes)
        let slot = Int(count % UInt64(Self.capacity))
        if slot < ring.count { ring[slot] = bytes } else { ring.append(bytes) }
        version += 1
    }

    /// The first reply is empty. It tells the client that from now on it misses no event.
    override func reply(since seen: UInt64) -> [UInt8]? {
        guard seen != Self.nothingSeen else { return encoded([], lost: 0) }
        let unseen = version - seen
        let kept = min(unseen, UInt64(ring.count))
        let events = (count - kept..<count).map { ring[Int($0 % UInt64(Self.capacity))] }
        return encoded(events, lost: unseen - kept)
    }

    private func encoded(_ events: [[UInt8]], lost: UInt64) -> [UInt8] {
        var object = JSONObjectBytes()
        object.add("events", array: events)
        object.add("lost", .int(Int64(lost)))
        return VarlinkReply.encode(parametersBytes: object.end(), continues: true)
    }
}

/// What today-fleet follows: the widgets of the fleet, and those for which an update is requested.
@LoopActor
package final class FleetFeed: Feed {
    /// Called when the first subscriber comes and when the last one leaves.
    package var onPresence: @LoopActor (Bool) -> Void = { _ in }
    private var widgets: [JSON] = []
    private var defaults: JSONObject = [:]
    private var widgetsVersion: UInt64 = 0
    private var wanted: [WidgetID: UInt64] = [:]
    private var wasPresent = false

    package override init() { super.init() }

    /// - Returns: whether subscribers have to be told.
    package func offer(_ new: [JSON], defaults newDefaults: JSONObject) -> Bool {
        guard new != widgets || newDefaults != defaults || widgetsVersion == 0 else { return false }
        (widgets, defaults) = (new, newDefaults)
        version += 1
        widgetsVersion = version
        return true
    }

    package func want(_ id: WidgetID) {
        version += 1
        wanted[id] = version
    }

    /// An update has come.
    package func got(_ id: WidgetID) { wanted[id] = nil }

    override func subscribersChanged() {
        guard subscribers.isEmpty == wasPresent else { return }
        wasPresent.toggle()
        onPresence(wasPresent)
    }

    override func reply(since seen: UInt64) -> [UInt8]? {
        var parameters: JSONObject = [
            "wanted": .array(wanted.filter { $0.value > seen }.keys.sorted().map { .string($0.text) })
        ]
        if widgetsVersion > seen || seen == Self.nothingSeen {
            parameters["widgets"] = .array(widgets)
            parameters["defaults"] = .object(defaults)
        }
        return VarlinkReply(parameters, continues: true).encoded()
    }
}
