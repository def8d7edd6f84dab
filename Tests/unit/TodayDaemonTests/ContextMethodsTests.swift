// SPDX-License-Identifier: MIT
import JSON
import QueryService
import Reactor
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import SnapshotStore
@testable import TodayDaemon

/// What a widget may read and change on the connection that identifies it.
@Suite struct ContextMethodsTests: DaemonDeciding {
    init() { TestLoop.start() }

    private static let interface = "org.todayd.ExtensionContext"

    @LoopActor private func machine(groups: String = "group.g", _ more: String = "") async throws -> SimulatedMachine {
        let machine = try await machine("varlink", groups: groups, more: more)
        // The permissions of the socket do not apply to a context.
        machine.runner.origins = { _, _ in .unknown }
        return machine
    }

    @Test @LoopActor func aWidgetIsToldAboutItself() async throws {
        let machine = try await machine("[Settings]\nCITY=string default=Bern\nTOKEN=secret\n")
        let id = try widget()
        let change = try machine.daemon.catalog.settingsChange([("TOKEN", "hunter2")], unset: [], of: id)
        await machine.change(change)
        let widget = try DaemonClient(of: machine, as: id)
        let reply = try await widget.call("Describe")
        #expect(reply["id"] == "org.test.a" && reply["groups"] == ["group.g"])
        #expect(reply["settings"] == ["CITY": "Bern", "TOKEN": "hunter2"])
    }

    @LoopActor private func machine(_ more: String) async throws -> SimulatedMachine {
        try await machine(groups: "group.g", more)
    }

    @Test @LoopActor func aWidgetChangesItself() async throws {
        let machine = try await machine()
        let id = try widget()
        let widget = try DaemonClient(of: machine, as: id)
        _ = try await widget.call("SetDefaults", ["group": "group.g", "key": "k", "value": ["value": "v"]])
        #expect(try await widget.call("GetDefaults")["values"] == ["k": ["value": "v"]])
        _ = try await widget.call("SetDefaults", ["key": "k"])
        #expect(try await widget.call("GetDefaults", ["group": "group.g"])["values"] == [:])
        _ = try await widget.call("SetLargestDisplayMode", ["mode": "compact"])
        #expect(machine.item(id)?.largestMode == .compact)
        let refused = try await widget.error(of: "OpenURL", ["url": "other://x"])
        #expect(refused?.name == "\(Self.interface).URLRefused")
        _ = try await widget.call("SetHasContent", ["hasContent": false])
        #expect(try await widget.call("HasContent") == ["hasContent": false])
        #expect(machine.item(id)?.state == .hidden)
        for (method, parameters, name) in [
            ("SetHasContent", ["hasContent": 1], "hasContent"),
            ("SetHasContent", ["id": "x", "hasContent": true], "id"),
            ("SetLargestDisplayMode", ["mode": "huge"], "mode"), ("OpenURL", [:], "url"),
            ("SetDefaults", ["key": "k", "value": 1], "value"), ("GetDefaults", ["group": 1], "group"),
        ] as [(String, JSONObject, String)] {
            #expect(try await widget.error(of: method, parameters) == .invalidParameter(name), "\(method)")
        }
    }

    private static let groups: [(own: String, group: String?, isFound: Bool)] = [
        ("group.g", nil, true), ("group.g group.b", "group.b", true), ("group.g group.b", nil, false),
        ("group.g", "group.c", false), ("group.g", "", false), ("", nil, false),
    ]

    @Test(arguments: groups) @LoopActor func aGroupIsNamedWhereThereAreSeveral(
        _ row: (own: String, group: String?, isFound: Bool)
    ) async throws {
        let machine = try await machine(groups: row.own)
        await machine.change(.defaults(group: "group.c", key: "secret", value: 1, writer: nil))
        let widget = try DaemonClient(of: machine, as: try widget())
        let parameters: JSONObject = row.group.map { ["group": .string($0)] } ?? [:]
        for (method, others) in [("GetDefaults", [:]), ("SetDefaults", ["key": "k"])] as [(String, JSONObject)] {
            let all = JSONObject(others.map { ($0.key, $0.value) } + parameters.map { ($0.key, $0.value) })
            let error = try await widget.error(of: method, all)
            let expected = VarlinkError(name: "\(Self.interface).NoSuchGroup", parameters: parameters)
            #expect(error == (row.isFound ? nil : expected), "\(method)")
        }
        let long = try await widget.error(of: "GetDefaults", ["group": .string(String(repeating: "x", count: 201))])
        #expect(long?.parameters["group"]?.stringValue == String(repeating: "x", count: 200) + "…")
    }

    @Test @LoopActor func aWidgetWithoutManifestIsRefused() async throws {
        let machine = try await machine()
        let widget = try DaemonClient(of: machine, as: try widget("gone"))
        let gone = VarlinkError(
            name: "\(Self.interface).Refused", parameters: ["reason": "the manifest of org.test.gone was removed"])
        #expect(try await widget.error(of: "Describe") == gone)
        #expect(
            try await widget.error(of: "GetDefaults") == VarlinkError(name: "\(Self.interface).NoSuchGroup"))
        #expect(try await widget.call("HasContent") == ["hasContent": true])
    }
}
