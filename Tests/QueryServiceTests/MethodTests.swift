// SPDX-License-Identifier: MIT
import Glibc
import JSON
import Reactor
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import QueryService

/// Every method of org.todayd.Today as a client calls it. The replies are checked against the interface.
@Suite struct MethodTests {
    init() { TestLoop.start() }

    @Test @LoopActor func everyDeclaredMethodIsImplementedAndTakesTheDeclaredParameters() {
        let methods = QueryService.methods
        #expect(Set(methods.keys) == Set(Fixture.today.methods.map(\.name)))
        for method in Fixture.today.methods {
            #expect(methods[method.name]?.parameterNames == method.input.map(\.name), "\(method.name)")
        }
    }

    @Test func theServiceDescribesItself() async throws {
        let client = try await Fixture().connect()
        let info = try client.call("org.varlink.service.GetInfo")
        #expect(info["product"] == "P")
        #expect(info.strings("interfaces") == ["org.varlink.service", "org.todayd.Today"])
        for (name, text) in [("org.varlink.service", serviceInterface), ("org.todayd.Today", Interfaces.today)] {
            let reply = try client.call(
                "org.varlink.service.GetInterfaceDescription", ["interface": .string(name)])
            #expect(reply["description"] == .string(text))
        }
    }

    @Test func listHasAllWidgetsAndShowTheVisibleOnesOfAPoint() async throws {
        var hidden = Item.showing("hidden", .load)
        hidden.state = .hidden
        let fixture = try await Fixture([
            .showing("first"), hidden, .showing("bar", .numbered(1), at: [.statusBar]),
        ])
        let client = try fixture.connect()
        #expect(try client.today("List")["widgets"]?.arrayValue?.count == 3)
        #expect(try client.today("List", ["point": "status_bar"])["widgets"]?.arrayValue?.count == 1)
        #expect(try client.today("Show").texts == ["first"])
        #expect(try client.today("Show", ["point": "status_bar"]).texts == ["bar"])
        #expect(try client.today("Show", ["point": "lock_screen"]).texts == [])
        #expect(try client.today("Show", ["id": "org.example.load"]).texts == ["hidden"])
    }

    @Test func showTellsTheBackendThatAHostLooked() async throws {
        let fixture = try await Fixture()
        _ = try fixture.connect().today("Show")
        #expect(await fixture.backend.looks == [[.disk]])
    }

    private static let client = "user \(getuid())"

    private static func pushed(_ text: String, expires: WallTime? = nil, by client: String) -> Layers.Pushed {
        Layers.Pushed(Content(text: text), taken: WallTime(microseconds: 1_000), expires: expires, by: client)
    }

    @Test(
        arguments: [
            ("SetHasContent", ["hasContent": false], .choice(.disk, .hasContent(false))),
            ("Enable", [:], .choice(.disk, .enabled(true))),
            ("Disable", [:], .choice(.disk, .enabled(false))),
            ("SetDisplayMode", ["mode": "expanded"], .choice(.disk, .displayMode(.expanded))),
            ("SetLockScreen", ["allowed": true], .choice(.disk, .lockScreen(true))),
            ("Push", ["content": ["text": "x"]], .push(.disk, pushed("x", by: client))),
            (
                "Push", ["content": ["text": "x"], "ttl": 7],
                .push(.disk, pushed("x", expires: WallTime(microseconds: 1_007), by: client))
            ),
            ("Push", [:], .takeBack(.disk)),
        ] as [(String, JSONObject, Change)])
    func changesReachTheBackend(method: String, parameters: JSONObject, request: Change) async throws {
        let fixture = try await Fixture()
        var parameters = parameters
        parameters["id"] = "org.example.disk"
        #expect(try fixture.connect().today(method, parameters) == [:])
        #expect(await fixture.backend.requests == [request])
    }

    @Test func aWidgetThatPushesIsNamed() async throws {
        let fixture = try await Fixture()
        await fixture.with { $0.backend.client = .load }
        _ = try fixture.connect().today("Push", ["id": "org.example.disk", "content": ["text": "x"]])
        #expect(
            await fixture.backend.requests == [.push(.disk, Self.pushed("x", by: WidgetID.load.text))])
    }

    @Test func hasContentAnswersTheFlag() async throws {
        let fixture = try await Fixture()
        let client = try fixture.connect()
        #expect(try client.today("HasContent", ["id": "org.example.disk"]) == ["hasContent": true])
        _ = try client.today("SetHasContent", ["id": "org.example.disk", "hasContent": false])
        #expect(try client.today("HasContent", ["id": "org.example.disk"]) == ["hasContent": false])
    }

    @Test(
        arguments: [
            ("first", nil, .first), ("last", nil, .last), ("up", nil, .up), ("down", nil, .down),
            ("before", "org.example.load", .before(.load)), ("after", "org.example.load", .after(.load)),
        ] as [(String, String?, Placement)])
    func movesReachTheBackend(to: String, other: String?, placement: Placement) async throws {
        let fixture = try await Fixture([.showing("a"), .showing("b", .load)])
        var parameters: JSONObject = ["id": "org.example.disk", "to": .string(to)]
        parameters["other"] = other.map(JSON.string)
        #expect(try fixture.connect().today("Move", parameters) == ["position": 0])
        #expect(await fixture.backend.requests == [.move(.disk, placement, among: [.load])])
    }

    @Test func defaultsTravelAsObjects() async throws {
        let fixture = try await Fixture()
        await fixture.with { $0.backend.groups["group.a"] = ["n": 1, "list": [true]] }
        let client = try fixture.connect()
        let reply = try client.today("GetDefaults", ["group": "group.a"])
        #expect(reply["values"] == ["n": ["value": 1], "list": ["value": [true]]])
        _ = try client.today("SetDefaults", ["group": "group.a", "key": "n", "value": ["value": 2.5]])
        _ = try client.today("SetDefaults", ["group": "group.a", "key": "n"])
        #expect(
            await fixture.backend.requests == [
                .defaults(group: "group.a", key: "n", value: 2.5, writer: nil),
                .defaults(group: "group.a", key: "n", value: nil, writer: nil),
            ])
    }

    /// The status of all widgets has the last run of each; the status of one widget has its whole history.
    @Test func statusOfOneWidgetHasItsHistory() async throws {
        let fixture = try await Fixture()
        await fixture.with { fixture in
            fixture.backend.history = (1...3).map {
                RunRecord(
                    started: WallTime(microseconds: $0), duration: .seconds(1), reason: .schedule, result: .noData,
                    failure: nil, exit: nil, errorOutput: "")
            }
        }
        let client = try fixture.connect()
        func starts(_ reply: JSONObject) -> [[JSON?]] {
            (reply["widgets"]?.arrayValue ?? []).map { ($0["history"]?.arrayValue ?? []).map { $0["started"] } }
        }
        #expect(try starts(client.today("Status")) == [[1]])
        #expect(try starts(client.today("Status", ["id": "org.example.disk"])) == [[1, 2, 3]])
    }

    @Test func statusIsOfAllOrOneAndCountsConnections() async throws {
        let client = try await Fixture([.showing("a"), .showing("b", .load)]).connect()
        let all = try client.today("Status")
        #expect(all["widgets"]?.arrayValue?.count == 2)
        #expect(all["daemon"]?["connections"] == 1)
        let one = try client.today("Status", ["id": "org.example.load"])
        #expect(one["widgets"]?.arrayValue?.map { $0["id"] } == ["org.example.load"])
        #expect(
            try client.error(of: "org.todayd.Today.Status", ["id": "broken name"])?.name
                == "org.todayd.Today.NoSuchWidget")
    }

    @Test func reloadAnswersWhatWasFound() async throws {
        let reply = try await Fixture().connect().today("Reload")
        #expect(reply == ["widgets": 2, "complaints": ["a.widget:3: unknown key"]])
    }

    @Test func aMethodWithOneReplyIgnoresMore() async throws {
        let client = try await Fixture().connect()
        try client.send(VarlinkCall("org.todayd.Today.List", more: true))
        #expect(try client.receive(within: .seconds(10)).continues == false)
    }
}
