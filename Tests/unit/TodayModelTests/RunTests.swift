// SPDX-License-Identifier: MIT
import JSON
import Testing
import TodayModel

@Suite struct RunTests {
    @Test func interactionsAreNoUpdates() {
        let interactions: [RunReason] = [.action, .editing, .mode]
        for reason in RunReason.allCases { #expect(reason.isInteraction == interactions.contains(reason), "\(reason)") }
    }

    @Test(arguments: [
        (Interaction.action("a"), RunReason.action, false), (.beginEditing, .editing, true),
        (.endEditing(isCancelled: true), .editing, true), (.displayMode, .mode, false),
    ])
    func editingIsForHosts(interaction: Interaction, reason: RunReason, isForbiddenToWidgets: Bool) {
        #expect(interaction.reason == reason && interaction.isForbiddenToWidgets == isForbiddenToWidgets)
    }

    private static func outcome(
        _ reason: RunReason, _ result: RunOutcome.Result, _ interaction: Interaction? = nil, isEditing: Bool = false
    ) throws -> RunOutcome {
        var outcome = RunOutcome(
            widget: try #require(WidgetID("a.b")), run: 1, reason: reason, started: WallTime(microseconds: 5),
            duration: .seconds(2), result: result, exit: "exited with status 3", errorOutput: "oops")
        (outcome.interaction, outcome.isEditing) = (interaction, isEditing)
        return outcome
    }

    @Test(
        arguments: [
            (.schedule, .noData, nil, false, false, .schedule), (.schedule, .noData, nil, true, true, .editing),
            (.schedule, .failed("x"), nil, true, false, .schedule),
            (.action, .noData, .action("a"), false, true, .action),
            (.request, .noData, .displayMode, false, true, .editing), (.mode, .failed("x"), nil, false, true, .mode),
        ] as [(RunReason, RunOutcome.Result, Interaction?, Bool, Bool, RunReason)])
    func anUpdateToAnEditorIsAnInteraction(
        reason: RunReason, result: RunOutcome.Result, interaction: Interaction?, isEditing: Bool, isInteraction: Bool,
        kept: RunReason
    ) throws {
        let outcome = try Self.outcome(reason, result, interaction, isEditing: isEditing)
        #expect(outcome.isInteraction == isInteraction)
        #expect(outcome.logEntry.reason == kept)
    }

    @Test(
        arguments: [
            (.newData(Content(text: "x")), .newData, nil), (.noData, .noData, nil), (.failed("why"), .failed, "why"),
        ] as [(RunOutcome.Result, RunRecord.Result, String?)])
    func whatIsKeptOfARun(result: RunOutcome.Result, word: RunRecord.Result, failure: String?) throws {
        let outcome = try Self.outcome(.schedule, result)
        #expect(outcome.isFailure == (failure != nil))
        #expect(
            outcome.logEntry
                == RunRecord(
                    started: WallTime(microseconds: 5), duration: .seconds(2), reason: .schedule, result: word,
                    failure: failure,
                    exit: "exited with status 3", errorOutput: "oops"))
    }

    @Test func onlyAWidgetWhoseAnswerFitsMaySayThatItHolds() throws {
        let id = try #require(WidgetID("a.b"))
        let plan = UpdatePlan(command: ["/bin/true"], contentProtocol: .json)
        let manifest = Manifest(id: id, displayName: "A", update: plan)
        var request = RunRequest(run: 1, manifest: manifest, reason: .boot, mode: .compact)
        #expect(!request.isKnown && request.widget == id && !request.isEditing)
        request.previous = Layers.Own(Content(text: "x"), taken: .now)
        #expect(request.isKnown)
        request.fits = false
        #expect(!request.isKnown)
    }

    @Test func whatAManifestLeavesOut() throws {
        let plan = UpdatePlan(command: ["/bin/true"], contentProtocol: .json)
        #expect(plan.interval == .minutes(5) && plan.timeout == .seconds(30) && plan.updateOnAppear == nil)
        #expect(UpdatePlan.shortestInterval == .seconds(1))
        let manifest = Manifest(id: try #require(WidgetID("a.b")), displayName: "A", update: plan)
        #expect(
            manifest.extensionPoints == [.today] && manifest.largestDisplayMode == .compact && !manifest.allowsEditing)
        #expect(manifest.limits.memory == nil && manifest.limits.output.text == "1M")
    }

    @Test func onlyPushHasNoProgram() {
        for known in ContentProtocol.allCases { #expect(known.hasProgram == (known != .push)) }
        #expect(UpdatePlan(command: [], contentProtocol: .push).isPushed)
        #expect(!UpdatePlan(command: ["/a"], contentProtocol: .text).isPushed)
    }

    @Test func anAnswerMayBeTheLast() throws {
        let id = try #require(WidgetID("a.b"))
        let more: [UpdateAnswer.Answer] = [.started, .joined, .deferred]
        for answer in UpdateAnswer.Answer.allCases {
            #expect(UpdateAnswer(id: id, answer: answer).isFinal == !more.contains(answer), "\(answer)")
        }
    }

    @Test func onlyWhatHasSomethingToSayIsVisible() {
        let visible: [WidgetState] = [.waiting, .ready, .failing, .invalid]
        for state in WidgetState.allCases { #expect(state.isVisible == visible.contains(state), "\(state)") }
    }
}
