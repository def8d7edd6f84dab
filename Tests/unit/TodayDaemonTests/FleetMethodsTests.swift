// SPDX-License-Identifier: MIT
import JSON
import QueryService
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore
@testable import TodayDaemon

/// What todayd and today-fleet tell each other over the socket.
@Suite struct FleetMethodsTests: DaemonDeciding {
    init() { TestLoop.start() }

    private static let more = "[Fleet]\nScope=fleet\n[Settings]\nCITY=string default=x"

    /// A machine and its clients: the first follows as today-fleet does. The streams end before the daemon does.
    @LoopActor private final class Fleet {
        let machine: SimulatedMachine
        let clients: [DaemonClient]

        init(_ names: [String] = ["a"], configuration: String = "[Daemon]\n") async throws {
            machine = try SimulatedMachine(
                names.map { FleetMethodsTests.manifest($0, "json", more: FleetMethodsTests.more) },
                configuration: configuration)
            await machine.settle()
            var clients: [DaemonClient] = []
            for _ in 0..<3 { clients.append(try await DaemonClient(of: machine)) }
            self.clients = clients
        }

        func accept(_ text: String, member: String = "other", revision: Int64 = 7) async throws {
            _ = try await clients[1].call(
                "AcceptFromFleet",
                [
                    "id": "org.test.a", "content": ["text": .string(text)], "age": 0, "member": .string(member),
                    "revision": .int(revision),
                ])
            await machine.settle()
        }

        func end() async {
            await withCheckedContinuation { done in machine.daemon.service.stop { done.resume() } }
            await machine.settle()
        }
    }

    /// Each change of a widget is told at once, and once.
    @Test @LoopActor func whatChangesIsOfferedAgain() async throws {
        let fleet = try await Fleet()
        let machine = fleet.machine
        let first = try await fleet.clients[0].follow("Fleet")
        #expect(first["wanted"] == [] && first["defaults"] == ["group.g": [:]])
        let before = try #require(first["widgets"]?.arrayValue?.first)
        #expect(before["id"] == "org.test.a" && before["hasContent"] == true && before["ofSite"] == false)
        #expect(before["hash"]?.stringValue.flatMap { UInt64($0, radix: 16) } != nil)
        @LoopActor func told(_ key: String) async throws -> JSON? {
            let offers = try await fleet.clients[0].news().compactMap { $0["widgets"]?.arrayValue }
            #expect(offers.count == 1, "\(key)")
            return offers.last?.first?[key]
        }
        let setting = try machine.daemon.catalog.settingsChange([("CITY", "y")], unset: [], of: try widget())
        await machine.change(setting)
        #expect(try await told("hash") != before["hash"])
        await machine.change(.choice(try widget(), .hasContent(false)))
        #expect(try await told("hasContent") == false)
        let (name, text) = Self.manifest("a", "json", more: Self.more)
        try await machine.write(text.replacing("Interval=1h", with: "Interval=2h"), to: name)
        #expect(try await told("interval") == 7_200_000_000)
        try await write(machine, 5)
        #expect(try await fleet.clients[0].news().compactMap { $0["defaults"] } == [["group.g": ["k": ["value": 5]]]])
        await fleet.end()
    }

    @Test @LoopActor func whatAUserAsksForIsWanted() async throws {
        let fleet = try await Fleet()
        let machine = fleet.machine
        try await fleet.clients[0].follow("Fleet")
        let listener = RecordingListener()
        _ = machine.daemon.update(try widget(), listener: listener)
        #expect(try await fleet.clients[0].news().map { $0["wanted"] } == [["org.test.a"]])
        try await fleet.accept("one", member: "host", revision: 7)
        #expect(listener.answers.last?.answer == .newData)
        #expect(machine.item(try widget())?.content?.text == "one")
        #expect(machine.daemon.catalog.status(of: try widget())?.fleet == FleetOrigin(member: "host", revision: 7))
        let later = try await fleet.clients[2].follow("Fleet")
        #expect(later["wanted"] == [], "it has come")
        await fleet.end()
    }

    /// While the fleet is out of reach, a machine shows what it has run itself.
    @Test @LoopActor func whatTheFleetHasNotAcceptedHasNoOrigin() async throws {
        let fleet = try await Fleet()
        let machine = fleet.machine
        try await fleet.clients[0].follow("Fleet")
        try await fleet.accept("one", revision: 0)
        #expect(machine.item(try widget())?.content?.text == "one")
        #expect(machine.daemon.catalog.status(of: try widget())?.fleet == nil)
        try await fleet.accept("one", revision: 3)
        #expect(machine.daemon.catalog.status(of: try widget())?.fleet?.revision == 3)
        await fleet.end()
    }

    /// Two at once, each with its own outcome; a run is drawn for the largest mode, because each machine has its own.
    @Test @LoopActor func runsForTheFleetAreAnsweredEach() async throws {
        let fleet = try await Fleet(["a", "b"], configuration: "[Daemon]\nColumns=33\n")
        let machine = fleet.machine
        try await fleet.clients[0].follow("Fleet")
        try await fleet.accept("one")
        for (client, name) in [(1, "a"), (2, "b")] {
            try fleet.clients[client].send("RunForFleet", ["id": .string("org.test.\(name)")])
            await machine.settle()
        }
        for (client, name, previous, result) in [(1, "a", "one", "newData"), (2, "b", nil, "failed")] {
            let request = try #require(
                machine.runner.running.values.first { $0.request.widget.text == "org.test.\(name)" }
            ).request
            #expect(request.mode == .expanded && request.sizes.columns == 33 && request.settings["CITY"] == "x")
            #expect(request.previous?.content.text == previous)
            await machine.finish(request.run, name == "a" ? .newData(Content(text: "two")) : .failed("no network"))
            #expect(try await fleet.clients[client].news().map { $0["result"]?.stringValue } == [result])
        }
        await fleet.end()
    }
}
