// SPDX-License-Identifier: MIT
import JSON
import QueryService
import Reactor
import TodayModel
import Varlink

extension Daemon {
    /// A method of the protocol: a function from a call and the daemon to its answer.
    typealias Answering = @LoopActor @Sendable (MethodCall, Daemon) throws(VarlinkError) -> Answer

    func method(_ name: String, _ parameterNames: [String] = [], _ answer: @escaping Answering) -> Method {
        Method(name, parameterNames) { [unowned self] call throws(VarlinkError) in try answer(call, self) }
    }

    /// The methods of org.todayd.Today, except those that read, which the service answers itself.
    var hostMethods: [Method] {
        [
            choice("Enable", "point") { parameters throws(VarlinkError) in
                try parameters.point().map { .shown($0, true) } ?? .enabled(true)
            },
            choice("Disable", "point") { parameters throws(VarlinkError) in
                try parameters.point().map { .shown($0, false) } ?? .enabled(false)
            },
            choice("SetDisplayMode", "mode") { parameters throws(VarlinkError) in
                .displayMode(try parameters.choice("mode"))
            },
            choice("SetHasContent", "hasContent") { parameters throws(VarlinkError) in
                .hasContent(try parameters.bool("hasContent"))
            },
            method("HasContent", ["id"]) { call, daemon throws(VarlinkError) in
                .parameters(["hasContent": .bool(daemon.store.choices(of: try call.widget()).hasContent)])
            },
            method("Move", ["id", "to", "other"], HostMethods.move),
            method("Settings", ["id"], HostMethods.settings),
            method("SetSettings", ["id", "values", "unset"], HostMethods.setSettings),
            method("SetDefaults", ["group", "key", "value"], HostMethods.setDefaults),
            method("Push", ["id", "content", "ttl"], HostMethods.push),
            method("Picture", ["id", "image"], HostMethods.picture),
            method("History", ["id", "name", "last"], HostMethods.history),
            method("Update", ["id"], HostMethods.update),
            interaction("PerformAction", ["id", "action", "locked"]) { parameters throws(VarlinkError) in
                .action(try parameters.string("action"), isLocked: try parameters.flag("locked"))
            },
            interaction("SetEditing", ["id", "editing", "cancel"]) { parameters throws(VarlinkError) in
                let begins = try parameters.bool("editing")
                let isCancelled = try parameters.flag("cancel")
                if begins, isCancelled { throw .invalidParameter("cancel") }
                return begins ? .beginEditing : .endEditing(isCancelled: isCancelled)
            },
            method("OpenURL", ["id", "url", "locked"], HostMethods.openURL),
            method("PrepareCommand", ["id", "command", "locked"], HostMethods.prepareCommand),
            method("Reload") { call, daemon throws(VarlinkError) in
                try call.require(.everything)
                let registry = daemon.registry
                registry.reload()
                let complaints = registry.complaints + registry.widgets.values.flatMap(\.complaints)
                return .parameters([
                    "widgets": JSON(registry.widgets.count), "complaints": JSON(complaints.map(\.description).sorted()),
                ])
            },
        ].map(\.askingThePolicy)
    }

    /// A method that sets one choice about one widget. A containing app sets the has-content flag, the user decides
    /// everything else.
    private func choice(
        _ name: String, _ parameter: String? = nil,
        _ read: @escaping @Sendable (Parameters) throws(VarlinkError) -> Choice
    ) -> Method {
        method(name, parameter.map { ["id", $0] } ?? ["id"]) { call, daemon throws(VarlinkError) in
            let choice = try read(call.parameters)
            let widget = try call.widget()
            if case .hasContent = choice { try call.require(.widget(widget)) } else { try call.require(.choices) }
            return .afterwards { daemon.change(.choice(widget, choice), then: $0) }
        }
    }

    /// A method that runs a widget for something other than an update.
    private func interaction(
        _ name: String, _ parameterNames: [String],
        _ read: @escaping @Sendable (Parameters) throws(VarlinkError) -> Interaction
    ) -> Method {
        method(name, parameterNames) { call, daemon throws(VarlinkError) in
            let interaction = try read(call.parameters)
            let widget = try call.changeableWidget()
            if interaction.isForbiddenToWidgets, daemon.catalog.isOfRun(call.peer) {
                throw .refused("a widget does not edit itself")
            }
            return try call.answer({ ["answer": $0.first?.json ?? .null] }) { listener throws(VarlinkError) in
                try call.refusing { () throws(Refusal) in
                    [try daemon.perform(interaction, of: widget, listener: listener)]
                }
            }
        }
    }
}

/// The longer methods of org.todayd.Today, each a function from a call and the daemon to its answer.
@LoopActor
private enum HostMethods {
    private enum Destination: String, CaseIterable {
        case first, last, up, down, before, after
    }

    static func move(_ call: MethodCall, _ daemon: Daemon) throws(VarlinkError) -> Answer {
        let destination: Destination = try call.parameters.choice("to")
        let other = try call.parameters.optionalString("other")
        let needsOther = destination == .before || destination == .after
        guard needsOther == (other != nil) else { throw .invalidParameter("other") }
        let widget = try call.choosableWidget()
        let placement: Placement
        switch destination {
        case .first: placement = .first
        case .last: placement = .last
        case .up: placement = .up
        case .down: placement = .down
        case .before: placement = .before(try call.widget(other ?? ""))
        case .after: placement = .after(try call.widget(other ?? ""))
        }
        let change = Change.move(widget, placement, among: daemon.catalog.neighbours(of: widget, for: placement))
        return .later { done in
            daemon.change(change) { result in
                done(result.map { ["position": JSON(daemon.catalog.position(of: widget))] })
            }
        }
    }

    /// The settings of a widget with their values, except those of secrets. A widget reads its own in its extension context.
    static func settings(_ call: MethodCall, _ daemon: Daemon) throws(VarlinkError) -> Answer {
        let widget = try call.choosableWidget()
        let settings = try call.refusing { () throws(Refusal) in try daemon.catalog.settings(of: widget) }
        return .parameters([
            "settings": .array(settings.own.map(\.json)), "face": .array(settings.face.map(\.json)),
        ])
    }

    static func setSettings(_ call: MethodCall, _ daemon: Daemon) throws(VarlinkError) -> Answer {
        guard let values = try call.parameters.texts("values") else { throw .invalidParameter("values") }
        let unset = try call.parameters.optional("unset") { field throws(JSONMismatch) in try field.strings() } ?? []
        let widget = try call.choosableWidget()
        let change = try call.refusing { () throws(Refusal) in
            try daemon.catalog.settingsChange(values, unset: unset, of: widget)
        }
        return .afterwards { daemon.change(change, then: $0) }
    }

    static func setDefaults(_ call: MethodCall, _ daemon: Daemon) throws(VarlinkError) -> Answer {
        let key = try call.parameters.string("key")
        let value = try call.parameters.boxedValue("value")
        let group = try call.group()
        try call.require(.group(group))
        let writer = daemon.catalog.widget(of: call.peer)
        return .afterwards { daemon.change(.defaults(group: group, key: key, value: value, writer: writer), then: $0) }
    }

    /// Gives a widget content from outside, or removes it.
    static func push(_ call: MethodCall, _ daemon: Daemon) throws(VarlinkError) -> Answer {
        let timeToLive = try call.parameters.span("ttl", atLeast: 1)
        let content = try call.parameters.content("content")
        let widget = try call.changeableWidget()
        guard let content else { return .afterwards { daemon.change(.takeBack(widget), then: $0) } }
        let now = daemon.catalog.now.wall
        // A user is named by number, because looking up a name may use the network.
        let client = daemon.catalog.widget(of: call.peer)?.text ?? "user \(call.peer.uid)"
        let pushed = Layers.Pushed(content, taken: now, expires: timeToLive.map { now + $0 }, by: client)
        return .afterwards { daemon.change(.push(widget, pushed), then: $0) }
    }

    /// The bytes of a picture that an item of `Show` names.
    static func picture(_ call: MethodCall, _ daemon: Daemon) throws(VarlinkError) -> Answer {
        let image = try call.parameters.string("image")
        let widget = try call.widget()
        let picture = try call.refusing { () throws(Refusal) in try daemon.catalog.picture(image, of: widget) }
        return .parameters(["png": .string(picture)])
    }

    /// The last values of a widget's numbers.
    static func history(_ call: MethodCall, _ daemon: Daemon) throws(VarlinkError) -> Answer {
        let series = try call.parameters.optionalString("name")
        let last = try call.parameters.optional("last") { field throws(JSONMismatch) in
            try field.int(in: 0...Int(Int32.max))
        }
        return .bytes(daemon.store.numbers(of: try call.widget()).reply(series, last: last))
    }

    /// Runs the perform-update of one widget, or of all that may run.
    static func update(_ call: MethodCall, _ daemon: Daemon) throws(VarlinkError) -> Answer {
        let isOfAll = try call.parameters.optionalString("id") == nil
        daemon.catalog.catchUp()
        if isOfAll { try call.require(.everything) }
        let widget = isOfAll ? nil : try call.changeableWidget()
        return try call.answer(streams: true, { ["answers": .array($0.map(\.json))] }) {
            daemon.update(widget, listener: $0)
        }
    }

    /// Whether a host may open a URL for a widget.
    static func openURL(_ call: MethodCall, _ daemon: Daemon) throws(VarlinkError) -> Answer {
        let url = try call.parameters.string("url")
        if try call.parameters.flag("locked") { throw .refused(Refusal.whileLocked) }
        let widget = try call.widget()
        if let reason = daemon.catalog.refusal(ofOpening: url, for: widget) { throw .refused(reason) }
        return .parameters([:])
    }

    /// The directory and the variables with which a host executes a command of what a widget shows now.
    static func prepareCommand(_ call: MethodCall, _ daemon: Daemon) throws(VarlinkError) -> Answer {
        let command = try call.parameters.required("command") { field throws(JSONMismatch) in try field.strings() }
        let isLocked = try call.parameters.flag("locked")
        let widget = try call.widget()
        try call.require(.commands)
        if isLocked { throw .refused(Refusal.whileLocked) }
        let launch = try call.refusing { () throws(Refusal) in try daemon.catalog.launch(of: command, of: widget) }
        return .parameters(launch.json)
    }
}
