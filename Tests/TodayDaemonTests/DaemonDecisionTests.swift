// SPDX-License-Identifier: MIT
import Glibc
import JSON
import QueryService
import Reactor
import Runner
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import SnapshotStore
@testable import TodayDaemon

/// The daemon's decisions, with real stages except for the runner.
@Suite struct DaemonDecisionTests: DaemonDeciding {
    init() { TestLoop.start() }

    // MARK: Pushes

    @Test @LoopActor func takingBackAsksTheWidgetThatHasNeverAnswered() async throws {
        let machine = try await machine(answers: .failed("no network"))
        await machine.push(Content(text: "pushed"), to: try widget())
        #expect(machine.runner.running.isEmpty)
        await machine.change(.takeBack(try widget()))
        #expect(machine.runner.running.values.map(\.request.reason) == [.request])
    }

    @Test @LoopActor func pushedContentSaysWhenToAsk() async throws {
        let machine = try await machine()
        var content = Content(text: "pushed")
        content.nextUpdate = .minutes(2)
        await machine.push(content, to: try widget())
        await machine.pass(.minutes(3))
        #expect(machine.runner.running.count == 1)
    }

    // MARK: Display modes

    @Test(arguments: ["json", "varlink"])
    @LoopActor func aModeThatIsChosenIsDrawnOnce(contentProtocol: String) async throws {
        let machine = try await machine(contentProtocol)
        if contentProtocol == "varlink" { machine.daemon.processes.began(1, of: try widget()) }
        #expect(await machine.change(.choice(try widget(), .displayMode(.expanded))) == nil)
        let request = try await finish(machine, .newData(Content(text: "large")))
        #expect(request.interaction == (contentProtocol == "varlink" ? .displayMode : nil))
        #expect(request.mode == .expanded)
        await machine.pass(.minutes(1))
        #expect(machine.runner.running.isEmpty)
    }

    /// A widget that chooses its mode runs like one that is behind, so that two widgets that answer each other do not
    /// loop.
    @Test @LoopActor func aModeThatTheWidgetChoosesIsAnUpdate() async throws {
        let machine = try await machine("varlink")
        machine.daemon.processes.began(1, of: try widget())
        await machine.change(.choice(try widget(), .displayMode(.expanded)))
        try await finish(machine, .newData(Content(text: "large")))
        machine.daemon.answers.setLargestDisplayMode(.compact, of: try widget(), context: 1)
        machine.daemon.scheduler.clockChanged()
        await machine.settle()
        #expect(machine.runner.running.values.map(\.request.interaction) == [nil])
        #expect(try machine.item(widget())?.mode == .compact)
        #expect(await machine.change(.choice(try widget(), .displayMode(.expanded))) != nil)
    }

    @Test @LoopActor func aWidgetChoosesNoMoreThanItsManifestDeclares() async throws {
        let machine = try await machine("varlink", largest: "compact")
        machine.daemon.processes.began(1, of: try widget())
        machine.daemon.answers.setLargestDisplayMode(.expanded, of: try widget(), context: 1)
        #expect(try machine.item(widget())?.largestMode == .compact)
    }

    @Test @LoopActor func aRunThatFailsSaysNothingOfTheLargestMode() async throws {
        let machine = try await machine("varlink")
        machine.daemon.store.remember(try widget()) { $0.largestMode = .compact }
        machine.daemon.processes.began(1, of: try widget())
        await machine.pass(.hours(2))
        try await finish(machine, .failed("no network"))
        #expect(try machine.daemon.store.memory(of: widget()).largestMode == .compact)
        await machine.pass(.minutes(2))
        try await finish(machine, .noData)
        #expect(try machine.daemon.store.memory(of: widget()).largestMode == nil)
    }

    // MARK: Over a restart

    @Test @LoopActor func aStatedWaitHoldsOverARestart() async throws {
        let machine = try await machine()
        await machine.pass(.hours(2))
        try await finish(machine, .failed("rate limited"), nextAsk: .wait(.hours(5)))
        try await crash(machine)
        await machine.pass(.hours(4))
        #expect(machine.runner.running.isEmpty)
        await machine.pass(.hours(2))
        #expect(machine.runner.running.count == 1)
    }

    @Test @LoopActor func whatWasConfirmedIsAsOldAsItsConfirmation() async throws {
        let machine = try await machine()
        await machine.pass(.minutes(70))
        try await finish(machine, .noData)
        try await crash(machine)
        #expect(machine.runner.running.isEmpty)
        await machine.pass(.minutes(50))
        #expect(machine.runner.running.isEmpty)
        await machine.pass(.minutes(20))
        #expect(machine.runner.running.count == 1)
    }

    // MARK: Who is behind

    @LoopActor private func seen(_ machine: SimulatedMachine) throws -> Int64 {
        machine.daemon.store.memory(of: try widget()).seen?.groups[AppGroup("group.g")] ?? 0
    }

    @Test @LoopActor func oneThatHasNeverSucceededRunsForNewDefaults() async throws {
        let machine = try await machine(answers: .failed("no network"))
        try await write(machine, 1)
        #expect(machine.runner.running.values.map(\.request.reason) == [.defaults])
    }

    /// The widget stays behind, and its retry comes at its usual time.
    @Test @LoopActor func aRunThatFailsHasSeenNothingAndIsNotRepeatedAtOnce() async throws {
        let machine = try await machine()
        try await write(machine, 1)
        try await finish(machine, .failed("no network"))
        #expect(try seen(machine) == 0)
        await machine.pass(.seconds(5))
        #expect(machine.runner.running.isEmpty)
        await machine.pass(.minutes(1))
        try await finish(machine, .newData(Content(text: "new")))
        #expect(try seen(machine) == 1)
    }

    @Test @LoopActor func anEditorHasSeenNothing() async throws {
        let machine = try await machine()
        await machine.perform(.beginEditing, of: try widget())
        try await finish(machine, .newData(Content(text: "editor")))
        try await write(machine, 1)
        #expect(try await finish(machine, .newData(Content(text: "editor"))).isEditing)
        #expect(try seen(machine) == 0)
    }

    @Test @LoopActor func whatAButtonWritesIsDrawnByAnUpdate() async throws {
        let machine = try await machine(answers: .newData(Self.button))
        await machine.perform(.action("press"), of: try widget())
        try await write(machine, 1, by: try widget())
        try await finish(machine, .newData(Self.button))
        #expect(machine.runner.running.values.map(\.request.reason) == [.defaults])
    }

    @Test @LoopActor func aModeThatIsChosenDuringARunIsDrawnByTheNext() async throws {
        let machine = try await machine("varlink")
        await machine.pass(.hours(2))
        await machine.change(.choice(try widget(), .displayMode(.expanded)))
        #expect(try await finish(machine, .noData).mode == .compact)
        let next = try await finish(machine, .noData)
        #expect(next.mode == .expanded)
        #expect(next.interaction == nil)
        await machine.pass(.minutes(1))
        #expect(machine.runner.running.isEmpty)
    }

    @Test @LoopActor func aModeThatIsChosenWhileItIsHiddenIsDrawnWhenItIsShown() async throws {
        let machine = try await machine("varlink")
        await machine.change(.choice(try widget(), .hasContent(false)))
        await machine.change(.choice(try widget(), .displayMode(.expanded)))
        #expect(machine.runner.running.isEmpty)
        await machine.change(.choice(try widget(), .hasContent(true)))
        #expect(try await finish(machine, .newData(Content(text: "large"))).mode == .expanded)
    }

    /// New defaults need an update, even for a running program that could draw for another size.
    @Test @LoopActor func newDefaultsAreAnUpdateOfAProgramThatIsThere() async throws {
        let machine = try await machine("varlink")
        machine.daemon.processes.began(1, of: try widget())
        try await write(machine, 1)
        #expect(machine.runner.running.values.map(\.request.interaction) == [nil])
        #expect(machine.runner.running.values.map(\.request.reason) == [.defaults])
    }

    /// Memories of an older version lack the size for which the widget has drawn.
    @Test @LoopActor func aSizeThatIsNotRememberedFits() async throws {
        let machine = try await machine()
        machine.daemon.store.remember(try widget()) { $0.seen = Premises() }
        await machine.pass(.hours(2))
        #expect(try await finish(machine, .noData).fits)
    }

    /// A process that chooses no largest mode has that of the manifest, which the user has chosen before.
    @Test @LoopActor func aModeThatIsThereAgainIsDrawn() async throws {
        let machine = try await machine("varlink")
        machine.daemon.processes.began(1, of: try widget())
        machine.daemon.answers.setLargestDisplayMode(.compact, of: try widget(), context: 1)
        machine.daemon.store.change(.choice(try widget(), .displayMode(.expanded)))
        await machine.settle()
        #expect(machine.runner.running.isEmpty)
        machine.daemon.processes.began(2, of: try widget())
        await machine.pass(.hours(2))
        #expect(try await finish(machine, .noData).mode == .compact)
        await machine.pass(.seconds(1))
        let next = try await finish(machine, .newData(Content(text: "large")))
        #expect(next.mode == .expanded && next.interaction == nil)
        await machine.pass(.minutes(1))
        #expect(machine.runner.running.isEmpty)
    }

    // MARK: Who looks

    @Test @LoopActor func aWidgetIsToldInWhichSceneAHostLooks() async throws {
        let machine = try await machine("varlink", answers: .failed("no network"))
        machine.daemon.answers.looksChanged(began: [try widget()], ended: [])
        await machine.pass(.minutes(2))
        try await finish(machine, .newData(Content(text: "own")))
        await machine.perform(.beginEditing, of: try widget())
        machine.daemon.answers.looksChanged(began: [], ended: [try widget()])
        #expect(machine.runner.told.map(\.look) == [.appear, .disappear])
        #expect(machine.runner.told.map(\.scene.isKnown) == [false, true])
        #expect(machine.runner.told.map(\.scene.isEditing) == [false, true])
    }

    @Test @LoopActor func aPlaceholderIsForThoseThatHaveNotAnswered() async throws {
        let machine = try await machine(answers: .failed("no network"))
        machine.runner.onPlaceholder(try widget(), Content(text: "--"))
        #expect(try machine.daemon.store.layers(of: widget()).placeholder?.text == "--")
        await machine.pass(.minutes(2))
        try await finish(machine, .newData(Content(text: "own")))
        machine.runner.onPlaceholder(try widget(), Content(text: "--"))
        #expect(try machine.daemon.store.layers(of: widget()).placeholder == nil)
    }
}
