// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

/// A state that clients follow: a view, an app group's defaults, the events, the progress of an update.
///
/// Each subscriber is described by the version it has seen and nothing else. A subscriber that reads slowly gets the
/// difference to the newest version when it can be written to again; all that have seen the same version get the same
/// bytes.
@LoopActor
class Feed {
    /// Before anything has been seen.
    static let nothingSeen: UInt64 = 0

    final private(set) var subscribers: [UInt64: Session] = [:]
    final let tally: FrameTally
    private var frames: [UInt64: Frame] = [:]

    /// To be increased by subclasses with every change. Whatever was built for the version before is dropped.
    final var version: UInt64 = nothingSeen + 1 {
        didSet { forgetFrames() }
    }

    init(tally: FrameTally) { self.tally = tally }

    final func add(_ session: Session) { subscribers[session.key] = session }

    final func remove(_ session: Session) { subscribers[session.key] = nil }

    /// The oldest version that any subscriber has seen.
    final var oldestSeen: UInt64 { subscribers.values.reduce(version) { min($0, $1.seen) } }

    /// The reply which brings a subscriber that has seen a version up to date; nil when nothing in it is different.
    final func frame(since seen: UInt64) -> Frame? {
        if let frame = frames[seen] { return frame }
        guard let bytes = reply(since: seen) else { return nil }
        let frame = Frame(bytes, tally: tally)
        frames[seen] = frame
        return frame
    }

    /// To be called where what replies hold is different, but nothing that a subscriber must be told.
    final func forgetFrames() { frames.removeAll(keepingCapacity: true) }

    /// Whether the reply up to the present version is the last one.
    var isFinished: Bool { false }

    /// Finds out what is new, if that has to be asked for.
    func refresh() {}

    /// Builds the whole reply for `frame`.
    func reply(since seen: UInt64) -> [UInt8]? { nil }
}

/// The defaults of an app group as their subscribers follow them: all values, after every change.
@LoopActor
final class DefaultsFeed: Feed {
    let group: AppGroup
    private unowned let backend: any Backend
    private var values: JSONObject

    init(group: AppGroup, backend: any Backend, tally: FrameTally) {
        self.group = group
        self.backend = backend
        values = Self.values(of: group, in: backend)
        super.init(tally: tally)
    }

    /// As they travel: each value as an object which holds it, for the protocol knows no "any value". A group which has
    /// gone is one without values.
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

/// The events, as they happen. One ring for all subscribers: a subscriber that falls behind by more than it holds is
/// told how much was lost.
@LoopActor
final class MonitorFeed: Feed {
    nonisolated static let capacity = 512

    private var ring: [[UInt8]] = []
    /// How many events there have been. `version` is one more.
    private var count: UInt64 { version - Feed.nothingSeen - 1 }

    func record(_ event: Event) {
        var bytes: [UInt8] = []
        event.json.write(to: &bytes)
        let place = Int(count % UInt64(Self.capacity))
        if place < ring.count { ring[place] = bytes } else { ring.append(bytes) }
        version += 1
    }

    /// The first reply is empty: it says that from now on nothing is missed.
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
