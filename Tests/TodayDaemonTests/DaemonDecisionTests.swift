// SPDX-License-Identifier: MIT
import Glibc
import QueryService
import Reactor
import Runner
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import SnapshotStore
@testable import TodayDaemon

/// What the daemon makes of the decisions of its stages, with real ones of all but the runner.
@Suite struct DaemonDecisionTests {
    init() { TestLoop.start() }

    private func widget(_ name: String = "a") throws -> WidgetID { try #require(WidgetID("org.test.\(name)")) }

    private static func manifest(
        _ name: String, _ contentProtocol: String, largest: String = "expanded"
    ) -> (name: String, text: String) {
        (
            "org.test.\(name).widget",
            """
            [Widget]
            AllowsEditing=yes
            LargestDisplayMode=\(largest)
            AppGroups=group.g
            [Update]
            ExecStart=/bin/true
            Protocol=\(contentProtocol)
            Interval=1h
            """
        )
    }

    /// A machine whose widget has answered, unless its first run fails.
    @LoopActor private func machine(
        _ contentProtocol: String = "json", answers result: RunOutcome.Result = .newData(Content(text: "own")),
        nextAsk: NextAsk? = nil, largest: String = "expanded"
    ) async throws -> SimulatedMachine {
        let machine = try SimulatedMachine([Self.manifest("a", contentProtocol, largest: largest)])
        await machine.settle()
        try await finish(machine, result, nextAsk: nextAsk)
        return machine
    }

    /// Ends the only run that is in progress.
    @LoopActor @discardableResult private func finish(
        _ machine: SimulatedMachine, _ result: RunOutcome.Result, nextAsk: NextAsk? = nil
    ) async throws -> RunRequest {
        #expect(machine.runner.running.count == 1)
        let request = try #require(machine.runner.running.values.first?.request)
        await machine.finish(request.run, result, nextAsk: nextAsk)
        return request
    }

    /// Everything is on disk when a change is.
    @LoopActor private func crash(_ machine: SimulatedMachine) async throws {
        await machine.change(.defaults(group: AppGroup("group.x"), key: "k", value: 1, writer: nil))
        try await machine.kill()
    }

    // MARK: Pushes

    @Test @LoopActor func takingBackAsksTheWidgetThatHasNeverAnswered() async throws {
        let machine = try await machine(answers: .failed("no network"))
        await machine.change(.push(try widget(), Content(text: "pushed"), timeToLive: nil, by: "user 0"))
        #expect(machine.runner.running.isEmpty)
        await machine.change(.takeBack(try widget()))
        #expect(machine.runner.running.values.map(\.request.reason) == [.request])
    }

    @Test @LoopActor func pushedContentSaysWhenToAsk() async throws {
        let machine = try await machine()
        var content = Content(text: "pushed")
        content.nextUpdate = .minutes(2)
        await machine.change(.push(try widget(), content, timeToLive: nil, by: "user 0"))
        await machine.pass(.minutes(3))
        #expect(machine.runner.running.count == 1)
    }

    // MARK: Display modes

    @Test(arguments: ["json", "varlink"])
    @LoopActor func aModeThatIsChosenIsDrawnOnce(contentProtocol: String) async throws {
        let machine = try await machine(contentProtocol)
        #expect(await machine.change(.displayMode(try widget(), .expanded)) == nil)
        let request = try await finish(machine, .newData(Content(text: "large")))
        #expect(request.errand == (contentProtocol == "varlink" ? .displayMode : nil))
        #expect(request.mode == .expanded)
        await machine.pass(.minutes(1))
        #expect(machine.runner.running.isEmpty)
    }

    /// A widget that chooses for itself comes as one that is behind does: two that answer each other end somewhere.
    @Test @LoopActor func aModeThatTheWidgetChoosesIsAnUpdate() async throws {
        let machine = try await machine("varlink")
        await machine.change(.displayMode(try widget(), .expanded))
        try await finish(machine, .newData(Content(text: "large")))
        machine.daemon.answers.contexts.began(1, of: try widget())
        machine.daemon.answers.setLargestDisplayMode(.compact, of: try widget(), context: 1)
        machine.daemon.scheduler.clockChanged()
        await machine.settle()
        #expect(machine.runner.running.values.map(\.request.errand) == [nil])
        #expect(machine.item(try widget())?.mode == .compact)
        #expect(await machine.change(.displayMode(try widget(), .expanded)) != nil)
    }

    @Test @LoopActor func aWidgetChoosesNoMoreThanItsManifestDeclares() async throws {
        let machine = try await machine("varlink", largest: "compact")
        machine.daemon.answers.contexts.began(1, of: try widget())
        machine.daemon.answers.setLargestDisplayMode(.expanded, of: try widget(), context: 1)
        #expect(machine.item(try widget())?.largestMode == .compact)
    }

    @Test @LoopActor func aRunThatFailsSaysNothingOfTheLargestMode() async throws {
        let machine = try await machine("varlink")
        machine.daemon.store.remember(try widget()) { $0.largestMode = .compact }
        machine.daemon.answers.contexts.began(1, of: try widget())
        await machine.pass(.hours(2))
        try await finish(machine, .failed("no network"))
        #expect(machine.daemon.store.memory(of: try widget()).largestMode == .compact)
        await machine.pass(.minutes(2))
        try await finish(machine, .noData)
        #expect(machine.daemon.store.memory(of: try widget()).largestMode == nil)
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

    // MARK: Editing

    @Test(arguments: [true, false])
    @LoopActor func anEditorThatHasNotOpenedEndsAfterFiveMinutes(isKnown: Bool) async throws {
        let machine = try await machine(answers: isKnown ? .newData(Content(text: "own")) : .failed("no network"))
        await machine.perform(.beginEditing, of: try widget())
        let ends = machine.now.boot + .minutes(5)
        let shown = try #require(machine.daemon.catalog.item(try widget()))
        #expect(shown.item.isEdited)
        #expect(shown.validUntil == ends)
        let begin = try await finish(machine, .newData(Content(text: "editor")))
        #expect(begin.isEditing)
        await machine.pass(.minutes(5))
        #expect(machine.item(try widget())?.isEdited == false)
        #expect(machine.runner.running.values.compactMap(\.request.errand) == [.endEditing(isCancelled: true)])
    }

    @Test @LoopActor func aProgramThatMayNotRunBeginsAnewAfterEditing() async throws {
        let machine = try await machine()
        await machine.perform(.beginEditing, of: try widget())
        try await finish(machine, .newData(Content(text: "editor")))
        #expect(machine.runner.dismissed.isEmpty)
        await machine.change(.hasContent(try widget(), false))
        #expect(try machine.runner.dismissed == [widget()])
        #expect(machine.daemon.store.drafts.isEmpty)
        // Nor can it begin to be edited.
        await machine.perform(.beginEditing, of: try widget())
        #expect(machine.daemon.store.drafts.isEmpty)
    }

    @Test @LoopActor func aButtonBeginsNoEditing() async throws {
        let machine = try await machine(answers: .newData(Self.button))
        await machine.perform(.action("press"), of: try widget())
        #expect(machine.runner.running.values.map(\.request.isEditing) == [false])
        #expect(machine.daemon.store.drafts.isEmpty)
    }

    private static let button: Content = {
        var content = Content(text: "own")
        content.compact = .button(.init(title: "press", action: "press"))
        return content
    }()

    /// What is shown ends at once, even if the program hears of it later.
    @Test @LoopActor func theEditorIsGoneBeforeTheProgramHearsOfIt() async throws {
        let machine = try await machine()
        await machine.perform(.beginEditing, of: try widget())
        try await finish(machine, .newData(Self.button))
        await machine.perform(.action("press"), of: try widget())
        await machine.perform(.endEditing(isCancelled: false), of: try widget())
        #expect(machine.runner.running.values.map(\.request.reason) == [.action])
        #expect(machine.item(try widget())?.isEdited == false)
        #expect(machine.item(try widget())?.content?.text == "own")
    }

    /// Too many presses wait for the widget already.
    @Test @LoopActor func whatCannotBeToldEndsWithoutTheProgram() async throws {
        let machine = try await machine(answers: .newData(Self.button))
        for _ in 0..<20 { await machine.perform(.action("press"), of: try widget()) }
        await machine.perform(.beginEditing, of: try widget())
        #expect(machine.daemon.store.drafts.isEmpty)
    }

    @Test @LoopActor func anEditorThatCannotBeEndedIsForgotten() async throws {
        let machine = try await machine()
        await machine.perform(.beginEditing, of: try widget())
        try await finish(machine, .newData(Self.button))
        for _ in 0..<20 { await machine.perform(.action("press"), of: try widget()) }
        await machine.pass(.minutes(5))
        #expect(machine.daemon.store.drafts.isEmpty)
        #expect(try machine.runner.dismissed == [widget()])
    }

    // MARK: Who is behind

    @LoopActor private func write(_ machine: SimulatedMachine, _ value: JSON, by writer: WidgetID? = nil) async throws {
        let group = AppGroup("group.g")
        await machine.change(.defaults(group: group, key: "k", value: value, writer: writer))
    }

    @LoopActor private func seen(_ machine: SimulatedMachine) throws -> Int64 {
        machine.daemon.store.memory(of: try widget()).seen?.groups[AppGroup("group.g")] ?? 0
    }

    @Test @LoopActor func oneThatHasNeverSucceededRunsForNewDefaults() async throws {
        let machine = try await machine(answers: .failed("no network"))
        try await write(machine, 1)
        #expect(machine.runner.running.values.map(\.request.reason) == [.defaults])
    }

    /// It stays behind, and its retry comes in its own time.
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
        await machine.change(.displayMode(try widget(), .expanded))
        #expect(try await finish(machine, .noData).mode == .compact)
        let next = try await finish(machine, .noData)
        #expect(next.mode == .expanded)
        #expect(next.errand == nil)
        await machine.pass(.minutes(1))
        #expect(machine.runner.running.isEmpty)
    }

    @Test @LoopActor func aModeThatIsChosenWhileItIsHiddenIsDrawnWhenItIsShown() async throws {
        let machine = try await machine("varlink")
        await machine.change(.hasContent(try widget(), false))
        await machine.change(.displayMode(try widget(), .expanded))
        #expect(machine.runner.running.isEmpty)
        await machine.change(.hasContent(try widget(), true))
        #expect(try await finish(machine, .newData(Content(text: "large"))).mode == .expanded)
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
        #expect(machine.daemon.store.layers(of: try widget()).placeholder?.text == "--")
        await machine.pass(.minutes(2))
        try await finish(machine, .newData(Content(text: "own")))
        machine.runner.onPlaceholder(try widget(), Content(text: "--"))
        #expect(machine.daemon.store.layers(of: try widget()).placeholder == nil)
    }

    // MARK: Calls from before the start

    /// The file stays where the disk has not taken all of it, and goes when nothing of it can be done later.
    private static let pending: [(line: String, isClosed: Bool, stays: Bool)] = [
        ("no call at all", false, false),
        (#"{"method":"org.todayd.Today.SetDefaults","parameters":{"group":"group.g","key":""}}"#, false, false),
        (
            #"{"method":"org.todayd.Today.SetDefaults","parameters":{"group":"group.g","key":"k","value":{"value":1}}}"#,
            true, true
        ),
    ]

    @Test(arguments: pending)
    @LoopActor func whatCannotBeDoneLaterIsNotKept(_ row: (line: String, isClosed: Bool, stays: Bool)) async throws {
        let machine = try await machine()
        try machine.directory.makeDirectory("state/groups")
        try machine.directory.makeDirectory("state/groups/group.g")
        try machine.directory.write(row.line, to: "state/groups/group.g/pending")
        if row.isClosed { #expect(machine.daemon.store.close()) }
        machine.daemon.makePendingCalls()
        await machine.settle()
        #expect((access(machine.directory("state/groups/group.g/pending"), F_OK) == 0) == row.stays)
    }

    /// A process that holds the lock of the file for ever does not hold up the daemon.
    @Test @LoopActor func aLockedFileIsLookedAtOnce() async throws {
        let machine = try await machine()
        try machine.directory.makeDirectory("state/groups")
        try machine.directory.makeDirectory("state/groups/group.g")
        let path = try machine.directory.write("no call at all", to: "state/groups/group.g/pending")
        let holder = open(path, O_RDONLY | O_CLOEXEC)
        try #require(holder >= 0 && flock(holder, LOCK_EX) == 0)
        defer { close(holder) }
        machine.daemon.makePendingCalls()
        await machine.settle()
        #expect(access(path, F_OK) == 0)
    }
}
