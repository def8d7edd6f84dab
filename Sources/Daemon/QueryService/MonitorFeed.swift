// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

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
        var bytes = ItemsReply.array(named: "events", of: events)
        bytes.append(contentsOf: ",\"lost\":\(lost)}".utf8)
        return VarlinkReply.encode(parametersBytes: bytes, continues: true)
    }
}
