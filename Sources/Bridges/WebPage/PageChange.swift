// SPDX-License-Identifier: MIT

import JSON
import TodayModel

/// A change that the page may ask for. The commands of items are not among them: a host executes them as the user who chose
/// them, and the page does not know who that is.
package enum PageChange: Hashable, Sendable {
    /// `isLocked`: the page belongs to a screen locker.
    case press(WidgetID, action: String, isLocked: Bool)
    case mode(WidgetID, DisplayMode)
    case update(WidgetID)
    case move(WidgetID, Place)
    /// Shows a widget again that a choice hides.
    case show(WidgetID, Cure)
    /// Hides a widget in the place that the page shows.
    case hide(WidgetID, ExtensionPoint)
    case edit(WidgetID, EditStep)
    /// Sets settings, and takes values back.
    case settings(WidgetID, values: [String: String], unset: [String])
    /// Adds an installed widget, or an instance of a template.
    case add(WidgetID, instance: String?, values: [String: String])
    case remove(WidgetID)

    package enum Place: Hashable, Sendable {
        case up, down
        case before(WidgetID)
        case after(WidgetID)
    }

    /// - Parameter name: the last part of the path.
    init(named name: String, _ body: [UInt8]) throws(RouteRefusal) {
        guard ["press", "mode", "update", "move", "show", "hide", "edit", "settings", "add", "remove"].contains(name)
        else {
            throw RouteRefusal(404, "there is no such change")
        }
        do {
            self = try Self.read(name, JSONField(root: try JSON.parse(body, maxValues: 100)))
        } catch {
            throw RouteRefusal(400, "\(error)")
        }
    }

    private static func read(_ name: String, _ field: JSONField) throws(JSONMismatch) -> PageChange {
        let id = try field.required("id").widget()
        switch name {
        case "press":
            return .press(
                id, action: try field.required("action").string(),
                isLocked: try field.optional("locked")?.bool() ?? false)
        case "mode": return .mode(id, try field.required("mode").choice(DisplayMode.self))
        case "update": return .update(id)
        case "show": return .show(id, try field.required("cure").choice(Cure.self))
        case "hide": return .hide(id, try field.optional("point")?.choice(ExtensionPoint.self) ?? .today)
        case "settings":
            let values = try self.values(field)
            let unset = try field.optional("unset")?.strings() ?? []
            return .settings(id, values: values, unset: unset)
        case "add": return .add(id, instance: try field.optional("instance")?.string(), values: try values(field))
        case "remove": return .remove(id)
        case "edit": return .edit(id, try field.required("step").choice(EditStep.self))
        default: return .move(id, try place(field))
        }
    }

    private static func values(_ field: JSONField) throws(JSONMismatch) -> [String: String] {
        let texts = try field.required("values")
        var values: [String: String] = [:]
        for (name, _) in try texts.object() { values[name] = try texts.required(name).string() }
        return values
    }

    private static func place(_ field: JSONField) throws(JSONMismatch) -> Place {
        let to = try field.required("to")
        switch try to.string() {
        case "up": return .up
        case "down": return .down
        case "before": return .before(try field.required("other").widget())
        case "after": return .after(try field.required("other").widget())
        default: throw to.fail("is up, down, before or after")
        }
    }

    /// The method of org.todayd.Today, and its parameters.
    package var call: (method: String, parameters: JSONObject) {
        switch self {
        case .press(let id, let action, false):
            ("PerformAction", ["id": .string(id.text), "action": .string(action)])
        case .press(let id, let action, true):
            ("PerformAction", ["id": .string(id.text), "action": .string(action), "locked": true])
        case .mode(let id, let mode): ("SetDisplayMode", ["id": .string(id.text), "mode": .string(mode.rawValue)])
        case .update(let id): ("Update", ["id": .string(id.text)])
        case .show(let id, let cure): cure.call(for: id.text)
        case .hide(let id, let point): ("Disable", ["id": .string(id.text), "point": .string(point.rawValue)])
        case .edit(let id, let step): ("SetEditing", step.parameters(of: id.text))
        case .add(let id, let instance, let values): Self.adding(id, instance, values)
        case .remove(let id): ("Remove", ["id": .string(id.text)])
        case .settings(let id, let values, let unset):
            (
                "SetSettings",
                [
                    "id": .string(id.text), "values": Self.json(values),
                    "unset": .array(unset.map { .string($0) }),
                ]
            )
        case .move(let id, .up): ("Move", ["id": .string(id.text), "to": .string("up")])
        case .move(let id, .down): ("Move", ["id": .string(id.text), "to": .string("down")])
        case .move(let id, .before(let other)): Self.pass("before", id, other)
        case .move(let id, .after(let other)): Self.pass("after", id, other)
        }
    }

    private static func adding(
        _ id: WidgetID, _ instance: String?, _ values: [String: String]
    ) -> (String, JSONObject) {
        var parameters: JSONObject = ["id": .string(id.text), "values": json(values)]
        parameters["instance"] = instance.map(JSON.string)
        return ("Add", parameters)
    }

    private static func json(_ values: [String: String]) -> JSON {
        .object(JSONObject(values.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
    }

    private static func pass(_ side: String, _ id: WidgetID, _ other: WidgetID) -> (String, JSONObject) {
        ("Move", ["id": .string(id.text), "to": .string(side), "other": .string(other.text)])
    }
}
