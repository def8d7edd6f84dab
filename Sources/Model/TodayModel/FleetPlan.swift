// SPDX-License-Identifier: MIT
import JSON

/// `[Fleet]`: one run of the widget is for many machines. today-fleet decides which of them runs it (docs/fleet.md).
package struct FleetPlan: Hashable, Sendable {
    package enum Scope: String, CaseIterable, Sendable {
        /// All machines.
        case fleet
        /// Those of one place, which today-fleet knows.
        case site
    }

    /// What the widget does while the fleet is out of reach.
    package enum Alone: String, CaseIterable, Sendable {
        case stale, run
    }

    package var scope: Scope
    package var alone = Alone.stale
    /// Of all that the manifest's files say: machines with other files do not share a run.
    package var hash: UInt64 = 0

    package init(_ scope: Scope) { self.scope = scope }
}

/// Which machine of a fleet has run a widget last, and at which revision the fleet has accepted that.
package struct FleetOrigin: Hashable, Sendable {
    package var member: String
    package var revision: Int64

    package init(member: String, revision: Int64) { (self.member, self.revision) = (member, revision) }

    package var json: JSON { ["member": .string(member), "revision": .int(revision)] }

    package init(_ field: JSONField) throws(JSONMismatch) {
        member = try field.required("member").string()
        revision = Int64(try field.required("revision").int())
    }
}
