// SPDX-License-Identifier: MIT
import JSON
import Spelling
import TodayModel

/// The state of a fleet in etcd, for people.
package struct FleetStatus: Equatable, Sendable {
    package let text: String

    /// - Parameter here: the revisions that this machine shows.
    package init(_ pairs: [EtcdKeyValue], keys: FleetKeys, here: [FleetPath: Int64] = [:], at now: WallTime) {
        var pushes: [FleetPath: EtcdKeyValue] = [:]
        var members: [String] = []
        var widgets: [FleetPath: [FleetKeys.Part: EtcdKeyValue]] = [:]
        for pair in pairs {
            switch keys.subject(of: pair.key) {
            case .member?: members.append(Self.member(pair))
            case .widget(let path, let part)?: widgets[path, default: [:]][part] = pair
            case .pushed(let path)?:
                pushes[path] = pair
                widgets[path, default: [:]] = widgets[path] ?? [:]
            case .shared?, nil: break
            }
        }
        var lines = [members.count.counted("machine")]
        lines += members.sorted().map { "  \($0)" }
        lines.append(widgets.count.counted("widget"))
        for (path, parts) in widgets.sorted(by: { $0.key.text < $1.key.text }) {
            lines.append("  \(path.id) (\(path.scope), \(path.hash))")
            lines += Self.widget(parts, here: here[path], at: now).map { "    \($0)" }
            if let push = pushes[path].flatMap(Self.push) { lines.append("    \(push)") }
        }
        text = lines.map { "\($0)\n" }.joined()
    }

    private static func field(_ pair: EtcdKeyValue) -> JSONField? {
        (try? JSON.parse(pair.value, maxValues: ContentLimits.values + 16)).map {
            JSONField(root: $0, isTolerant: true)
        }
    }

    private static func member(_ pair: EtcdKeyValue) -> String {
        guard let field = field(pair), let member = try? FleetMember(field) else {
            return "something that is not a member"
        }
        let priority = field.value["priority"]?.intValue ?? 0
        return member.name + (priority == 0 ? "" : ", priority \(priority)")
    }

    private static func push(_ pair: EtcdKeyValue) -> String? {
        guard let push = field(pair).flatMap({ try? FleetPush($0) }), push.content != nil else { return nil }
        return "pushed by \(push.member ?? "an unknown machine")"
    }

    private static func widget(
        _ parts: [FleetKeys.Part: EtcdKeyValue], here: Int64?, at now: WallTime
    ) -> [String] {
        var lines: [String] = []
        if let pair = parts[.record] {
            do throws(JSONMismatch) {
                guard let field = field(pair) else { throw JSONMismatch(path: "", reason: "it is not JSON") }
                let record = try FleetRecord(field)
                let age = max(.zero, now - record.date).text
                let failure = record.failure.map { ": \($0)" } ?? ""
                lines.append(
                    "revision \(pair.revision), by \(record.member.name), \(age) ago by its clock: \(record.kind.rawValue)\(failure)"
                )
            } catch {
                lines.append("revision \(pair.revision): not understood: \(error)")
            }
        }
        if let here, let newest = parts[.record]?.revision, here < newest {
            lines.append("this machine still shows revision \(here)")
        }
        if let holder = parts[.claim].flatMap(field).flatMap({ try? FleetMember($0) }) {
            lines.append("\(holder.name) runs it")
        } else {
            lines.append(parts[.rest] == nil ? "due" : "rests")
        }
        return lines
    }
}
