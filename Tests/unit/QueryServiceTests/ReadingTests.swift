// SPDX-License-Identifier: MIT
import Glibc
import JSON
import Reactor
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import QueryService

/// What a client reads with the methods that the service answers itself. The replies are checked against the interface.
@Suite struct ReadingTests {
    init() { TestLoop.start() }

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

    @Test func defaultsTravelAsObjects() async throws {
        let fixture = try await Fixture()
        await fixture.with { $0.backend.groups["group.a"] = ["n": 1, "list": [true]] }
        let client = try fixture.connect()
        let reply = try client.today("GetDefaults", ["group": "group.a"])
        #expect(reply["values"] == ["n": ["value": 1], "list": ["value": [true]]])
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

    @Test func aMethodWithOneReplyIgnoresMore() async throws {
        let client = try await Fixture().connect()
        try client.send(VarlinkCall("org.todayd.Today.List", more: true))
        #expect(try client.receive(within: .seconds(10)).continues == false)
    }
}
