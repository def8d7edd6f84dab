// SPDX-License-Identifier: MIT
import QueryService
import Reactor
import Runner
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore
@testable import TodayDaemon

/// What follows from changes of todayd.conf, of pushed content and of the widgets that there are.
@Suite struct DaemonChangesTests: DaemonDeciding {
    init() { TestLoop.start() }

    // MARK: Settings

    @Test @LoopActor func theAdministratorsGroupIsReadAgain() async throws {
        let machine = try await machine()
        let before = machine.daemon.catalog.permissions
        machine.daemon.catalog.permissions = Permissions(instance: .system, owner: 1_000)
        try await machine.write("[Daemon]\nAdministratorsGroup=root\n", to: "todayd.conf")
        #expect(machine.daemon.catalog.permissions == before)
    }

    @Test @LoopActor func aHigherConcurrencyCountsAtOnce() async throws {
        let machine = try SimulatedMachine(
            ["a", "b", "c"].map { Self.manifest($0, "json") }, configuration: "[Daemon]\nConcurrencyMax=1\n")
        await machine.settle()
        #expect(machine.runner.running.count == 1)
        try await machine.write("[Daemon]\nConcurrencyMax=2\n", to: "todayd.conf")
        #expect(machine.runner.running.count == 2)
    }

    @Test @LoopActor func enableNewWidgetsAppliesWhereTheUserHasNotDecided() async throws {
        let machine = try SimulatedMachine(
            [Self.manifest("a", "json"), Self.manifest("b", "json")], configuration: "[Daemon]\nEnableNewWidgets=no\n")
        await machine.change(.choice(try widget("b"), .enabled(true)))
        await machine.finishAll()
        #expect(try machine.item(widget("a"))?.state == .disabled)
        #expect(try machine.item(widget("b"))?.state == .ready)
        try await machine.write("[Daemon]\nEnableNewWidgets=yes\n", to: "todayd.conf")
        #expect(try machine.runner.running.values.map(\.request.widget) == [widget("a")])
        await machine.finishAll()
        #expect(try machine.item(widget("a"))?.state == .ready)
        // A widget that has run is not new, and one that comes now is.
        try await machine.write("[Daemon]\nEnableNewWidgets=no\n", to: "todayd.conf")
        try await write(machine, 1)
        #expect(try Set(machine.runner.running.values.map(\.request.widget)) == [widget("a"), widget("b")])
        await machine.finishAll()
        // When a widget is enabled again, it reads what has changed meanwhile.
        await machine.change(.choice(try widget("a"), .enabled(false)))
        await machine.pass(.minutes(2))
        try await write(machine, 2)
        #expect(try machine.runner.running.values.map(\.request.widget) == [widget("b")])
        await machine.finishAll()
        await machine.change(.choice(try widget("a"), .enabled(true)))
        #expect(machine.runner.running.values.map(\.request.reason) == [.behind])
    }

    /// Every widget draws again for each change of the room, even if the room is as at first.
    @Test @LoopActor func allWidgetsRunForOtherSizes() async throws {
        let machine = try SimulatedMachine(["a", "b", "c"].map { Self.manifest($0, "json") })
        await machine.settle()
        await machine.finishAll()
        for columns in [40, 60, 40] {
            await machine.pass(.seconds(2))
            try await machine.write("[Daemon]\nColumns=\(columns)\n", to: "todayd.conf")
            let requests = machine.runner.running.values.map(\.request)
            #expect(requests.count == 3 && requests.allSatisfy { $0.sizes.columns == columns })
            #expect(requests.allSatisfy { !$0.fits })
            await machine.finishAll(.newData(Content(text: "\(columns)")))
        }
        await machine.pass(.minutes(1))
        #expect(machine.runner.running.isEmpty)
    }

    // MARK: Pushes

    @Test @LoopActor func pushedContentSaysWhenTheWidgetRunsNext() async throws {
        let machine = try await machine()
        var content = Content(text: "pushed")
        content.nextUpdate = .minutes(2)
        await machine.push(content, to: try widget())
        await machine.pass(.minutes(3))
        #expect(machine.runner.running.count == 1)
    }

    /// A change waits up to a second. A push with a later next update does not delay it.
    @Test @LoopActor func aPushDoesNotDelayARunForNewDefaults() async throws {
        let machine = try await machine()
        try await write(machine, 1)
        try await finish(machine, .newData(Content(text: "1")))
        try await write(machine, 2)
        #expect(machine.runner.running.isEmpty)
        var content = Content(text: "pushed")
        content.nextUpdate = .hours(1)
        await machine.push(content, to: try widget(), for: .seconds(1))
        await machine.pass(.seconds(2))
        #expect(machine.runner.running.count == 1)
    }

    @Test @LoopActor func takingBackRunsAWidgetThatHasNeverAnswered() async throws {
        let machine = try await machine(answers: .failed("no network"))
        await machine.push(Content(text: "pushed"), to: try widget())
        #expect(machine.runner.running.isEmpty)
        await machine.change(.takeBack(try widget()))
        #expect(machine.runner.running.values.map(\.request.reason) == [.request])
    }

    // MARK: Removed widgets

    /// The daemon keeps the content and logs of the newest fifty removed widgets.
    @Test(arguments: [true, false])
    @LoopActor func onlyTheNewestRemovedWidgetsAreKept(isRestarted: Bool) async throws {
        let machine = try SimulatedMachine([Self.manifest("a", "json"), Self.manifest("b", "json")])
        await machine.settle()
        await machine.finishAll()
        let gone = try (10..<70).map { try widget("gone\($0)") }
        for (age, id) in gone.enumerated() {
            machine.daemon.store.log(
                RunOutcome(
                    widget: id, run: 1_000, reason: .schedule, started: machine.now.wall + .seconds(Int64(age)),
                    duration: .zero, result: .noData))
        }
        await machine.settle()
        try await machine.write("[Widget]\nNo=1\n" + Self.manifest("a", "json").text, to: "org.test.a.widget")
        #expect(gone.filter { machine.daemon.store.history(of: $0).isEmpty }.isEmpty)
        if isRestarted {
            try await machine.restart()
        } else {
            try await machine.delete("org.test.b.widget")
        }
        let forgotten = gone.filter { machine.daemon.store.history(of: $0).isEmpty }
        #expect(forgotten == Array(gone.prefix(10)))
        #expect((machine.daemon.catalog.records[try widget("b")] == nil) == !isRestarted)
        #expect(try machine.daemon.store.history(of: widget()).isEmpty == false)
    }
}
