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

/// Adding and removing widgets, as clients do.
@Suite struct OfferMethodsTests: DaemonDeciding {
    init() { TestLoop.start() }

    private static let lines =
        "[Settings]\nCITY=string label=\"Your city\"\nDAYS=number default=3 max=9\nTOKEN=secret\n"

    /// The widget a, the template weather, and agenda, which is off.
    @LoopActor private func machine() async throws -> SimulatedMachine {
        let machine = try SimulatedMachine([Self.manifest("a", "json")])
        let weather = Self.manifest("weather@", "json", more: Self.lines).text
        try machine.directory.write(
            weather.replacing("[Widget]\n", with: "[Widget]\nDisplayName=Weather %i\nExample=12°\n"),
            to: "optional/org.test.weather@.widget")
        try machine.directory.write(Self.manifest("agenda", "json").text, to: "optional/org.test.agenda.widget")
        try machine.directory.write(
            "[Widget]\nDisplayName=%i\n[Update]\nInterval=x\n", to: "optional/org.test.broken@.widget")
        machine.daemon.registry.reload()
        await machine.settle()
        await machine.finishAll(.noData)
        return machine
    }

    private func weather(_ values: JSONObject, _ instance: String? = nil) -> JSONObject {
        var call: JSONObject = ["id": "org.test.weather", "values": .object(values)]
        call["instance"] = instance.map(JSON.string)
        return call
    }

    private func reason(_ error: VarlinkError?) -> String? { error?.parameters["reason"]?.stringValue }

    @Test @LoopActor func offersSayWhatThereIs() async throws {
        let client = try await DaemonClient(of: machine())
        let offers = try await client.call("Offers")["offers"]?.arrayValue ?? []
        #expect(offers.map { $0["id"]?.stringValue } == ["org.test.agenda", "org.test.broken", "org.test.weather"])
        #expect(offers.map { $0["template"] } == [false, true, true])
        #expect(offers[0]["source"]?.stringValue?.hasSuffix("/optional/org.test.agenda.widget") == true)
        #expect(
            offers[1]["name"] == "broken" && offers[2]["name"] == "Weather" && offers[0]["name"] == "org.test.agenda")
        #expect(offers[2]["example"] == "12°" && offers[2]["settings"]?.arrayValue?.count == 3)
        #expect(offers[1]["complaint"]?.stringValue?.contains("Interval=") == true && offers[2]["complaint"] == nil)
    }

    @Test @LoopActor func anInstanceIsAWidgetOfItsOwn() async throws {
        let machine = try await machine()
        let client = try await DaemonClient(of: machine)
        let added = try await client.call("Add", weather(["city": "New York"]))
        #expect(added == ["id": "org.test.weather@New-York"])
        let id = try #require(WidgetID("org.test.weather@New-York"))
        #expect(machine.runner.running.values.map(\.request.widget) == [id], "it runs at once")
        #expect(machine.daemon.catalog.item(id)?.item.name == "Weather New-York")
        #expect(try machine.daemon.catalog.settings(of: id).own.map(\.text) == ["New York", "3", nil])
        #expect(try await client.call("Add", weather(["CITY": "New York"])) == ["id": "org.test.weather@New-York-2"])
        #expect(try await client.call("Add", weather(["CITY": "Bern"], "home")) == ["id": "org.test.weather@home"])
        let two = try await client.call("Add", weather(["DAYS": "5", "CITY": "Oslo"]))
        #expect(two == ["id": "org.test.weather@Oslo"], "it is named after the first setting")
        let offers = try await client.call("Offers")["offers"]?.arrayValue ?? []
        #expect(offers[2]["added"]?.arrayValue?.count == 4)
        try await machine.restart()
        #expect(machine.daemon.registry.widgets.count == 5, "they are there after a restart")
        #expect(try machine.daemon.catalog.settings(of: id).own.map(\.text) == ["New York", "3", nil])
    }

    @Test @LoopActor func whatCannotBeAddedIsRefused() async throws {
        let machine = try await machine()
        let client = try await DaemonClient(of: machine)
        _ = try await client.call("Add", weather(["CITY": "Bern"], "bern"))
        let countdown = Self.manifest(
            "countdown", "json", more: "[Settings]\nNAME=string\nDATE=string label=\"The day\"\n")
        try machine.directory.write(countdown.text, to: "optional/org.test.countdown.widget")
        machine.daemon.registry.reload()
        let refusals: [(JSONObject, String)] = [
            (
                weather(["CITY": "Bern"], "bern"),
                "org.test.weather@bern already exists; 'todayctl config org.test.weather@bern' changes its settings"
            ),
            (weather([:]), "org.test.weather needs a value of CITY (Your city)"),
            (weather(["CITY": " "]), "org.test.weather needs a value of CITY (Your city)"),
            (["id": "org.test.countdown"], "org.test.countdown needs a value of NAME and of DATE (The day)"),
            (weather(["CITY": "x", "DAYS": "10"]), "DAYS: \"10\" is more than 9"),
            (weather(["CITI": "x"]), "org.test.weather@1 has no setting \"CITI\"; did you mean CITY?"),
            (
                weather(["CITY": "x"], "a b"),
                "\"a b\" is not a name for an instance: letters, digits, _ and -, but no - at the beginning"
            ),
            (
                ["id": "org.test.agenda", "instance": "x"],
                "org.test.agenda is a single widget, not a template: it has no instances"
            ),
        ]
        for (call, reason) in refusals {
            let said = self.reason(try await client.error(of: "Add", call))
            #expect(said == reason)
        }
        let broken = self.reason(try await client.error(of: "Add", ["id": "org.test.broken"]))
        #expect(
            broken?.hasPrefix("org.test.broken cannot be added: org.test.broken@.widget:4") == true, "\(broken ?? "")")
        let unknown = try await client.error(of: "Add", ["id": "weather"])
        #expect(unknown?.parameters["candidates"] == ["org.test.weather"])
    }

    @Test @LoopActor func removingKeepsSettingsButNoSecrets() async throws {
        let machine = try await machine()
        let client = try await DaemonClient(of: machine)
        _ = try await client.call("Add", weather(["CITY": "Bern", "TOKEN": "hunter2"], "x"))
        let id = try #require(WidgetID("org.test.weather@x"))
        #expect(machine.daemon.store.settings(of: id).count == 2)
        _ = try await client.call("Remove", ["id": "org.test.weather@x"])
        #expect(machine.daemon.registry.widgets[id] == nil && machine.runner.running.isEmpty)
        #expect(machine.daemon.store.settings(of: id).keys.map { $0 } == ["CITY"])
        _ = try await client.call("Add", weather([:], "x"))
        #expect(try machine.daemon.catalog.settings(of: id).own.map(\.text) == ["Bern", "3", nil])
        let refusal = self.reason(try await client.error(of: "Remove", ["id": "org.test.a"]))
        #expect(refusal?.hasPrefix("org.test.a is there because of its file: /") == true)
    }

    @Test @LoopActor func whatIsOffIsAddedAndRemoved() async throws {
        let machine = try await machine()
        let client = try await DaemonClient(of: machine)
        let id = try #require(WidgetID("org.test.agenda"))
        #expect(try await client.call("Add", ["id": "org.test.agenda"]) == ["id": "org.test.agenda"])
        #expect(machine.daemon.catalog.standing(of: id)?.state == .waiting)
        // Its template has gone: it says so, and can be removed.
        try machine.directory.delete("optional/org.test.agenda.widget")
        machine.daemon.registry.reload()
        await machine.settle()
        #expect(machine.daemon.catalog.standing(of: id)?.state == .invalid)
        _ = try await client.call("Remove", ["id": "org.test.agenda"])
        #expect(machine.daemon.registry.widgets[id] == nil)
    }

    @Test @LoopActor func thereIsALimit() async throws {
        let machine = try await machine()
        var state = StoredState()
        for number in 0..<StoreLimits.addedWidgets {
            let id = try #require(WidgetID("a.b@\(number)"))
            _ = try Change.add(id, [:]).apply(to: &state)
        }
        let id = try #require(WidgetID("a.b@more"))
        #expect(throws: Refusal.self) { _ = try Change.add(id, [:]).apply(to: &state) }
        withExtendedLifetime(machine) {}
    }
}
