// SPDX-License-Identifier: MIT
import JSON
import Reactor
import Spelling
import TodayModel
import Varlink

extension MethodCall {
    /// The widget whose context this is. The service calls these methods only on a context.
    var own: WidgetID {
        get throws(VarlinkError) {
            guard let widget else { throw .permissionDenied }
            return widget
        }
    }

    /// The group with this identifier, if it is one of the widget's; without an identifier, the widget's only group.
    func ownGroup(_ name: String?) throws(VarlinkError) -> AppGroup {
        let groups = backend.description(of: try own)?.groups ?? []
        if let name, let group = AppGroup(name), groups.contains(group) { return group }
        if name == nil, let group = groups.first, groups.count == 1 { return group }
        throw .contextError("NoSuchGroup", name.map { ["group": .string($0.shortened(to: 200))] } ?? [:])
    }
}

/// The methods of org.todayd.ExtensionContext: what a widget may ask and change as itself.
enum ExtensionContext {
    /// org.todayd.ExtensionContext.Describe: what the daemon knows about the widget.
    struct Describe: Method {
        static let name = "Describe"
        static let parameterNames: [String] = []

        init(_ parameters: Parameters) {}

        func answer(to call: MethodCall) throws(VarlinkError) -> Answer {
            let id = try call.own
            guard let known = call.backend.description(of: id) else {
                throw call.service.error(for: .noSuchWidget(id), of: id)
            }
            return .parameters([
                "id": .string(id.text), "mode": .string(known.mode.rawValue),
                "largestMode": .string(known.largestMode.rawValue), "compact": Self.json(known.sizes[.compact]),
                "expanded": Self.json(known.sizes[.expanded]), "groups": JSON(known.groups.map(\.text)),
                "schemes": JSON(known.schemes),
                "settings": .object(
                    JSONObject(known.settings.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
            ])
        }

        private static func json(_ size: Size) -> JSON { ["columns": JSON(size.columns), "rows": JSON(size.rows)] }
    }

    /// org.todayd.ExtensionContext.SetHasContent: shows the widget, or hides it and stops launching it.
    struct SetHasContent: Method {
        static let name = "SetHasContent"
        static let parameterNames = ["hasContent"]

        let hasContent: Bool

        init(_ parameters: Parameters) throws(VarlinkError) { hasContent = try parameters.bool("hasContent") }

        func answer(to call: MethodCall) throws(VarlinkError) -> Answer {
            let id = try call.own
            return .afterwards { call.backend.change(.choice(id, .hasContent(hasContent)), then: $0) }
        }
    }

    /// org.todayd.ExtensionContext.HasContent: the has-content flag.
    struct HasContent: Method {
        static let name = "HasContent"
        static let parameterNames: [String] = []

        init(_ parameters: Parameters) {}

        func answer(to call: MethodCall) throws(VarlinkError) -> Answer {
            .parameters(["hasContent": .bool(call.backend.hasContent(try call.own) ?? true)])
        }
    }

    /// org.todayd.ExtensionContext.SetLargestDisplayMode: the largest display mode for now.
    struct SetLargestDisplayMode: Method {
        static let name = "SetLargestDisplayMode"
        static let parameterNames = ["mode"]

        let mode: DisplayMode

        init(_ parameters: Parameters) throws(VarlinkError) {
            mode = try parameters.required("mode") { field throws(JSONMismatch) in try field.choice(DisplayMode.self) }
        }

        func answer(to call: MethodCall) throws(VarlinkError) -> Answer {
            call.backend.setLargestDisplayMode(mode, of: try call.own, context: call.session)
            return .parameters([:])
        }
    }

    /// org.todayd.ExtensionContext.OpenURL: opens the containing app.
    struct OpenURL: Method {
        static let name = "OpenURL"
        static let parameterNames = ["url"]

        let url: String

        init(_ parameters: Parameters) throws(VarlinkError) { url = try parameters.string("url") }

        func answer(to call: MethodCall) throws(VarlinkError) -> Answer {
            if let reason = call.backend.openURL(url, for: try call.own) {
                throw .contextError("URLRefused", ["reason": .string(reason)])
            }
            return .parameters([:])
        }
    }

    /// org.todayd.ExtensionContext.GetDefaults: the defaults of one of the widget's groups.
    struct GetDefaults: Method {
        static let name = "GetDefaults"
        static let parameterNames = ["group"]

        let group: String?

        init(_ parameters: Parameters) throws(VarlinkError) { group = try parameters.optionalString("group") }

        func answer(to call: MethodCall) throws(VarlinkError) -> Answer {
            let group = try call.ownGroup(group)
            if call.wantsMore { return .stream(call.service.feeds.defaultsFeed(of: group)) }
            return .parameters(["values": .object(DefaultsFeed.values(of: group, in: call.backend))])
        }
    }

    /// org.todayd.ExtensionContext.SetDefaults: sets one value of a group's defaults, or removes it.
    struct SetDefaults: Method {
        static let name = "SetDefaults"
        static let parameterNames = ["group", "key", "value"]

        let group: String?
        let key: String
        let value: JSON?

        init(_ parameters: Parameters) throws(VarlinkError) {
            group = try parameters.optionalString("group")
            key = try parameters.string("key")
            value = try parameters.boxedValue("value")
        }

        func answer(to call: MethodCall) throws(VarlinkError) -> Answer {
            let group = try call.ownGroup(group)
            return .afterwards {
                call.backend.change(
                    .defaults(group: group, key: key, value: value, writer: call.widget), then: $0)
            }
        }
    }
}
