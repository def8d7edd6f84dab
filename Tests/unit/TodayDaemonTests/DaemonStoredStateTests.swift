// SPDX-License-Identifier: MIT
import QueryService
import Reactor
import Runner
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore
@testable import TodayDaemon

/// What a daemon continues from, after a stop, a crash or an older version.
@Suite struct DaemonStoredStateTests: DaemonDeciding {
    init() { TestLoop.start() }

    // MARK: After a stop or a crash

    @Test @LoopActor func afterAStopStoredContentFits() async throws {
        let machine = try await machine()
        try await machine.restart()
        await machine.pass(.hours(2))
        #expect(try await finish(machine, .noData).fits)
    }

    /// A killed daemon may not have written the last answer. Until the next update, the stored content may differ from
    /// what the widget drew last.
    @Test(arguments: ["action", "failure", "nothing"])
    @LoopActor func afterACrashStoredContentDoesNotFitUntilAnUpdate(between: String) async throws {
        let machine = try await machine(answers: .newData(Self.button), groups: "")
        try await crash(machine)
        switch between {
        case "action":
            await machine.perform(.action("press"), of: try widget())
            #expect(try await finish(machine, .newData(Self.button)).fits == false)
        case "failure":
            await machine.pass(.hours(2))
            #expect(try await finish(machine, .failed("no network")).fits == false)
        default: break
        }
        await machine.pass(.hours(2))
        #expect(try await finish(machine, .newData(Self.button)).fits == false)
        await machine.pass(.hours(2))
        #expect(try await finish(machine, .noData).fits)
    }

    /// A widget that has never answered has no doubtful answer.
    @Test @LoopActor func afterACrashAWidgetWithoutAnswerIsNotOutdated() async throws {
        let machine = try await machine(answers: .failed("no network"))
        try await crash(machine)
        await machine.finishAll(.failed("no network"))
        #expect(machine.daemon.catalog.records.values.filter(\.mayBeOutdated).isEmpty)
    }

    @Test @LoopActor func confirmedContentIsAsOldAsItsConfirmation() async throws {
        let machine = try await machine(groups: "")
        await machine.pass(.minutes(70))
        try await finish(machine, .noData)
        try await crash(machine)
        #expect(machine.runner.running.isEmpty)
        await machine.pass(.minutes(50))
        #expect(machine.runner.running.isEmpty)
        await machine.pass(.minutes(20))
        #expect(machine.runner.running.count == 1)
    }

    /// An app may have changed the files of the group meanwhile.
    @Test @LoopActor func aWidgetWithAGroupRunsOnceAtEachStart() async throws {
        let machine = try await machine()
        try await machine.restart()
        await machine.settle()
        #expect(try await finish(machine, .noData).reason == .behind)
        await machine.pass(.minutes(50))
        #expect(machine.runner.running.isEmpty)
    }

    /// An answer of a version that kept no inputs may have been made from others.
    @Test @LoopActor func anAnswerOfUnknownInputsIsMadeAgain() async throws {
        let machine = try await machine(groups: "")
        machine.daemon.store.remember(try widget()) { $0.seen = nil }
        try await machine.restart()
        #expect(machine.runner.running.values.map(\.request.reason) == [.behind])
    }

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

    // MARK: Other manifests and versions

    @Test @LoopActor func theLargestModeOfAFormerResidentDoesNotCount() async throws {
        let machine = try await machine("varlink")
        machine.daemon.catalog[try widget()].processes.began(1)
        machine.daemon.setLargestDisplayMode(.compact, of: try widget(), context: 1)
        #expect(try machine.item(widget())?.largestMode == .compact)
        machine.manifests = [Self.manifest("a", "json")]
        try await crash(machine)
        #expect(try machine.item(widget())?.largestMode == .expanded)
    }
}
