// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// The keys of a fleet in etcd:
///
///     PREFIX/m/MEMBER                 a member, under its lease
///     PREFIX/w/SCOPE/ID/HASH/record   what was accepted last of a widget
///     PREFIX/w/SCOPE/ID/HASH/claim    who runs it, under the lease of that member
///     PREFIX/w/SCOPE/ID/HASH/rest     until it is over, the widget is not due
///     PREFIX/s/has-content/SCOPE/ID/HASH, PREFIX/s/defaults/GROUP    values that all machines share
///     PREFIX/s/push/SCOPE/ID/HASH     what was pushed to all machines
///
/// SCOPE is `fleet`, or `site:NAME`. HASH is that of the manifest: what different programs print is never mixed.
package struct FleetKeys: Hashable, Sendable {
    package enum Part: String, CaseIterable, Sendable {
        case record, claim, rest
    }

    /// What a key is of.
    package enum Subject: Hashable, Sendable {
        case member(String)
        case widget(FleetPath, Part)
        case shared(SharedValues.Name)
        case pushed(FleetPath)
    }

    package let prefix: String

    /// - Parameter prefix: without a slash at its end.
    package init(prefix: String) { self.prefix = prefix }

    package func key(of member: FleetMember) -> String { "\(prefix)/m/\(member.id)" }

    package func key(of path: FleetPath, _ part: Part) -> String { "\(prefix)/w/\(path.text)/\(part.rawValue)" }

    package func key(of name: SharedValues.Name) -> String { "\(prefix)/s/\(name.text)" }

    package func keyOfPush(_ path: FleetPath) -> String { "\(prefix)/s/push/\(path.text)" }

    /// All keys of the fleet begin with this.
    package var all: String { prefix + "/" }

    /// Nil for a key that is not one of these.
    package func subject(of key: String) -> Subject? {
        guard key.hasPrefix(all) else { return nil }
        let parts = key.dropFirst(all.count).split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        switch parts.first {
        case "m" where parts.count == 2: return .member(parts[1])
        case "w" where parts.count == 5:
            guard let part = Part(rawValue: parts[4]), let id = WidgetID(parts[2]) else { return nil }
            return .widget(FleetPath(scope: parts[1], id: id, hash: parts[3]), part)
        case "s" where parts.count == 5 && parts[1] == "push":
            return WidgetID(parts[3]).map { .pushed(FleetPath(scope: parts[2], id: $0, hash: parts[4])) }
        case "s": return SharedValues.Name(Array(parts.dropFirst())).map(Subject.shared)
        default: return nil
        }
    }
}

/// Which widget of a fleet.
package struct FleetPath: Hashable, Sendable {
    package var scope: String
    package var id: WidgetID
    package var hash: String

    package init(scope: String, id: WidgetID, hash: String) { (self.scope, self.id, self.hash) = (scope, id, hash) }

    package var text: String { "\(scope)/\(id.text)/\(hash)" }

    /// A name that can be a part of a key.
    package static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64
            && text.utf8.allSatisfy { $0.isAlphanumeric || "-_.".utf8.contains($0) }
    }
}
