// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// A widget of a fleet, as todayd offers it.
package struct FleetOffer: Hashable, WireReadable {
    package var id: WidgetID
    package var hash: String
    package var isOfSite: Bool
    package var hasContent: Bool
    package var plan: FleetWidget.Plan

    package init(
        id: WidgetID, hash: String, isOfSite: Bool = false, hasContent: Bool = true, plan: FleetWidget.Plan
    ) {
        (self.id, self.hash, self.isOfSite, self.hasContent, self.plan) = (id, hash, isOfSite, hasContent, plan)
    }

    /// Nil if its scope is a site and the member has none.
    package func path(site: String?) -> FleetPath? {
        guard isOfSite else { return FleetPath(scope: "fleet", id: id, hash: hash) }
        return site.map { FleetPath(scope: "site:\($0)", id: id, hash: hash) }
    }

    package static func read(_ field: JSONField) throws(JSONMismatch) -> FleetOffer { try FleetOffer(field) }

    /// Reads one of Fleet's replies.
    package init(_ field: JSONField) throws(JSONMismatch) {
        let id = try field.required("id")
        guard let widget = WidgetID(try id.string()) else { throw id.fail("is not an identifier") }
        self.id = widget
        hash = try field.required("hash").line(upTo: 64)
        isOfSite = try field.required("ofSite").bool()
        hasContent = try field.required("hasContent").bool()
        plan = FleetWidget.Plan(
            interval: try field.optional("interval")?.span(in: 1...Int.max),
            runsAlone: try field.required("runsAlone").bool(), runs: try field.required("runs").bool())
    }
}
