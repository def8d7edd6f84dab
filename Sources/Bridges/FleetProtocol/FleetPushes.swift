// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// What `todayctl push --fleet` puts into etcd, under a lease of its lifetime.
package struct FleetPush: Equatable, Sendable {
    /// todayctl sends it to today-fleet through a pipe: pipe(7).
    package static let longest = 64 << 10

    /// Nil takes back what was pushed.
    package var content: JSON?
    package var lifetime: TimeSpan?
    /// The machine that pushed it, for people.
    package var member: String?

    package init(content: JSON? = nil, lifetime: TimeSpan? = nil, member: String? = nil) {
        (self.content, self.lifetime, self.member) = (content, lifetime, member)
    }

    package init(_ field: JSONField) throws(JSONMismatch) {
        content = try field.optional("content")?.value
        lifetime = try field.optional("ttl")?.span(in: 1...Int.max)
        member = try field.optional("name")?.line(upTo: 256)
    }

    /// The parameters of Push, except the widget.
    package var parameters: JSONObject {
        var object: JSONObject = [:]
        object["content"] = content
        object["ttl"] = lifetime.map { .int($0.microseconds) }
        return object
    }

    package var json: JSON {
        var object = parameters
        object["name"] = member.map(JSON.string)
        return .object(object)
    }
}

/// The pushes in etcd, and which of them todayd was told about. etcd alone decides: a push that ends there ends here.
struct FleetPushes: Sendable {
    private var there: [FleetPath: EtcdKeyValue] = [:]
    /// The revisions of the pushes that todayd was told about.
    private var told: [FleetPath: Int64] = [:]

    mutating func isThere(_ pushes: [FleetPath: EtcdKeyValue]) { there = pushes }

    mutating func changed(_ path: FleetPath, _ pair: EtcdKeyValue?) { there[path] = pair }

    /// todayd knows of nothing.
    mutating func forget() { told = [:] }

    /// What todayd has to be told. A value that cannot be read counts as none.
    mutating func settle(_ paths: some Collection<FleetPath>) -> [(FleetPath, FleetPush)] {
        told = told.filter { paths.contains($0.key) }
        var news: [(FleetPath, FleetPush)] = []
        for path in paths where there[path]?.revision != told[path] {
            told[path] = there[path]?.revision
            guard let pair = there[path] else {
                news.append((path, FleetPush()))
                continue
            }
            let json = try? JSON.parse(pair.value, maxValues: ContentLimits.values + 16)
            guard let json, let push = try? FleetPush(JSONField(root: json, isTolerant: true)) else { continue }
            news.append((path, push))
        }
        return news
    }
}
