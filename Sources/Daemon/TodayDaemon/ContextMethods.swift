// SPDX-License-Identifier: MIT
import JSON
import QueryService
import Reactor
import Spelling
import TodayModel
import Varlink

extension Daemon {
    /// The methods of org.todayd.ExtensionContext: what a widget may ask and change for itself.
    var contextMethods: [Method] {
        [
            method("Describe") { call, daemon throws(VarlinkError) in
                let id = try call.own()
                return .parameters(try call.refusing { () throws(Refusal) in try daemon.catalog.description(of: id) })
            },
            method("SetHasContent", ["hasContent"]) { call, daemon throws(VarlinkError) in
                let change = Change.choice(try call.own(), .hasContent(try call.parameters.bool("hasContent")))
                return .afterwards { daemon.change(change, then: $0) }
            },
            method("HasContent") { call, daemon throws(VarlinkError) in
                .parameters(["hasContent": .bool(daemon.store.choices(of: try call.own()).hasContent)])
            },
            method("SetLargestDisplayMode", ["mode"]) { call, daemon throws(VarlinkError) in
                let mode: DisplayMode = try call.parameters.choice("mode")
                daemon.setLargestDisplayMode(mode, of: try call.own(), context: call.session)
                return .parameters([:])
            },
            method("OpenURL", ["url"]) { call, daemon throws(VarlinkError) in
                let url = try call.parameters.string("url")
                if let reason = daemon.openURL(url, for: try call.own()) {
                    throw .contextError("URLRefused", ["reason": .string(reason)])
                }
                return .parameters([:])
            },
            method("GetDefaults", ["group"]) { call, daemon throws(VarlinkError) in
                call.defaults(of: try daemon.ownGroup(of: call))
            },
            method("SetDefaults", ["group", "key", "value"]) { call, daemon throws(VarlinkError) in
                let key = try call.parameters.string("key")
                let value = try call.parameters.boxedValue("value")
                let change = Change.defaults(
                    group: try daemon.ownGroup(of: call), key: key, value: value, writer: try call.own())
                return .afterwards { daemon.change(change, then: $0) }
            },
        ]
    }

    /// The group that a widget names, if it is one of its own; without a name, its only group.
    private func ownGroup(of call: MethodCall) throws(VarlinkError) -> AppGroup {
        let name = try call.parameters.optionalString("group")
        let groups = catalog.validManifest(of: try call.own())?.appGroups ?? []
        if let name, let group = AppGroup(name), groups.contains(group) { return group }
        if name == nil, let group = groups.first, groups.count == 1 { return group }
        throw .contextError("NoSuchGroup", name.map { ["group": .string($0.shortened(to: 200))] } ?? [:])
    }
}

extension Catalog {
    /// What a running widget can read about itself.
    func description(of id: WidgetID) throws(Refusal) -> JSONObject {
        guard let manifest = validManifest(of: id) else { throw .noSuchWidget(id) }
        func json(_ mode: DisplayMode) -> JSON {
            ["columns": JSON(sizes[mode].columns), "rows": JSON(sizes[mode].rows)]
        }
        return [
            "id": .string(id.text), "mode": .string(mode(of: manifest).rawValue),
            "largestMode": .string(largestMode(of: manifest).rawValue), "compact": json(.compact),
            "expanded": json(.expanded), "groups": JSON(manifest.appGroups.map(\.text)),
            "schemes": JSON(manifest.urlSchemes),
            // Including secrets, which are the widget's own.
            "settings": .object(
                JSONObject(settingTexts(of: manifest).sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
        ]
    }
}
