// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import JSON
import Reactor
import TestSupport
import Testing
import TodayModel
import Varlink
import VarlinkInterface

@testable import QueryService

/// What a widget may read and change on the connection that identifies it.
@Suite struct ExtensionContextTests {
    init() { TestLoop.start() }

    private static let context = InterfaceDescription(constant: Interfaces.extensionContext)

    private func connect(_ fixture: Fixture, as widget: WidgetID = .disk) async throws -> VarlinkConnection {
        var ends: [Int32] = [-1, -1]
        try #require(clinux_socket_pair(&ends) == 0)
        let ours = OwnedDescriptor(adopting: ends[0])
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        await fixture.with { _ = $0.service.serve(ours, contextOf: widget) }
        return try VarlinkConnection(adopting: ends[1], name: "descriptor 4", timeout: .seconds(10))
    }

    private func call(
        _ connection: VarlinkConnection, _ method: String, _ parameters: JSONObject = [:]
    ) throws -> JSONObject {
        let reply = try connection.call("org.todayd.ExtensionContext.\(method)", parameters)
        #expect(Self.context.check(reply, against: .output(of: method)) == nil, "\(method): \(reply)")
        return reply
    }

    private func error(
        _ connection: VarlinkConnection, _ method: String, _ parameters: JSONObject = [:]
    ) throws -> VarlinkError? {
        do {
            Issue.record("\(method) answered \(try connection.call(method, parameters))")
            return nil
        } catch let error as VarlinkError {
            return error
        }
    }

    @Test func aWidgetIsToldAboutItself() async throws {
        let fixture = try await Fixture([.showing("a"), .showing("b", .load)])
        await fixture.with {
            $0.backend.ownGroups = ["group.a"]
            $0.backend.ownSettings = ["TOKEN": "hunter2", "CITY": "Bern"]
            $0.backend.sizes.columns = 47
            $0.backend.sizes.expandedRows = 23
        }
        let reply = try call(try await connect(fixture), "Describe")
        #expect(reply["id"] == "org.example.disk")
        #expect(reply["mode"] == "compact")
        #expect(reply["groups"] == ["group.a"])
        #expect(reply["schemes"] == ["example"])
        #expect(reply["settings"] == ["CITY": "Bern", "TOKEN": "hunter2"])
        #expect(reply["compact"] == ["columns": 47, "rows": 4])
        #expect(reply["expanded"] == ["columns": 47, "rows": 23])
    }

    /// A widget has only this connection, and closing it would free no place.
    @Test func aWidgetThatIsSilentMakesNoRoomForOthers() async throws {
        var limits = QueryLimits()
        limits.connectionsPerUser = 2
        let fixture = try await Fixture(limits: limits)
        let widget = try await connect(fixture)
        let clients = try (0..<2).map { _ in try fixture.connect() }
        #expect(try fixture.connect().today("Show").texts == ["42 %"])
        try clients[0].awaitClosing()
        #expect(try call(widget, "Describe")["id"] == "org.example.disk")
    }

    @Test func aWidgetChangesItself() async throws {
        let fixture = try await Fixture([.showing("a"), .showing("b", .load)])
        await fixture.with {
            $0.backend.ownGroups = ["group.a"]
            $0.backend.groups = ["group.a": ["n": 1]]
            // The permissions of the socket do not apply to a context.
            $0.backend.mayChange = false
        }
        let widget = try await connect(fixture)
        _ = try call(widget, "SetHasContent", ["hasContent": false])
        #expect(try call(widget, "HasContent") == ["hasContent": false])
        _ = try call(widget, "SetDefaults", ["group": "group.a", "key": "k", "value": ["value": "v"]])
        _ = try call(widget, "SetDefaults", ["key": "k"])
        #expect(try call(widget, "GetDefaults")["values"] == ["n": ["value": 1]])
        _ = try call(widget, "SetLargestDisplayMode", ["mode": "compact"])
        _ = try call(widget, "OpenURL", ["url": "example://x"])
        let (requests, modes) = await fixture.with { ($0.backend.requests, $0.backend.largestModes) }
        #expect(
            requests == [
                .choice(.disk, .hasContent(false)), .defaults(group: "group.a", key: "k", value: "v", writer: .disk),
                .defaults(group: "group.a", key: "k", value: nil, writer: .disk),
            ])
        #expect(modes == [.disk: .compact])
    }

    @Test func aContextHasNoOtherMethods() async throws {
        let fixture = try await Fixture([.showing("a"), .showing("b", .load)])
        await fixture.with {
            $0.backend.ownGroups = ["group.a", "group.b"]
            $0.backend.groups = ["group.a": [:], "group.other": ["secret": 1]]
        }
        let host = try fixture.connect()
        _ = try host.today("Show")
        let widget = try await connect(fixture)
        // A context reaches these methods neither by name nor by bytes that a host's call left in the cache.
        for method in ["Show", "SetHasContent", "Enable"] {
            let name = "org.todayd.Today.\(method)"
            #expect(try error(widget, name) == .interfaceNotFound("org.todayd.Today"))
        }
        let context = "org.todayd.ExtensionContext"
        #expect(try host.error(of: "\(context).Describe") == .interfaceNotFound(context))
        #expect(
            try error(widget, "\(context).SetHasContent", ["id": "x", "hasContent": true]) == .invalidParameter("id"))
        for group in ["group.other", "", "../x"] as [JSON] {
            #expect(
                try error(widget, "\(context).GetDefaults", ["group": group])
                    == VarlinkError(name: "\(context).NoSuchGroup", parameters: ["group": group]))
        }
        #expect(try error(widget, "\(context).GetDefaults") == VarlinkError(name: "\(context).NoSuchGroup"))
        #expect(
            try error(widget, "\(context).OpenURL", ["url": "other://x"])
                == VarlinkError(name: "\(context).URLRefused", parameters: ["reason": "not declared"]))
        let info = try widget.call("org.varlink.service.GetInfo")
        #expect(info["interfaces"] == ["org.varlink.service", "org.todayd.ExtensionContext"])
    }

    @Test func refusalsAreErrorsOfTheContextsInterface() async throws {
        let fixture = try await Fixture()
        await fixture.with { $0.backend.refusal = .notStored("disk full") }
        let widget = try await connect(fixture)
        #expect(
            try error(widget, "org.todayd.ExtensionContext.SetHasContent", ["hasContent": true])
                == VarlinkError(name: "org.todayd.ExtensionContext.NotStored", parameters: ["reason": "disk full"]))
    }

    @Test func aHostLearnsWhatItMayOpen() async throws {
        let client = try await Fixture().connect()
        #expect(try client.today("OpenURL", ["id": "org.example.disk", "url": "example://x"]).isEmpty)
        let error = try client.error(of: "org.todayd.Today.OpenURL", ["id": "org.example.disk", "url": "other://x"])
        #expect(error == VarlinkError(name: "org.todayd.Today.Refused", parameters: ["reason": "not declared"]))
    }

    /// A locker opens no link and executes no command, and a press of it opens no app.
    @Test func whileLockedNothingIsOpened() async throws {
        let fixture = try await Fixture()
        let client = try fixture.connect()
        let calls: [(String, JSONObject)] = [
            ("OpenURL", ["url": "example://x"]), ("PrepareCommand", ["command": ["true"]]),
        ]
        for (method, parameters) in calls {
            var parameters = parameters
            (parameters["id"], parameters["locked"]) = ("org.example.disk", true)
            let error = try client.error(of: "org.todayd.Today.\(method)", parameters)
            #expect(error?.parameters["reason"] == .string(Refusal.whileLocked))
            parameters["locked"] = 1
            #expect(
                try client.error(of: "org.todayd.Today.\(method)", parameters)?.name.hasSuffix("InvalidParameter")
                    == true)
        }
        for locked in [true, false] {
            let parameters: JSONObject = ["id": "org.example.disk", "action": "a", "locked": .bool(locked)]
            try client.send(VarlinkCall("org.todayd.Today.PerformAction", parameters, oneway: true))
        }
        _ = try client.today("List")
        #expect(await fixture.backend.lockedInteractions == 1)
    }
}
