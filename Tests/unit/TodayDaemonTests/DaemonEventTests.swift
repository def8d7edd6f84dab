// SPDX-License-Identifier: MIT
import JSON
import QueryService
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore
@testable import TodayDaemon

/// What the daemon sends to clients that follow it, over its socket.
@Suite struct DaemonEventTests: DaemonDeciding {
    init() { TestLoop.start() }

    @LoopActor private func follower(
        _ machine: SimulatedMachine, _ method: String = "Monitor", _ parameters: JSONObject = [:]
    ) async throws -> DaemonClient {
        let client = try await DaemonClient(of: machine)
        try await client.follow(method, parameters)
        return client
    }

    // MARK: Events

    @Test @LoopActor func eventsFollowAWidgetFromItsManifestToItsEnd() async throws {
        let machine = try SimulatedMachine([])
        await machine.pass(.seconds(1))
        let client = try await follower(machine)
        let (name, text) = Self.manifest("a", "json")
        let source = machine.directory("widgets/\(name)")
        try await machine.write(text, to: name)
        #expect(try await client.events() == ["added org.test.a \(source)", "started org.test.a schedule"])
        await machine.finishAll(.newData(Self.button))
        #expect(try await client.events() == ["finished org.test.a newData", "snapshot org.test.a own"])
        await machine.perform(.action("press"), of: try widget())
        await machine.finishAll(.noData)
        #expect(try await client.events() == ["started org.test.a action", "finished org.test.a noData"])
        await machine.pass(.hours(2))
        await machine.finishAll(.failed("no network"))
        #expect(
            try await client.events() == ["started org.test.a schedule", "finished org.test.a failed: no network"])
        await machine.push(Content(text: "pushed"), to: try widget())
        #expect(try await client.events() == ["snapshot org.test.a pushed"])
        try await machine.write(text.replacing("Interval=1h", with: "Interval=2h"), to: name)
        #expect(try await client.events() == ["changed org.test.a \(source)"])
        try await machine.delete(name)
        #expect(try await client.events() == ["removed org.test.a \(source)"])
    }

    /// today-fleet takes the answer elsewhere, so that there is no snapshot.
    @Test @LoopActor func eventsTellOfARunForTheFleet() async throws {
        let machine = try SimulatedMachine([Self.manifest("a", "json", more: "[Fleet]\nScope=fleet")])
        await machine.settle()
        let client = try await follower(machine)
        let fleet = try await DaemonClient(of: machine)
        try fleet.send("RunForFleet", ["id": "org.test.a"])
        #expect(try await client.events() == ["started org.test.a fleet"])
        await machine.finishAll(.newData(Content(text: "two")))
        #expect(try await client.events() == ["finished org.test.a fleet"])
    }

    @Test @LoopActor func eventsTellOfDefaultsAndOfTheStorage() async throws {
        let machine = try await machine()
        let client = try await follower(machine)
        try await write(machine, 1)
        #expect(try await client.events().first == "defaults group.g")
        machine.daemon.storageChanged(.full("there is no room"))
        #expect(try await client.events().last == "storage there is no room")
        try machine.directory.delete("state/todayd.sqlite")
        machine.daemon.store.checkFile()
        #expect(try await client.events().first?.hasPrefix("storage the database was damaged") == true)
    }

    @Test @LoopActor func eventsTellOfChoicesInWords() async throws {
        let (name, text) = Self.manifest("a", "json")
        let machine = try SimulatedMachine([
            (name, text.replacing("[Widget]", with: "[Widget]\nExtensionPoint=today lock-screen")),
            Self.manifest("b", "json"),
        ])
        await machine.settle()
        await machine.finishAll()
        let client = try await follower(machine)
        func choices() async throws -> [String] {
            try await client.events().filter { $0.hasPrefix("choice ") }.map { String($0.dropFirst(7)) }
        }
        await machine.change(.choice(try widget(), .hasContent(false)))
        #expect(try await choices() == ["org.test.a has no content"])
        await machine.change(.choice(try widget(), .enabled(false)))
        #expect(try await choices() == ["org.test.a disabled, has no content"])
        await machine.change(.choice(try widget(), .enabled(true)))
        await machine.change(.choice(try widget(), .hasContent(true)))
        #expect(
            try await choices() == ["org.test.a enabled, has no content", "org.test.a enabled, has content"])
        await machine.change(.choice(try widget(), .displayMode(.expanded)))
        #expect(try await choices() == ["org.test.a enabled, has content, expanded"])
        await machine.finishAll()
        await machine.change(.choice(try widget(), .shown(.lockScreen, true)))
        #expect(try await choices() == ["org.test.a enabled, has content, expanded, shown in lock-screen"])
        await machine.move(try widget("b"), to: .first)
        await machine.settle()
        #expect(try await choices() == ["org.test.b has content, rank 0"])
        // A choice that changes nothing is not an event.
        await machine.change(.choice(try widget(), .hasContent(true)))
        await machine.pass(.hours(2))
        await machine.finishAll(.noData)
        #expect(try await choices() == [])
    }

    // MARK: Items

    @Test @LoopActor func hostsAreToldOfAWidgetThatComesChangesAndGoes() async throws {
        let machine = try SimulatedMachine([])
        let client = try await follower(machine, "Show")
        let (name, text) = Self.manifest("b", "json")
        try await machine.write(text, to: name)
        await machine.finishAll()
        #expect(try await client.items()["org.test.b"]?["content"]?["text"] == "own")
        try await machine.write(text.replacing("[Widget]", with: "[Widget]\nDisplayName=Other"), to: name)
        #expect(try await client.items()["org.test.b"]?["name"] == "Other")
        // A widget that comes before it in the order moves it.
        let (first, other) = Self.manifest("a", "json")
        try await machine.write(other, to: first)
        #expect(try await client.items()["org.test.b"]?["position"] == 1)
        await machine.finishAll()
        try await machine.delete(first)
        let news = try await client.news()
        let items: [JSON] = news.flatMap { $0["items"]?.arrayValue ?? [] }
        #expect(news.contains { $0["removed"] == ["org.test.a"] })
        #expect(items.contains { $0["id"] == "org.test.b" && $0["position"] == 0 })
        try await machine.delete(name)
        #expect(try await client.news().last?["removed"] == ["org.test.b"])
    }

    /// All later widgets in the order have moved.
    @Test @LoopActor func hostsAreToldOfAllThatAMoveMoves() async throws {
        let machine = try SimulatedMachine(["a", "b", "c"].map { Self.manifest($0, "json") })
        await machine.settle()
        await machine.finishAll()
        let client = try await follower(machine, "Show")
        await machine.move(try widget("c"), to: .first)
        await machine.settle()
        let items = try await client.items()
        let positions: [Int?] = ["a", "b", "c"].map { items["org.test.\($0)"]?["position"]?.intValue.map(Int.init) }
        #expect(positions == [1, 2, 0])
        await machine.change(.choice(try widget("b"), .hasContent(false)))
        #expect(try await client.news().last?["removed"] == ["org.test.b"])
    }

    /// The wall clock is set past the date of an entry, so hosts get the entry at once.
    @Test @LoopActor func hostsAreToldWhenTheClockIsSet() async throws {
        let machine = try await machine()
        var content = Content(text: "now")
        content.timeline = Timeline(
            [.init(date: machine.now.wall + .hours(3), content: Content(text: "later"))], policy: .never)
        await machine.pass(.hours(2))
        await machine.finishAll(.newData(content))
        let client = try await follower(machine, "Show")
        await machine.setClock(by: .hours(3))
        #expect(try await client.items()["org.test.a"]?["content"]?["text"] == "later")
    }

    /// A widget chooses its largest mode, and a new process that chooses none resets it.
    @Test @LoopActor func hostsAreToldOfTheLargestMode() async throws {
        let machine = try await machine("varlink")
        let client = try await follower(machine, "Show")
        machine.daemon.catalog[try widget()].processes.began(1)
        machine.daemon.setLargestDisplayMode(.compact, of: try widget(), context: 1)
        #expect(try await client.items()["org.test.a"]?["largestMode"] == "compact")
        // The process has chosen, so later runs without a choice do not reset the mode.
        await machine.pass(.hours(2))
        await machine.finishAll(.noData)
        #expect(try machine.item(widget())?.largestMode == .compact)
        machine.daemon.catalog[try widget()].processes.began(2)
        await machine.pass(.hours(2))
        _ = try await client.items()
        await machine.finishAll(.noData)
        #expect(try await client.items()["org.test.a"]?["largestMode"] == "expanded")
    }

    @Test @LoopActor func followersOfAGroupAreToldOfItsDefaults() async throws {
        let machine = try await machine()
        let client = try await follower(machine, "GetDefaults", ["group": "group.g"])
        try await write(machine, 1)
        #expect(try await client.news().last?["values"]?["k"]?["value"] == 1)
    }
}
