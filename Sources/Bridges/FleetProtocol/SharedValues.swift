// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// Values that all machines of a fleet share: has-content flags, and the defaults of groups. Changes travel in both directions
/// between this machine and etcd; the last one counts.
package struct SharedValues: Equatable, Sendable {
    package enum Name: Hashable, Sendable {
        case hasContent(FleetPath)
        /// All defaults of a group are one value.
        case defaults(AppGroup)

        /// The name as a part of an etcd key.
        package var text: String {
            switch self {
            case .hasContent(let path): "has-content/\(path.text)"
            case .defaults(let group): "defaults/\(group.text)"
            }
        }

        /// The value that counts while etcd has none.
        var standard: JSON {
            switch self {
            case .hasContent: true
            case .defaults: [:]
            }
        }

        package init?(_ parts: [String]) {
            switch parts.first {
            case "defaults" where parts.count == 2:
                guard let group = AppGroup(parts[1]) else { return nil }
                self = .defaults(group)
            case "has-content" where parts.count == 4:
                guard let id = WidgetID(parts[2]) else { return nil }
                self = .hasContent(FleetPath(scope: parts[1], id: id, hash: parts[3]))
            default: return nil
            }
        }
    }

    package enum Step: Equatable, Sendable {
        /// Changes it in etcd.
        case put(Name, JSON)
        /// Changes it here.
        case take(Name, JSON)
    }

    /// Longer values stay here.
    static let longest = 64 << 10

    /// What todayd has.
    private var here: [Name: JSON] = [:]
    /// The values in etcd; nil before they were read.
    private var there: [Name: JSON]?
    /// The values on which both sides last agreed.
    private var agreed: [Name: JSON] = [:]

    package init() {}

    /// The fleet is out of reach: changes on this machine go to etcd later.
    package mutating func lose() { there = nil }

    package mutating func isHere(_ values: [Name: JSON]) -> [Step] {
        here = values.filter { $0.value.bytes <= Self.longest }
        agreed = agreed.filter { here[$0.key] != nil }
        return settle()
    }

    package mutating func isThere(_ values: [Name: JSON]) -> [Step] {
        there = values
        return settle()
    }

    package mutating func changedThere(_ name: Name, _ value: JSON) -> [Step] {
        guard there != nil else { return [] }
        there?[name] = value
        return settle()
    }

    /// A value that differs from the agreed one has changed. If it has changed on both sides, etcd's counts.
    private mutating func settle() -> [Step] {
        guard let there else { return [] }
        var steps: [Step] = []
        for (name, value) in here.sorted(by: { $0.key.text < $1.key.text }) {
            let common = agreed[name]
            if let other = there[name], other != common {
                agreed[name] = other
                guard other != value else { continue }
                here[name] = other
                steps.append(.take(name, other))
            } else if value != common ?? name.standard {
                agreed[name] = value
                self.there?[name] = value
                steps.append(.put(name, value))
            } else {
                agreed[name] = value
            }
        }
        return steps
    }
}
