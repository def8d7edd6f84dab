// SPDX-License-Identifier: MIT
import JSON
import QueryService
import Reactor
import Runner
import TestSupport
import Testing
import TodayModel

@testable import TodayDaemon

/// A widget of a fleet, as todayd has it.
@Suite struct FleetRunnerTests: DaemonDeciding {
    init() { TestLoop.start() }

    /// A machine on which today-fleet is connected, or not.
    @LoopActor private func machine(isPresent: Bool = true, fleet: String = "Scope=fleet") async throws
        -> SimulatedMachine
    {
        let machine = try SimulatedMachine([Self.manifest("a", "json", more: "[Fleet]\n\(fleet)")])
        if isPresent { machine.daemon.fleetRunner.setPresence(true) }
        await machine.settle()
        return machine
    }

    @LoopActor private func accept(
        _ machine: SimulatedMachine, _ text: String? = nil, failure: String? = nil, age: TimeSpan = .zero,
        wait: TimeSpan? = .hours(1)
    ) async throws {
        machine.daemon.fleetRunner.accept(
            FleetRunner.Accepted(
                content: text.map { text in
                    var content = Content(text: text)
                    content.compact = .button(.init(title: "press", action: "press"))
                    return content
                }, failure: failure, age: age, wait: wait, came: .now),
            of: try widget())
        await machine.settle()
    }

    @Test @LoopActor func whatIsOnlyPushedIsNotRunForTheFleet() async throws {
        let machine = try SimulatedMachine([
            ("org.test.a.widget", "[Update]\nProtocol=push\n[Fleet]\nScope=fleet\n"),
            Self.manifest("b", "json", more: "[Fleet]\nScope=site"),
        ])
        await machine.settle()
        let runs = machine.daemon.registry.widgets.keys.sorted().map { id in
            machine.daemon.catalog.validManifest(of: id).flatMap { machine.daemon.catalog.fleetOffer(of: $0)?["runs"] }
        }
        #expect(runs == [false, true])
    }

    @Test @LoopActor func itRunsOnlyForTheFleet() async throws {
        let machine = try await machine()
        #expect(machine.runner.running.isEmpty)
        try await accept(machine, "one")
        #expect(machine.item(try widget())?.content?.text == "one")
        #expect(machine.daemon.store.memory(of: try widget()).nextAsk != nil, "after the wait of an hour")
        await machine.pass(.hours(3))
        #expect(machine.runner.running.isEmpty)
        #expect(machine.item(try widget())?.stale == true)
        try await accept(machine)
        #expect(machine.item(try widget())?.stale == false)
        let status = try #require(machine.daemon.catalog.status(of: try widget()))
        #expect(status.activity.waitingFor == "its fleet" && status.stream == nil)
    }

    @Test @LoopActor func whatIsOldAlreadyIsStaleSooner() async throws {
        let machine = try await machine()
        try await accept(machine, "one", age: .minutes(90))
        #expect(machine.item(try widget())?.stale == false)
        await machine.pass(.minutes(31))
        #expect(machine.item(try widget())?.stale == true)
    }

    @Test @LoopActor func aFailureKeepsTheLastGoodAnswer() async throws {
        let machine = try await machine()
        try await accept(machine, "one", failure: "there: no")
        #expect(machine.item(try widget())?.content?.text == "one")
        #expect(machine.item(try widget())?.failure == "there: no")
        try await accept(machine)
        #expect(machine.item(try widget())?.failure == nil)
    }

    @Test @LoopActor func aUserIsToldWhatTheFleetAccepts() async throws {
        let machine = try await machine()
        var wanted: [WidgetID] = []
        machine.daemon.fleetRunner.onWant = { wanted.append($0) }
        let listener = RecordingListener()
        let first = machine.daemon.update(try widget(), listener: listener)
        #expect(first.first?.answer == .started)
        await machine.settle()
        let id = try widget()
        #expect(wanted == [id])
        #expect(listener.answers.last?.isFinal != true)
        try await accept(machine, "two")
        #expect(listener.answers.last?.answer == .newData)
    }

    @Test @LoopActor func theOutcomeOfARunForTheFleetIsTheFleets() async throws {
        let machine = try await machine()
        try await accept(machine, "one")
        let manifest = try #require(machine.daemon.catalog.validManifest(of: try widget()))
        var outcomes: [RunOutcome] = []
        machine.daemon.fleetRunner.runForFleet(manifest, { $0.mode = .expanded }, then: { outcomes.append($0) })
        let run = try #require(machine.runner.running.values.first)
        #expect(run.request.manifest.update.fleet == nil && run.request.mode == .expanded)
        await machine.finish(run.request.run, .newData(Content(text: "two")))
        #expect(outcomes.map(\.result) == [.newData(Content(text: "two"))])
        #expect(machine.item(try widget())?.content?.text == "one")
    }

    @Test @LoopActor func aButtonIsPressedHere() async throws {
        let machine = try await machine()
        try await accept(machine, "one")
        var wanted: [WidgetID] = []
        machine.daemon.fleetRunner.onWant = { wanted.append($0) }
        await machine.perform(.action("press"), of: try widget())
        let run = try #require(machine.runner.running.keys.first)
        // The fleet goes on meanwhile.
        await machine.finish(run, .newData(Content(text: "pressed")))
        #expect(machine.item(try widget())?.content?.text == "pressed")
        let id = try widget()
        #expect(wanted == [id])
        try await accept(machine, "two")
        #expect(machine.item(try widget())?.content?.text == "two")
    }

    @Test @LoopActor func whatIsAcceptedWhileAButtonIsPressedIsShown() async throws {
        let machine = try await machine()
        try await accept(machine, "one")
        await machine.perform(.action("press"), of: try widget())
        try await accept(machine, "two")
        #expect(machine.item(try widget())?.content?.text == "one")
        await machine.pass(.seconds(9))
        let run = try #require(machine.runner.running.keys.first)
        await machine.finish(run, .noData)
        #expect(machine.item(try widget())?.content?.text == "two")
    }

    @Test @LoopActor func withoutTodayFleetItSaysSo() async throws {
        let machine = try await machine()
        try await accept(machine, "one")
        machine.daemon.fleetRunner.setPresence(false)
        await machine.settle()
        let reason = "today-fleet is not running here, which would ask the fleet"
        #expect(machine.item(try widget())?.failure == reason)
        #expect(machine.item(try widget())?.content?.text == "one")
        let listener = RecordingListener()
        try await update(machine, for: listener)
        #expect(listener.answers.last?.answer == .failed && listener.answers.last?.reason == reason)
    }

    /// today-fleet starts a little later than todayd.
    @Test @LoopActor func itWaitsAMomentInSilence() async throws {
        let runner = FleetRunner(SimulatedRunner(clock: { .now }), grace: .milliseconds(50))
        var outcomes: [RunOutcome] = []
        runner.onReport = { report in
            switch report {
            case .finished(let outcome), .update(let outcome): outcomes.append(outcome)
            default: break
            }
        }
        var manifest = Manifest(
            id: try widget(), displayName: "A", update: UpdatePlan(command: ["/bin/echo"], contentProtocol: .text))
        manifest.update.fleet = FleetPlan(.fleet)
        runner.start(RunRequest(run: 1, manifest: manifest, reason: .boot, mode: .compact))
        try await eventually("the absence is told") { @LoopActor in outcomes.count == 2 }
        #expect(outcomes.map(\.isSilent) == [true, false] && outcomes.map(\.isFailure) == [false, true])
        runner.start(RunRequest(run: 2, manifest: manifest, reason: .schedule, mode: .compact))
        try await eventually("later at once") { @LoopActor in outcomes.count == 3 }
        #expect(outcomes.last?.isFailure == true)
    }

    /// Who may write to etcd must not have something executed by all who click.
    @Test @LoopActor func commandsOfOthersAreNotExecuted() async throws {
        let machine = try await machine(fleet: "Scope=fleet\n[Widget]\nAllowsCommands=yes")
        try await accept(machine, "one")
        let id = try widget()
        do throws(Refusal) {
            _ = try machine.daemon.catalog.launch(of: ["true"], of: id)
            Issue.record("it is executed")
        } catch {
            #expect("\(error)".contains("another machine has written them"))
        }
    }

    /// Hidden, it takes part in nothing, and shows afterwards what the fleet has accepted meanwhile.
    @Test @LoopActor func aHiddenWidgetWaits() async throws {
        let machine = try await machine()
        try await accept(machine, "one")
        await machine.change(.choice(try widget(), .enabled(false)))
        try await accept(machine, "two")
        await machine.change(.choice(try widget(), .enabled(true)))
        #expect(machine.item(try widget())?.content?.text == "two")
    }

    /// A client that waits for the fleet is answered, also where the widget is hidden or goes.
    @Test(arguments: ["hidden", "gone", "stopped"]) @LoopActor func aWaitEnds(by event: String) async throws {
        let machine = try await machine()
        try await accept(machine, "one")
        let listener = RecordingListener()
        try await update(machine, for: listener)
        let confirmed = machine.daemon.catalog.own(of: try widget())?.confirmed
        switch event {
        case "hidden": await machine.change(.choice(try widget(), .enabled(false)))
        case "gone": try await machine.delete("org.test.a.widget")
        default: machine.daemon.fleetRunner.stopAll(because: "stopping") {}
        }
        await machine.settle()
        #expect(listener.answers.last?.isFinal == true, "\(listener.answers)")
        if event == "hidden" {
            let after = machine.daemon.catalog.own(of: try widget())?.confirmed
            #expect(after == confirmed, "the fleet has confirmed nothing")
            await machine.change(.choice(try widget(), .enabled(true)))
            try await accept(machine, "two")
            #expect(machine.item(try widget())?.content?.text == "two")
        }
    }

    @Test @LoopActor func aManifestThatGoesEndsIt() async throws {
        let machine = try await machine()
        try await accept(machine, "one")
        try await machine.delete("org.test.a.widget")
        try await accept(machine, "two")
        #expect(machine.item(try widget()) == nil)
    }

    /// Machines share a run where the files and the settings are the same.
    @Test(arguments: [
        ("", true), ("# a comment", true), ("[Settings]\nCITY=string default=x", false),
        ("[Limits]\nTasksMax=9", false),
        ("[Fleet]\nWhenAlone=run", true),
    ]) @LoopActor func theHashIsOfWhatTheFilesSay(more: String, isSame: Bool) async throws {
        @LoopActor func hash(_ more: String) async throws -> JSON? {
            let machine = try await machine(fleet: "Scope=fleet\n\(more)")
            let manifest = try #require(machine.daemon.catalog.validManifest(of: try widget()))
            return machine.daemon.catalog.fleetOffer(of: manifest)?["hash"]
        }
        let (plain, changed) = (try await hash(""), try await hash(more))
        #expect((plain == changed) == isSame)
    }

    @Test @LoopActor func settingsOfAUserMakeAnotherWidget() async throws {
        let settings = "Scope=site\nWhenAlone=run\n[Settings]\nCITY=string default=x\nTOKEN=secret"
        let machine = try await machine(fleet: settings)
        @LoopActor func offer() throws -> JSON {
            let manifest = try #require(machine.daemon.catalog.validManifest(of: try widget()))
            return try #require(machine.daemon.catalog.fleetOffer(of: manifest))
        }
        let before = try offer()
        #expect(before["ofSite"] == true && before["runsAlone"] == true && before["runs"] == true)
        #expect(before["interval"] == 3_600_000_000)
        @LoopActor func set(_ name: String, _ value: String) async throws {
            let change = try machine.daemon.catalog.settingsChange([(name, value)], unset: [], of: try widget())
            await machine.change(change)
        }
        try await set("TOKEN", "t")
        #expect(try offer() == before)
        try await set("CITY", "y")
        #expect(try offer()["hash"] != before["hash"])
        await machine.change(.choice(try widget(), .enabled(false)))
        #expect(try offer()["runs"] == false)
    }
}
