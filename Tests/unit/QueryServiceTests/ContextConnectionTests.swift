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
@Suite struct ContextConnectionTests {
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

    /// todayd itself has made the connection.
    @Test func theConnectionOfAWidgetIsNoneOfItsUser() async throws {
        var limits = QueryLimits()
        limits.connectionsPerUser = 2
        let fixture = try await Fixture(limits: limits)
        var widget: VarlinkConnection? = try await connect(fixture)
        let clients = try (0..<2).map { _ in try fixture.connect() }
        for client in clients { #expect(try client.today("Show").texts == ["42 %"]) }
        #expect(try call(#require(widget), "HasContent") == ["hasContent": true])
        widget = nil
        try await fixture.eventually("the widget has gone") { $0.service.sessions.count == 2 }
        #expect(throws: VarlinkError.self) { try fixture.connect().today("Show") }
    }

    @Test func aWidgetChangesItself() async throws {
        let fixture = try await Fixture([.showing("a"), .showing("b", .load)])
        await fixture.with {
            $0.backend.groups = ["group.a": ["n": 1]]
            // The permissions of the socket do not apply to a context.
            $0.backend.mayChange = false
        }
        let widget = try await connect(fixture)
        _ = try call(widget, "SetHasContent", ["hasContent": false])
        #expect(try call(widget, "HasContent") == ["hasContent": false])
        _ = try call(widget, "SetDefaults", ["group": "group.a", "key": "k", "value": ["value": "v"]])
        #expect(try call(widget, "GetDefaults", ["group": "group.a"])["values"] == ["n": ["value": 1]])
        // No host gets what the service told the widget.
        let host = try fixture.connect()
        #expect(
            try host.error(of: "org.todayd.ExtensionContext.GetDefaults", ["group": "group.a"])
                == .interfaceNotFound("org.todayd.ExtensionContext"))
        #expect(
            await fixture.backend.requests == [
                .choice(.disk, .hasContent(false)), .defaults(group: "group.a", key: "k", value: "v", writer: .disk),
            ])
    }

    @Test func aContextHasNoOtherMethods() async throws {
        let fixture = try await Fixture([.showing("a"), .showing("b", .load)])
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
}
