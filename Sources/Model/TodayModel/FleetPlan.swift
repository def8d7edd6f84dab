// SPDX-License-Identifier: MIT
import JSON

/// `[Fleet]`: one run of the widget serves many machines. today-fleet decides which of them runs it (docs/fleet.md).
package struct FleetPlan: Hashable, Sendable {
    package enum Scope: String, CaseIterable, Sendable {
        /// All machines.
        case fleet
        /// The machines of one site; today-fleet knows its name.
        case site
    }

    /// What the widget does while the fleet is out of reach.
    package enum Alone: String, CaseIterable, Sendable {
        case stale, run
    }

    package var scope: Scope
    package var alone = Alone.stale
    /// A hash of everything in the manifest's files: machines with other files do not share a run.
    package var hash: UInt64 = 0

    package init(_ scope: Scope) { self.scope = scope }
}

/// The machine of a fleet that last ran a widget, and the revision at which the fleet accepted that.
package struct FleetOrigin: Hashable, WireObject {
    package var member: String
    package var revision: Int64

    package init(member: String, revision: Int64) { (self.member, self.revision) = (member, revision) }

    package static var blank: Self { FleetOrigin(member: "", revision: 0) }

    package mutating func list(_ members: inout WireMembers) {
        members("member", &member)
        members("revision", &revision)
    }
}
