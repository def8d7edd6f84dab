// SPDX-License-Identifier: MIT
import Glibc
import JSON
import QueryService
import Reactor
import TestSupport
import Testing
import TodayModel
import Varlink
import VarlinkInterface

@testable import SnapshotStore
@testable import TodayDaemon

/// Each method of org.todayd.Today that the daemon answers, as a client calls it. The replies are checked against the
/// interface.
@Suite struct HostMethodsTests: DaemonDeciding {
    init() { TestLoop.start() }

    private static func a(_ others: JSONObject = [:]) -> JSONObject {
        JSONObject([("id", "org.test.a")] + others.map { ($0.key, $0.value) })
    }

    private static let settings = "[Settings]\nCOUNT=number label=\"How many\" default=10 min=1 max=50\nTOKEN=secret\n"

    /// The widget a in `group.g`, whose button and picture are shown, and b in `group.b`.
    @LoopActor private func machine() async throws -> SimulatedMachine {
        var (name, text) = Self.manifest("a", "json", more: Self.settings)
        text = text.replacing(
            "[Widget]",
            with: "[Widget]\nAllowsCommands=yes\nURLSchemes=https\nExtensionPoint=today lock-screen")
        let machine = try SimulatedMachine([(name, text), Self.manifest("b", "json", groups: "group.b")])
        await machine.settle()
        var content = Self.button
        content.percentage = 42
        await machine.finishAll(.newData(content))
        return machine
    }

    private static let interface = InterfaceDescription(constant: Interfaces.today)

    @Test @LoopActor func everyDeclaredMethodIsImplementedAndTakesTheDeclaredParameters() async throws {
        let service = try await machine().daemon.service
        let tables = [
            (service.methods, Self.interface),
            (service.contextMethods, InterfaceDescription(constant: Interfaces.extensionContext)),
        ]
        for (methods, interface) in tables {
            #expect(Set(methods.keys) == Set(interface.methods.map(\.name)))
            for method in interface.methods {
                #expect(methods[method.name]?.parameterNames == method.input.map(\.name), "\(method.name)")
            }
        }
    }

    private static let wrong: [(method: String, parameters: JSONObject, parameter: String)] = [
        ("Enable", ["id": nil], "id"), ("Disable", [:], "id"), ("Update", ["id": true], "id"),
        ("HasContent", [:], "id"), ("SetHasContent", a(), "hasContent"),
        ("SetHasContent", a(["hasContent": "yes"]), "hasContent"),
        ("SetHasContent", a(["hasContent": true, "has": 1]), "has"), ("Move", a(["to": "left"]), "to"),
        ("Move", a(["to": "before"]), "other"), ("Move", a(["to": "after"]), "other"),
        ("Move", a(["to": "down", "other": "org.test.b"]), "other"),
        ("Move", a(["to": "first", "other": "org.test.b"]), "other"), ("SetDisplayMode", a(["mode": "huge"]), "mode"),
        ("Enable", a(["point": "page"]), "point"), ("PerformAction", a(), "action"),
        ("PerformAction", a(["action": "press", "locked": 1]), "locked"), ("SetEditing", a(), "editing"),
        ("SetEditing", a(["editing": true, "cancel": true]), "cancel"), ("Push", a(["ttl": 0]), "ttl"),
        ("Push", a(["ttl": 1.5]), "ttl"), ("SetDefaults", ["group": "g", "key": "k", "value": 3], "value"),
        ("SetDefaults", ["group": "g", "key": "k", "value": ["v": 3]], "value"), ("Reload", ["now": true], "now"),
        ("SetSettings", a(), "values"), ("SetSettings", a(["values": ["CITY": 1]]), "values"),
        ("SetSettings", a(["values": [:], "unset": [1]]), "unset"), ("SetSettings", ["values": [:]], "id"),
        ("History", a(["last": -1]), "last"), ("History", a(["last": 1.5]), "last"),
        ("History", a(["name": 1]), "name"), ("OpenURL", a(), "url"),
        ("OpenURL", a(["url": "https://x", "locked": 1]), "locked"),
        ("PrepareCommand", a(["command": "true"]), "command"),
        ("PrepareCommand", a(["command": [["a"]]]), "command"), ("PrepareCommand", a(["command": nil]), "command"),
        ("Picture", a(), "image"),
    ]

    @Test @LoopActor func aWrongParameterIsNamed() async throws {
        let client = try await DaemonClient(of: machine())
        for row in Self.wrong {
            #expect(
                try await client.error(of: row.method, row.parameters) == .invalidParameter(row.parameter),
                "\(row.method) \(row.parameters)")
        }
    }

    @Test @LoopActor func anUnknownWidgetIsNamed() async throws {
        let client = try await DaemonClient(of: machine())
        let others: [String: JSONObject] = [
            "SetHasContent": ["hasContent": true], "SetDisplayMode": ["mode": "compact"], "Move": ["to": "up"],
            "SetSettings": ["values": [:]], "PerformAction": ["action": "a"],
            "SetEditing": ["editing": true], "OpenURL": ["url": "https://x"], "PrepareCommand": ["command": ["x"]],
            "Picture": ["image": "x"],
        ]
        for method in Self.interface.methods where method.input.contains(where: { $0.name == "id" }) {
            var parameters = others[method.name] ?? [:]
            parameters["id"] = "org.test.c"
            let error = try #require(try await client.error(of: method.name, parameters), "\(method.name)")
            #expect(error.name == "org.todayd.Today.NoSuchWidget", "\(method.name)")
            #expect(Self.interface.check(error.parameters, against: .error("NoSuchWidget")) == nil)
        }
        #expect(
            try await client.error(of: "SetDefaults", ["group": "group.none", "key": "k"])
                == VarlinkError(name: "org.todayd.Today.NoSuchGroup", parameters: ["group": "group.none"]))
    }

    // MARK: Changes

    @Test @LoopActor func choicesAreMade() async throws {
        let machine = try await machine()
        let client = try await DaemonClient(of: machine)
        let id = try widget()
        let rows: [(method: String, parameters: JSONObject, choice: (Choices) -> Bool)] = [
            ("SetHasContent", ["hasContent": false], { !$0.hasContent }),
            ("SetHasContent", ["hasContent": true], { $0.hasContent }), ("Disable", [:], { $0.enabled == false }),
            ("Enable", [:], { $0.enabled == true }), ("SetDisplayMode", ["mode": "expanded"], { $0.mode == .expanded }),
            ("Enable", ["point": "lock_screen"], { $0.places == [.lockScreen: true] }),
            ("Disable", ["point": "lock_screen"], { $0.places == [.lockScreen: false] }),
            ("Disable", ["point": "today"], { $0.enabled != false && $0.places[.today] == false }),
        ]
        for row in rows {
            #expect(try await client.call(row.method, Self.a(row.parameters)) == [:])
            #expect(row.choice(machine.daemon.store.choices(of: id)), "\(row.method)")
            #expect(
                try await client.call("HasContent", Self.a())["hasContent"]
                    == .bool(machine.daemon.store.choices(of: id).hasContent))
        }
        let position = try await client.call("Move", Self.a(["to": "last"]))
        #expect(position == ["position": 1] && machine.daemon.catalog.widgets().last == id)
        for (to, place) in [("up", 0), ("down", 1), ("first", 0)] {
            #expect(try await client.call("Move", Self.a(["to": .string(to)])) == ["position": JSON(place)])
        }
        for (to, place) in [("after", 1), ("before", 0)] {
            let parameters = Self.a(["to": .string(to), "other": "org.test.b"])
            #expect(try await client.call("Move", parameters) == ["position": JSON(place)])
        }
        #expect(try await client.error(of: "SetDisplayMode", ["id": "org.test.b", "mode": "expanded"]) == nil)
        machine.daemon.store.close()
        #expect(try await client.error(of: "Enable", Self.a())?.name == "org.todayd.Today.NotStored")
    }

    @Test @LoopActor func contentIsPushedInTheNameOfItsClient() async throws {
        let machine = try await machine()
        let client = try await DaemonClient(of: machine)
        let id = try widget()
        func pushed() -> Layers.Pushed? { machine.daemon.store.layers(of: id).pushed }
        _ = try await client.call("Push", Self.a(["content": ["text": "x"]]))
        let taken = machine.now.wall
        #expect(pushed() == Layers.Pushed(Content(text: "x"), taken: taken, by: "user \(getuid())"))
        machine.runner.origins = { _, _ in .widget(id) }
        machine.daemon.catalog.origins = [:]
        _ = try await client.call("Push", Self.a(["content": ["text": "y"], "ttl": 7]))
        #expect(
            pushed()
                == Layers.Pushed(
                    Content(text: "y"), taken: taken, expires: WallTime(microseconds: taken.microseconds + 7),
                    by: "org.test.a"))
        _ = try await client.call("Push", Self.a())
        #expect(pushed() == nil)
        let wrong: JSON = [
            "text": "x", "compact": ["type": "vstack", "children": [["type": "progress", "value": "9"]]],
        ]
        let error = try await client.error(of: "Push", Self.a(["content": wrong]))
        #expect(error?.name == "org.todayd.Today.InvalidContent")
        #expect(error?.parameters["field"] == "compact.children[0].value")
    }

    @Test @LoopActor func defaultsAreSetInTheNameOfTheirWriter() async throws {
        let machine = try await machine()
        let id = try widget()
        var writers: [WidgetID?] = []
        machine.daemon.store.onReport = { if case .defaults(let groups) = $0 { writers += groups["group.g"] ?? [] } }
        let parameters: JSONObject = ["group": "group.g", "key": "k", "value": ["value": 2.5]]
        let client = try await DaemonClient(of: machine)
        _ = try await client.call("SetDefaults", parameters)
        #expect(machine.daemon.store.defaults(of: "group.g") == ["k": 2.5])
        machine.runner.origins = { _, _ in .widget(id) }
        machine.daemon.catalog.origins = [:]
        _ = try await client.call("SetDefaults", ["group": "group.g", "key": "k"])
        #expect(machine.daemon.store.defaults(of: "group.g") == [:])
        #expect(writers == [nil, id])
    }

    @Test @LoopActor func settingsAreSetTogetherAndListedWithoutSecrets() async throws {
        let machine = try await machine()
        let client = try await DaemonClient(of: machine)
        let values: JSON = ["COUNT": "20", "TOKEN": "hunter2"]
        #expect(try await client.call("SetSettings", Self.a(["values": values, "unset": nil])) == [:])
        let count: JSON = [
            "name": "COUNT", "type": "number", "label": "How many", "default": "10", "min": 1.0, "max": 50.0,
            "isSet": true, "value": "20",
        ]
        let token: JSON = ["name": "TOKEN", "type": "secret", "isSet": true]
        #expect(try await client.call("Settings", Self.a())["settings"] == [count, token])
        let refused = try await client.error(of: "SetSettings", Self.a(["values": ["COUNT": "x"]]))
        #expect(refused == .refused("COUNT: \"x\" is not a number such as 10, -3 or 0.5"))
        _ = try await client.call("SetSettings", Self.a(["values": [:], "unset": ["COUNT", "TOKEN"]]))
        #expect(try machine.daemon.store.settings(of: widget()).isEmpty)
    }

    @Test @LoopActor func numbersComeWithTheirDates() async throws {
        let client = try await DaemonClient(of: machine())
        let series = try await client.call("History", Self.a(["name": "percentage", "last": 1]))["series"]
        #expect(series?.arrayValue?.first?["samples"]?.arrayValue?.map { $0["value"] } == [42.0])
        #expect(try await client.call("History", Self.a(["name": "none"]))["series"] == [])
    }

    @Test @LoopActor func aReloadReadsEverythingAndReturnsTheComplaints() async throws {
        let machine = try await machine()
        try machine.directory.write("[Daemon]\nColums=40\n", to: "widgets/todayd.conf")
        try machine.directory.write("[Update]\nNo=1\n", to: "widgets/org.test.c.widget")
        let reply = try await DaemonClient(of: machine).call("Reload")
        #expect(reply["widgets"] == 3)
        let complaints = (reply["complaints"]?.arrayValue ?? []).compactMap(\.stringValue)
        #expect(complaints.count > 1 && complaints == complaints.sorted())
        for part in ["todayd.conf:2", "org.test.c.widget:2"] { #expect(complaints.contains { $0.contains(part) }) }
    }

    // MARK: Runs

    @Test @LoopActor func interactionsReachTheWidget() async throws {
        let machine = try await machine()
        let client = try await DaemonClient(of: machine)
        let rows: [(method: String, parameters: JSONObject, interaction: Interaction)] = [
            ("PerformAction", ["action": "press"], .action("press")),
            ("PerformAction", ["action": "press", "locked": true], .action("press", isLocked: true)),
            ("SetEditing", ["editing": true, "cancel": false], .beginEditing),
            ("SetEditing", ["editing": false, "cancel": true], .endEditing(isCancelled: true)),
            ("SetEditing", ["editing": true], .beginEditing),
            ("SetEditing", ["editing": false], .endEditing(isCancelled: false)),
        ]
        for row in rows {
            try client.send(row.method, Self.a(row.parameters))
            for _ in 0..<3 { await machine.settle() }
            let request = try #require(machine.runner.running.values.first?.request, "\(row)")
            #expect(request.interaction == row.interaction)
            await machine.finish(request.run, .newData(Self.button))
            let answers = try await client.news().compactMap { $0["answer"]?["answer"]?.stringValue }
            #expect(answers == ["newData"])
            await machine.finishAll(.newData(Self.button))
        }
        let error = try await client.error(of: "PerformAction", Self.a(["action": "none"]))
        #expect(error?.name == "org.todayd.Today.Refused")
    }

    /// A manifest that was just written counts, even before the registry is told of it.
    @Test @LoopActor func anUpdateOfAllIsOfAllOnDisk() async throws {
        let machine = try await machine()
        let client = try await DaemonClient(of: machine)
        let (name, text) = Self.manifest("c", "json")
        try machine.directory.write(text, to: "widgets/\(name)")
        let answers = try await client.follow("Update")["answers"]?.arrayValue ?? []
        #expect(answers.compactMap { $0["id"]?.stringValue }.sorted() == ["org.test.a", "org.test.b", "org.test.c"])
    }

    /// A locker opens no link and executes no command.
    @Test @LoopActor func whileLockedNothingIsOpened() async throws {
        let client = try await DaemonClient(of: machine())
        let url: JSONObject = Self.a(["url": "https://example.org"])
        #expect(try await client.call("OpenURL", url) == [:])
        let refused = try await client.error(of: "OpenURL", Self.a(["url": "mailto:x"]))
        #expect(refused?.name == "org.todayd.Today.Refused")
        let command = Self.a(["command": ["true"]])
        #expect(try await client.error(of: "PrepareCommand", command) != .refused(Refusal.whileLocked))
        for (method, parameters) in [("OpenURL", url), ("PrepareCommand", command)] {
            var parameters = parameters
            parameters["locked"] = true
            #expect(try await client.error(of: method, parameters) == .refused(Refusal.whileLocked))
        }
    }

    // MARK: Permission

    private static let needs: [(method: String, parameters: JSONObject, ofItsWidget: Bool)] = [
        ("SetHasContent", a(["hasContent": true]), true), ("Push", a(), true),
        ("Update", a(), true), ("PerformAction", a(["action": "press"]), true),
        ("SetDefaults", ["group": "group.g", "key": "k"], true), ("Enable", a(), false), ("Disable", a(), false),
        ("Move", a(["to": "up"]), false), ("SetDisplayMode", a(["mode": "compact"]), false),
        ("Enable", a(["point": "today"]), false), ("Settings", a(), false),
        ("SetSettings", a(["values": [:]]), false), ("PrepareCommand", a(["command": ["true"]]), false),
        ("Update", [:], false), ("Reload", [:], false),
    ]

    /// A process of a run acts as its widget: it changes its state and its groups, and chooses nothing for the user.
    @Test @LoopActor func whatAWidgetMayChangeIsItsOwn() async throws {
        let machine = try await machine()
        machine.onStart = { [unowned machine] in machine.runner.finish($0.run, .noData) }
        let client = try await DaemonClient(of: machine)
        for origin in ["org.test.a", "org.test.b", nil] {
            let id = origin.flatMap { WidgetID($0) }
            machine.runner.origins = { _, _ in id.map { .widget($0) } ?? .unknown }
            machine.daemon.catalog.origins = [:]
            for row in Self.needs {
                let isAllowed = row.ofItsWidget && origin == "org.test.a"
                let error = try await client.error(of: row.method, row.parameters)
                #expect((error == .permissionDenied) != isAllowed, "\(origin ?? "unknown"): \(row.method)")
            }
            for editing in [true, false] {
                let error = try await client.error(of: "SetEditing", Self.a(["editing": .bool(editing)]))
                #expect(
                    error == (origin == "org.test.a" ? .refused("a widget does not edit itself") : .permissionDenied))
            }
            for (method, parameters) in [
                ("HasContent", Self.a()), ("History", Self.a()), ("OpenURL", Self.a(["url": "https://x"])),
            ] as [(String, JSONObject)] {
                #expect(try await client.error(of: method, parameters) == nil, "\(method)")
            }
        }
    }

    /// In the system's instance, the user of the containing app acts for its widget; the commands are for no user.
    @Test @LoopActor func theUserOfAnAppActsForItsWidgets() async throws {
        let machine = try await machine()
        machine.daemon.catalog.permissions = Permissions(instance: .user, owner: getuid() &+ 1)
        let client = try await DaemonClient(of: machine)
        let isRoot = getuid() == 0
        let error = try await client.error(of: "PrepareCommand", Self.a(["command": ["true"]]))
        #expect(error == .permissionDenied)
        #expect((try await client.error(of: "Enable", Self.a()) == nil) == isRoot)
    }
}
