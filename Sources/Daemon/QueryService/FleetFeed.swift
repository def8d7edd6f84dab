// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

/// What today-fleet follows: the widgets of the fleet, and those of which an update is wanted.
@LoopActor
package final class FleetFeed: Feed {
    /// Called when the first subscriber comes and when the last one leaves.
    package var onPresence: @LoopActor (Bool) -> Void = { _ in }
    private var widgets: [JSON] = []
    private var defaults: JSONObject = [:]
    private var widgetsVersion: UInt64 = 0
    private var wanted: [WidgetID: UInt64] = [:]
    private var wasPresent = false

    package override init() { super.init() }

    /// - Returns: whether subscribers have to be told.
    package func offer(_ new: [JSON], defaults newDefaults: JSONObject) -> Bool {
        guard new != widgets || newDefaults != defaults || widgetsVersion == 0 else { return false }
        (widgets, defaults) = (new, newDefaults)
        version += 1
        widgetsVersion = version
        return true
    }

    package func want(_ id: WidgetID) {
        version += 1
        wanted[id] = version
    }

    /// An update has come.
    package func got(_ id: WidgetID) { wanted[id] = nil }

    override func subscribersChanged() {
        guard subscribers.isEmpty == wasPresent else { return }
        wasPresent.toggle()
        onPresence(wasPresent)
    }

    override func reply(since seen: UInt64) -> [UInt8]? {
        var parameters: JSONObject = [
            "wanted": .array(wanted.filter { $0.value > seen }.keys.sorted().map { .string($0.text) })
        ]
        if widgetsVersion > seen || seen == Self.nothingSeen {
            parameters["widgets"] = .array(widgets)
            parameters["defaults"] = .object(defaults)
        }
        return VarlinkReply(parameters, continues: true).encoded()
    }
}
