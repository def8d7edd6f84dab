// SPDX-License-Identifier: MIT
import JSON
import QueryService
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore
@testable import TodayDaemon

/// The settings of widgets: what may be set, what runs get, and which change makes a widget run.
@Suite struct WidgetSettingsTests: DaemonDeciding {
    init() { TestLoop.start() }

    private static let lines =
        "[Settings]\nCITY=string default=Berlin\nCOUNT=number max=5\nTOKEN=secret\nTAGS=list default=\"a 'b c'\""

    @LoopActor private func configured(
        _ contentProtocol: String = "json", _ lines: String = lines,
        answers result: RunOutcome.Result = .newData(Content(text: "own"))
    ) async throws -> SimulatedMachine {
        try await machine(contentProtocol, answers: result, more: lines)
    }

    /// Sets values as a client does, and returns the reason of a refusal.
    @LoopActor @discardableResult private func set(
        _ machine: SimulatedMachine, _ texts: [(name: String, text: String)], unset: [String] = []
    ) async throws -> String? {
        let id = try widget()
        do throws(Refusal) {
            let change = try machine.daemon.catalog.settingsChange(texts, unset: unset, of: id)
            return await machine.change(change).map { "\($0)" }
        } catch {
            return "\(error)"
        }
    }

    @LoopActor private func write(_ machine: SimulatedMachine, settings: String) async throws {
        let (name, text) = Self.manifest("a", "json", more: "[Settings]\n\(settings)")
        try await machine.write(text, to: name)
    }

    // MARK: Setting

    @Test @LoopActor func valuesAreSetTogether() async throws {
        let machine = try await configured()
        #expect(try await set(machine, [("CITY", "Bern"), ("TOKEN", "hunter2"), ("TAGS", "x \"y z\"")]) == nil)
        let settings = try machine.daemon.catalog.settings(of: widget()).own
        #expect(settings.map(\.setting.name) == ["CITY", "COUNT", "TOKEN", "TAGS"])
        #expect(settings.map(\.text) == ["Bern", nil, nil, "x\ny z"])
        #expect(settings.map(\.isSet) == [true, false, true, true])
        #expect(try await set(machine, [("COUNT", "4")], unset: ["CITY", "COUNT2"]) != nil)
        #expect(try await set(machine, [("COUNT", "4")], unset: ["CITY"]) == nil)
        #expect(try machine.daemon.catalog.settings(of: widget()).own.map(\.text) == ["Berlin", "4", nil, "x\ny z"])
        try await machine.restart()
        #expect(try machine.daemon.catalog.settings(of: widget()).own.map(\.text) == ["Berlin", "4", nil, "x\ny z"])
    }

    @Test @LoopActor func aValueThatDoesNotFitRefusesAll() async throws {
        let machine = try await configured()
        let refusals: [([(String, String)], [String], String)] = [
            ([("CITY", "Bern"), ("COUNT", "6")], [], "COUNT: \"6\" is more than 5"),
            ([("CITI", "Bern")], [], "org.test.a has no setting \"CITI\"; did you mean CITY?"),
            ([("width", "5")], [], "org.test.a has no setting \"width\"; did you mean BarWidth?"),
            ([("X", "1")], [], "org.test.a has no setting \"X\"; it has CITY, COUNT, TOKEN, TAGS"),
            ([], ["X"], "org.test.a has no setting \"X\"; it has CITY, COUNT, TOKEN, TAGS"),
            ([("CITY", "Bern")], ["CITY"], "CITY cannot be set and unset at once"),
            ([("TOKEN", "hunter2\u{1b}")], [], "TOKEN: the secret contains a terminal escape sequence"),
        ]
        for (texts, unset, reason) in refusals { #expect(try await set(machine, texts, unset: unset) == reason) }
        #expect(try machine.daemon.store.settings(of: widget()).isEmpty)
        #expect(machine.runner.running.isEmpty)
        try await write(machine, settings: "")
        #expect(try await set(machine, [("X", "1")])?.hasSuffix("its manifest declares none") == true)
        try await write(machine, settings: "PATH=string")
        let refusal = try await set(machine, [("X", "1")])
        #expect(refusal?.hasPrefix("the manifest of org.test.a is not valid: org.test.a.widget:10: PATH=:") == true)
    }

    @Test @LoopActor func whatNoLongerFitsCountsAsNotSet() async throws {
        let machine = try await configured()
        try await set(machine, [("CITY", "Bern"), ("COUNT", "4"), ("TOKEN", "hunter2")])
        try await finish(machine, .noData)
        try await write(machine, settings: "CITY=boolean\nCOUNT=number max=3 default=1\nTOKEN=string")
        let settings = try machine.daemon.catalog.settings(of: widget()).own
        #expect(settings.map(\.text) == [nil, "1", nil])
        #expect(settings.map(\.isSet) == [false, false, false])
        #expect(
            settings.map(\.complaint) == [
                "is neither yes nor no", "is more than 3", "was set as a secret, and is no longer one",
            ])
        await machine.pass(.seconds(1))
        #expect(try await finish(machine, .noData).settings == ["COUNT": "1"])
        // The values come back with the declarations, and can be removed while those are gone.
        try await write(machine, settings: "X=string")
        #expect(try await set(machine, [], unset: ["TOKEN"]) == nil)
        try await write(machine, settings: "CITY=string\nTOKEN=secret")
        #expect(try machine.daemon.catalog.settings(of: widget()).own.map(\.isSet) == [true, false])
    }

    /// Values of settings that have gone do not fill the database.
    @Test @LoopActor func forgottenSettingsAreBounded() async throws {
        let machine = try await configured()
        for round in 0..<3 {
            let names = (0..<Setting.most).map { "R\(round)_\($0)" }
            try await write(machine, settings: names.map { "\($0)=string" }.joined(separator: "\n"))
            #expect(try await set(machine, names.map { ($0, "x") }) == nil)
        }
        #expect(try machine.daemon.store.settings(of: widget()).count == Setting.most)
    }

    // MARK: Running

    @Test @LoopActor func updatesAndActionsGetTheValues() async throws {
        let machine = try await configured(answers: .newData(Self.button))
        try await set(machine, [("CITY", "Bern"), ("TOKEN", "hunter2")])
        let values = ["CITY": "Bern", "TOKEN": "hunter2", "TAGS": "a\nb c"]
        let update = try await finish(machine, .newData(Self.button))
        #expect(update.settings == values && update.reason == .behind && update.interaction == nil)
        await machine.perform(.action("press"), of: try widget())
        #expect(try await finish(machine, .noData).settings == values)
        #expect(
            try machine.daemon.catalog.description(of: widget())["settings"]
                == .object(JSONObject(values.map { ($0.key, .string($0.value)) })))
        await machine.pass(.minutes(1))
        #expect(machine.runner.running.isEmpty)
    }

    @Test @LoopActor func theSameValueAgainIsNoReasonToRun() async throws {
        let machine = try await configured()
        try await set(machine, [("CITY", "Bern")])
        try await finish(machine, .noData)
        try await set(machine, [("CITY", "Bern")], unset: ["COUNT"])
        await machine.pass(.minutes(1))
        #expect(machine.runner.running.isEmpty)
        // Without the value it is another city.
        try await set(machine, [], unset: ["CITY"])
        await machine.pass(.seconds(1))
        #expect(try await finish(machine, .noData).settings["CITY"] == "Berlin")
    }

    /// A value with which the widget fails is taken back: its last good answer was made from the values of now, but its last
    /// run was not.
    @Test @LoopActor func whatWasWrongIsRunAgainWhenItIsTakenBack() async throws {
        let machine = try await configured()
        try await set(machine, [("CITY", "Bern")])
        try await finish(machine, .newData(Content(text: "12")))
        await machine.pass(.seconds(5))
        try await set(machine, [("CITY", "Brn")])
        try await finish(machine, .failed("there is no Brn"))
        await machine.pass(.seconds(5))
        #expect(machine.runner.running.isEmpty)
        try await set(machine, [("CITY", "Bern")])
        #expect(try await finish(machine, .noData).settings["CITY"] == "Bern")
        await machine.pass(.minutes(1))
        #expect(machine.runner.running.isEmpty)
    }

    @Test @LoopActor func aHiddenWidgetRunsWhenItIsShown() async throws {
        let machine = try await configured()
        await machine.change(.choice(try widget(), .hasContent(false)))
        try await set(machine, [("CITY", "Bern")])
        #expect(machine.runner.running.isEmpty)
        try await machine.restart()
        #expect(machine.runner.running.isEmpty)
        await machine.change(.choice(try widget(), .hasContent(true)))
        #expect(try await finish(machine, .noData).settings["CITY"] == "Bern")
        await machine.pass(.minutes(1))
        #expect(machine.runner.running.isEmpty)
    }

    /// A widget that lacks its key fails, and runs at once when it gets it.
    @Test @LoopActor func aFailingWidgetRunsAtOnce() async throws {
        for wait in [nil, NextAsk.wait(.days(1))] {
            let machine = try await machine(
                answers: .failed("no key"), nextAsk: wait, more: Self.lines)
            try await set(machine, [("TOKEN", "hunter2")])
            #expect(try await finish(machine, .newData(Content(text: "own"))).settings["TOKEN"] == "hunter2")
        }
    }

    @Test @LoopActor func aChangeDuringARunLeadsToAnother() async throws {
        let machine = try await configured()
        await machine.pass(.hours(2))
        try await set(machine, [("CITY", "Bern")])
        #expect(try await finish(machine, .noData).settings["CITY"] == "Berlin")
        #expect(try await finish(machine, .noData).settings["CITY"] == "Bern")
    }

    /// After an upgrade, a widget has not yet seen any settings: defaults alone are no reason to run.
    @Test @LoopActor func newDefaultsAloneAreNoReasonToRunButChangedOnesAre() async throws {
        let machine = try await configured("json", "")
        try await write(machine, settings: "CITY=string default=Berlin")
        await machine.pass(.minutes(1))
        #expect(machine.runner.running.isEmpty)
        await machine.pass(.hours(2))
        try await finish(machine, .noData)
        try await write(machine, settings: "CITY=string default=Hamburg")
        #expect(try await finish(machine, .noData).settings["CITY"] == "Hamburg")
    }

    @Test @LoopActor func aChangeAtAnEarlierVersionIsFound() async throws {
        let machine = try await configured("json", "")
        try await write(machine, settings: "CITY=string default=Berlin")
        await machine.change(.choice(try widget(), .hasContent(false)))
        try await set(machine, [("CITY", "Bern")])
        await machine.change(.choice(try widget(), .hasContent(true)))
        #expect(try await finish(machine, .noData).settings["CITY"] == "Bern")
    }

    /// A resident that is being edited keeps its program, so it runs with the new values when the edit has ended.
    @Test @LoopActor func anEditedWidgetRunsAfterTheEdit() async throws {
        let machine = try await configured("varlink")
        try await edit(machine)
        try await set(machine, [("CITY", "Bern")])
        await machine.finishAll(.newData(Content(text: "editor")))
        await machine.perform(.endEditing(isCancelled: false), of: try widget())
        try await finish(machine, .newData(Content(text: "own")))
        await machine.pass(.seconds(2))
        let last = try await finish(machine, .noData)
        #expect(last.settings["CITY"] == "Bern" && !last.isEditing && last.interaction == nil)
    }

    // MARK: Telling

    @Test @LoopActor func anEventHasTheNamesAlone() async throws {
        let machine = try await configured()
        let client = try await DaemonClient(of: machine)
        try await client.follow("Monitor")
        try await set(machine, [("TOKEN", "hunter2"), ("CITY", "Bern")])
        let events = try await client.events()
        #expect(events == ["choice org.test.a settings: CITY, TOKEN", "started org.test.a defaults"])
    }
}
