// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

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
