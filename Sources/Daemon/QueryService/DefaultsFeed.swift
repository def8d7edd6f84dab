// SPDX-License-Identifier: MIT
import Reactor
import Varlink

/// The defaults of an app group as their subscribers follow them: all values, after every change.
@LoopActor
final class DefaultsFeed: Feed {
    let group: String
    private unowned let backend: any Backend
    private var values: JSONObject

    init(group: String, backend: any Backend, tally: FrameTally) {
        self.group = group
        self.backend = backend
        values = Self.values(of: group, in: backend) ?? [:]
        super.init(tally: tally)
    }

    /// As they travel: each value as an object which holds it, for the protocol knows no "any value"; nil when there is
    /// no such group.
    static func values(of group: String, in backend: any Backend) -> JSONObject? {
        backend.defaults(of: group).map { values in
            JSONObject(values.map { key, value in (key, ["value": value]) })
        }
    }

    /// A group which has gone is one without values.
    override func refresh() {
        let new = Self.values(of: group, in: backend) ?? [:]
        guard new != values else { return }
        values = new
        version += 1
    }

    override func reply(since seen: UInt64) -> [UInt8]? {
        VarlinkReply(["values": .object(values)], continues: true).encoded()
    }
}
