// SPDX-License-Identifier: MIT
import Glibc
import JSON
import QueryService
import Reactor
import Runner
import Scheduler
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import SnapshotStore
@testable import TodayDaemon

/// Drafts: from the request to edit to the end of editing, together with other events.
@Suite struct DraftTests: DaemonDeciding {
    init() { TestLoop.start() }

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
        #expect(try machine.item(widget())?.isEdited == false)
        #expect(machine.runner.running.values.compactMap(\.request.interaction) == [.endEditing(isCancelled: true)])
    }

    @Test @LoopActor func hidingAWidgetEndsEditingAndItsResident() async throws {
        let machine = try await machine()
        try await edit(machine)
        #expect(machine.runner.dismissed.isEmpty)
        await machine.change(.choice(try widget(), .hasContent(false)))
        #expect(try machine.runner.dismissed == [widget()])
        #expect(machine.daemon.store.drafts.isEmpty)
        // Nor can editing begin.
        await machine.perform(.beginEditing, of: try widget())
        #expect(machine.daemon.store.drafts.isEmpty)
    }

    @Test @LoopActor func aButtonBeginsNoEditing() async throws {
        let machine = try await machine(answers: .newData(Self.button))
        await machine.perform(.action("press"), of: try widget())
        #expect(machine.runner.running.values.map(\.request.isEditing) == [false])
        #expect(machine.daemon.store.drafts.isEmpty)
    }

    /// Hosts stop showing the editor at once, even if the program is told later.
    @Test @LoopActor func hostsStopShowingTheEditorBeforeTheProgramIsTold() async throws {
        let machine = try await machine()
        await machine.perform(.beginEditing, of: try widget())
        try await finish(machine, .newData(Self.button))
        await machine.perform(.action("press"), of: try widget())
        await machine.perform(.endEditing(isCancelled: false), of: try widget())
        #expect(machine.runner.running.values.map(\.request.reason) == [.action])
        #expect(try machine.item(widget())?.isEdited == false)
        #expect(try machine.item(widget())?.content?.text == "own")
    }

    /// Too many presses already wait for the widget.
    @Test @LoopActor func editingDoesNotBeginWhereTheProgramCannotBeTold() async throws {
        let machine = try await machine(answers: .newData(Self.button))
        for _ in 0..<20 { await machine.perform(.action("press"), of: try widget()) }
        await machine.perform(.beginEditing, of: try widget())
        #expect(machine.daemon.store.drafts.isEmpty)
    }

    @Test @LoopActor func anEditorThatCannotBeToldToEndIsAbandoned() async throws {
        let machine = try await machine()
        await machine.perform(.beginEditing, of: try widget())
        try await finish(machine, .newData(Self.button))
        for _ in 0..<20 { await machine.perform(.action("press"), of: try widget()) }
        await machine.pass(.minutes(5))
        #expect(machine.daemon.store.drafts.isEmpty)
        #expect(try machine.runner.dismissed == [widget()])
    }

    // MARK: Many requests

    /// One request after the other during a run, because only then do all of them wait.
    @Test(arguments: [[true, false], [true, false, true], [true, false, true, false]])
    @LoopActor func theLastWishOfTheUserCounts(wishes: [Bool]) async throws {
        let machine = try await machine("varlink")
        await machine.pass(.hours(2))
        for isBegin in wishes {
            await machine.perform(isBegin ? .beginEditing : .endEditing(isCancelled: false), of: try widget())
        }
        try await finish(machine, .newData(Content(text: "new")))
        for _ in wishes { try await finish(machine, .newData(Content(text: "editor"))) }
        #expect(machine.runner.running.isEmpty)
        #expect(try machine.item(widget())?.isEdited == wishes.last)
        #expect(try machine.daemon.store.layers(of: widget()).draft?.hasBegun == (wishes.last == true ? true : nil))
    }

    @Test @LoopActor func theProgramIsNotToldOfEditingThatIsOverBeforeItBegins() async throws {
        let machine = try await machine("varlink", answers: .newData(Self.button))
        await machine.pass(.hours(2))
        await machine.perform(.beginEditing, of: try widget())
        for _ in 0..<15 { await machine.perform(.action("press"), of: try widget()) }
        // No place is left in the queue to tell the widget that editing is over.
        await machine.perform(.endEditing(isCancelled: false), of: try widget())
        #expect(machine.daemon.store.drafts.isEmpty)
        try await finish(machine, .newData(Self.button))
        #expect(machine.runner.running.values.map(\.request.interaction) == [.action("press")])
        #expect(machine.daemon.store.drafts.isEmpty)
    }

    /// Too many requests wait: the widget stays edited, or continues to end editing, as before.
    @Test @LoopActor func aRefusedBeginningLeavesTheDraft() async throws {
        let machine = try await machine("varlink", answers: .newData(Self.button))
        await machine.perform(.beginEditing, of: try widget())
        try await finish(machine, .newData(Self.button))
        await machine.perform(.action("press"), of: try widget())
        await machine.perform(.endEditing(isCancelled: false), of: try widget())
        for _ in 0..<16 { await machine.perform(.action("press"), of: try widget()) }
        await machine.perform(.beginEditing, of: try widget())
        #expect(try machine.daemon.catalog.draft(of: widget())?.isEnding == true)
    }

    // MARK: Updates and failures during editing

    /// An update during editing draws an editor, or says that nothing in it is new.
    @Test(arguments: [RunOutcome.Result.newData(Content(text: "editor")), .noData])
    @LoopActor func anUpdateOfAnEditorChangesNothingOfTheWidget(result: RunOutcome.Result) async throws {
        let machine = try await machine("varlink")
        let before = try #require(machine.item(try widget()))
        await machine.pass(.hours(2))
        try await finish(machine, .failed("rate limited"), nextAsk: .wait(.hours(5)))
        try await edit(machine)
        try await update(machine)
        try await finish(machine, result)
        await machine.perform(.endEditing(isCancelled: false), of: try widget())
        try await finish(machine, .noData)
        for _ in 0..<2 {
            let item = try #require(machine.item(try widget()))
            #expect(item.state == .failing && item.taken == before.taken && item.confirmed == before.confirmed)
            #expect(try machine.daemon.store.memory(of: widget()).notBefore != nil)
            try await crash(machine)
        }
    }

    /// An update during editing was for the editor, so the widget runs once more after editing.
    @Test @LoopActor func anUpdateOfAnEditorIsRepeatedAfterEditing() async throws {
        let machine = try await machine("varlink")
        try await edit(machine)
        try await update(machine)
        try await finish(machine, .newData(Content(text: "editor 2")))
        await machine.change(.choice(try widget(), .shown(.lockScreen, false)))
        await machine.pass(.minutes(1))
        #expect(machine.runner.running.isEmpty)
        await machine.perform(.endEditing(isCancelled: false), of: try widget())
        try await finish(machine, .noData)
        #expect(try await finish(machine, .newData(Content(text: "new"))).reason == .behind)
        await machine.pass(.minutes(1))
        #expect(machine.runner.running.isEmpty)
    }

    @Test @LoopActor func anOldEditorIsEndedOnce() async throws {
        let machine = try await machine("varlink")
        try await edit(machine)
        try await update(machine)
        for _ in 0..<3 { await machine.pass(.minutes(5)) }
        try await finish(machine, .failed("no network"))
        #expect(try await finish(machine, .noData).interaction == .endEditing(isCancelled: true))
        #expect(machine.runner.running.isEmpty)
    }

    @Test @LoopActor func aFailedBeginningEndsTheResident() async throws {
        let machine = try await machine("varlink")
        await machine.perform(.beginEditing, of: try widget())
        try await finish(machine, .failed("it allows no editing now"))
        #expect(try machine.runner.dismissed == [widget()])
        #expect(machine.daemon.store.drafts.isEmpty)
    }

    @Test @LoopActor func editingEndsWhenTheManifestForbidsIt() async throws {
        let machine = try await machine("varlink")
        try await edit(machine)
        let (name, text) = Self.manifest("a", "varlink")
        try machine.directory.write(text.replacing("AllowsEditing=yes\n", with: ""), to: "widgets/\(name)")
        machine.daemon.registry.reload()
        await machine.settle()
        #expect(machine.daemon.store.drafts.isEmpty)
        #expect(try machine.item(widget())?.isEdited == false)
    }

    @Test @LoopActor func hostsThatShowAnEditorDoNotRepeatUpdates() async throws {
        let machine = try await machine(more: "UpdateOnAppear=10s")
        try await edit(machine)
        await machine.pass(.seconds(11))
        machine.daemon.catalog.hostLooked(at: [try widget()])
        await machine.settle()
        try await finish(machine, .newData(Content(text: "editor 2")))
        machine.daemon.catalog.hostLooked(at: [try widget()])
        await machine.settle()
        #expect(machine.runner.running.isEmpty)
    }

    /// After the manifest is repaired, the widget is not being edited.
    @Test @LoopActor func editingEndsWithTheManifest() async throws {
        let machine = try await machine("varlink")
        try await edit(machine)
        let (name, text) = Self.manifest("a", "varlink")
        try await machine.delete(name)
        #expect(machine.daemon.store.drafts.isEmpty)
        #expect(try machine.runner.dismissed == [widget()])
        try await machine.write(text, to: name)
        #expect(try machine.item(widget())?.isEdited == false)
    }

    /// The daemon cannot tell a widget without a program that editing begins.
    @Test @LoopActor func editingEndsWhenTheWidgetLosesItsProgram() async throws {
        let machine = try await machine("varlink")
        await machine.pass(.hours(2))
        await machine.perform(.beginEditing, of: try widget())
        #expect(try machine.item(widget())?.isEdited == true)
        let (name, text) = Self.manifest("a", "push")
        try await machine.write(text.replacing("ExecStart=/bin/true", with: ""), to: name)
        #expect(try machine.daemon.catalog.validManifest(of: widget())?.update.isPushed == true)
        #expect(machine.daemon.store.drafts.isEmpty)
    }

    // MARK: The process that draws the editor

    /// The user ended editing and began again; then the process ended that knows only of the first time.
    @Test(arguments: [true, false])
    @LoopActor func theEndOfAProcessLeavesEditingThatHasBegunAgain(duringARun: Bool) async throws {
        let machine = try await machine("varlink")
        let ends = try serve(machine)
        try await edit(machine)
        if duringARun { _ = machine.daemon.update(try widget(), listener: nil) }
        await machine.settle()
        await machine.perform(.endEditing(isCancelled: false), of: try widget())
        await machine.perform(.beginEditing, of: try widget())
        if duringARun { try await finish(machine, .newData(Content(text: "editor"))) }
        ends()
        await machine.settle()
        #expect(try machine.daemon.catalog.draft(of: widget()) != nil)
        #expect(try await finish(machine, .failed("it ended")).interaction == .endEditing(isCancelled: false))
        #expect(try await finish(machine, .newData(Content(text: "editor 2"))).interaction == .beginEditing)
        #expect(try machine.item(widget())?.isEdited == true)
    }

    /// A failed update has drawn no editor.
    @Test @LoopActor func aFailedUpdateDuringEditingIsAFailureOfTheWidget() async throws {
        let machine = try await machine("varlink")
        try await edit(machine)
        try await update(machine)
        try await finish(machine, .failed("no network"), nextAsk: .wait(.hours(5)))
        #expect(try machine.daemon.store.lastUpdate(of: widget())?.result == .failed)
        #expect(try machine.daemon.store.memory(of: widget()).notBefore != nil)
    }

    /// The drawing of the newest process ends with it, and the widget is told nothing more. If another process is
    /// newer, that one is ended.
    @Test(arguments: [true, false])
    @LoopActor func anEditorEndsWithItsProcess(isNewest: Bool) async throws {
        let machine = try await machine("varlink")
        let ends = try serve(machine)
        try await edit(machine)
        #expect(try machine.item(widget())?.content?.text == "editor")
        let next = isNewest ? nil : try serve(machine)
        ends()
        await machine.settle()
        #expect(machine.daemon.store.drafts.isEmpty)
        #expect(try machine.item(widget())?.content?.text == "own")
        #expect(machine.runner.dismissed.isEmpty == isNewest)
        next?()
    }

    /// The content that an update would have drawn beside the editor is still owed.
    @Test @LoopActor func anUpdateOfAnEditorIsRepeatedAfterTheEndOfItsProcess() async throws {
        let machine = try await machine("varlink")
        let ends = try serve(machine)
        try await edit(machine)
        try await update(machine)
        try await finish(machine, .newData(Content(text: "editor")))
        #expect(machine.runner.running.isEmpty)
        ends()
        await machine.pass(.seconds(1))
        #expect(try await finish(machine, .newData(Content(text: "own"))).isEditing == false)
    }

    /// The end of a process that was never told to edit leaves the editor of another.
    @Test @LoopActor func anEditorOutlivesAProcessThatWasNotToldToEdit() async throws {
        let machine = try await machine("varlink")
        let ends = try serve(machine)
        try await edit(machine)
        let other = try serve(machine)
        other()
        await machine.settle()
        #expect(try machine.item(widget())?.content?.text == "editor")
        ends()
        await machine.settle()
        #expect(machine.daemon.store.drafts.isEmpty)
    }

    /// The process ended, with its editor, before the daemon could tell it that editing was over.
    @Test @LoopActor func endEditingIsNotEditingAfterTheProcessHasEnded() async throws {
        let machine = try await machine("varlink")
        let ends = try serve(machine)
        try await edit(machine)
        try await update(machine)
        await machine.perform(.endEditing(isCancelled: false), of: try widget())
        ends()
        try await finish(machine, .failed("it ended"))
        let end = try await finish(machine, .noData)
        #expect(end.interaction == .endEditing(isCancelled: false) && !end.isEditing)
    }

    /// The widget itself may have changed the mode during editing, so it runs like a widget that is behind.
    @Test @LoopActor func aModeChosenDuringEditingIsDrawnByAnUpdateAfterIt() async throws {
        let machine = try await machine("varlink")
        let ends = try serve(machine)
        try await edit(machine)
        await machine.change(.choice(try widget(), .displayMode(.expanded)))
        #expect(try await finish(machine, .newData(Content(text: "large editor"))).interaction == .displayMode)
        #expect(try await finish(machine, .newData(Content(text: "large editor"))).isEditing)
        await machine.perform(.endEditing(isCancelled: false), of: try widget())
        try await finish(machine, .noData)
        await machine.pass(.seconds(2))
        let next = try await finish(machine, .newData(Content(text: "large")))
        #expect(next.interaction == nil && next.mode == .expanded && !next.isEditing)
        await machine.pass(.seconds(2))
        #expect(machine.runner.running.isEmpty)
        ends()
    }

    /// No place is left in the queue to tell the widget that its editor is too old, so the program has to start again.
    @Test(arguments: [true, false])
    @LoopActor func anOldEditorThatCannotBeToldToEndIsAbandoned(isFull: Bool) async throws {
        let machine = try await machine("varlink", answers: .newData(Self.button))
        await machine.perform(.beginEditing, of: try widget())
        try await finish(machine, .newData(Self.button))
        for _ in 0..<(isFull ? 17 : 1) { await machine.perform(.action("press"), of: try widget()) }
        await machine.pass(.minutes(5) + .milliseconds(-1))
        #expect(try machine.item(widget())?.isEdited == true)
        await machine.pass(.milliseconds(1))
        #expect(try machine.item(widget())?.isEdited == false)
        #expect(machine.daemon.store.drafts.isEmpty == isFull)
        #expect(machine.runner.dismissed.isEmpty == !isFull)
    }

    /// This uses the real clock, because no event says that a host has gone.
    @Test @LoopActor func theTimerEndsAnOldEditor() async throws {
        let machine = try await machine("varlink")
        // The edit must have begun when the timer fires.
        machine.now.boot = Moment.now.boot + .minutes(-5) + .seconds(1)
        try await edit(machine)
        machine.now.boot = Moment.now.boot + .seconds(2)
        try await eventually("end", within: .seconds(10)) {
            machine.runner.running.values.map(\.request.interaction) == [.endEditing(isCancelled: true)]
        }
    }

    /// Starts a process of the widget; the result ends it.
    @LoopActor private func serve(_ machine: SimulatedMachine) throws -> ContextEnd {
        var ends: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        let other = OwnedDescriptor(adopting: ends[1])
        let end = machine.runner.onContext(try widget(), OwnedDescriptor(adopting: ends[0]))
        return { withExtendedLifetime(other) { end() } }
    }
}
