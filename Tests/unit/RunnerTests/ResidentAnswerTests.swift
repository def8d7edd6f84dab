// SPDX-License-Identifier: MIT
import Formats
import Glibc
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import Runner

/// Replies of resident programs besides their answers, and oneway calls to them.
@Suite struct ResidentAnswerTests {
    init() { TestLoop.start() }

    private static let scene = Scene(mode: .compact, size: Size(columns: 60, rows: 4), isKnown: true, isEditing: false)

    /// Answers with its process id.
    private static let plain = #"content $$"#

    /// Replies to oneway calls, too, as some implementations do.
    private static let talkative = #"""
        case $call in
            *.Appear*) say '"error":"org.varlink.service.MethodNotFound","parameters":{"method":"org.todayd.Widget.Appear"}' ;;
            *.Disappear*) say '"parameters":{}' ;;
            *) content $$ ;;
        esac
        """#

    /// A program in bash that does `work` for each call, which is in `$call`.
    private static func script(_ work: String) -> String {
        #"""
        say() { printf '{%s}\0' "$1" >&3; }
        update() { say "\"parameters\":{\"update\":$1}"; }
        content() { update "{\"result\":\"newData\",\"content\":{\"text\":\"$1\"}}"; }
        placeholder() {
            say "\"continues\":true,\"parameters\":{\"update\":{\"result\":\"newData\",\"content\":{\"text\":\"$1\"}}}"
        }
        while IFS= read -r -d '' call <&3; do
        \#(work)
        done
        """#
    }

    @LoopActor private static func start(
        _ trial: RunTrial, _ work: String, _ change: (inout Manifest, inout RunRequest) -> Void = { _, _ in }
    ) throws {
        trial.runner.start(
            try trial.request(["/bin/bash", "-c", script(work)]) { manifest, request in
                manifest.update.contentProtocol = .varlink
                change(&manifest, &request)
            })
    }

    @LoopActor private static func run(
        _ trial: RunTrial, _ work: String, _ change: (inout Manifest, inout RunRequest) -> Void = { _, _ in }
    ) async throws -> RunOutcome {
        try start(trial, work, change)
        return try await trial.outcome()
    }

    private func widget() throws -> WidgetID { try #require(WidgetID("org.example.test")) }

    // MARK: Placeholders

    /// The program answers after a oneway call, so until then there are placeholders alone.
    @Test @LoopActor func placeholdersComeBeforeTheAnswer() async throws {
        let trial = RunTrial()
        let placeholders = Arrivals<String>("placeholder")
        trial.onPlaceholder = { placeholders.send("\($0) \($1.text)") }
        try Self.start(
            trial, #"placeholder "--"; placeholder "still --"; IFS= read -r -d '' call <&3; content "${call//\"/}""#)
        #expect(try await placeholders.next() == "org.example.test --")
        #expect(try await placeholders.next() == "org.example.test still --")
        trial.runner.tell(try widget(), .appear, in: Self.scene)
        let text = try #require(try await trial.outcome().text)
        #expect(text.contains("method:org.todayd.Widget.Appear") && text.contains("oneway:true"))
        #expect(placeholders.taken().isEmpty)
    }

    @Test @LoopActor func theTimeOutIsThatOfTheWholeCall() async throws {
        let outcome = try await Self.run(RunTrial(), #"placeholder "--"; IFS= read -r -d '' call <&3"#) { manifest, _ in
            manifest.update.timeout = .milliseconds(300)
        }
        #expect(outcome.failure == "timed out after 300 ms (Timeout=300ms)")
    }

    /// The author reads of it where the errors of the run are, and the user gets the answer.
    @Test @LoopActor func aWrongPlaceholderIsLeftOut() async throws {
        let trial = RunTrial()
        let placeholders = Arrivals<Content>("placeholder")
        trial.onPlaceholder = { placeholders.send($1) }
        let outcome = try await Self.run(trial, #"printf note >&2; placeholder ""; content right"#)
        #expect(outcome.text == "right")
        #expect(outcome.errorOutput == "note\ntodayd: a placeholder is left out: update.content.text: is empty")
        #expect(placeholders.taken().isEmpty)
    }

    @Test @LoopActor func placeholdersAreBounded() async throws {
        let trial = RunTrial()
        let eight = #"for i in 1 2 3 4 5 6 7 8; do placeholder $i; done; "#
        #expect(try await Self.run(trial, eight + "content right").text == "right")
        let outcome = try await Self.run(trial, eight + "placeholder 9; content right")
        #expect(outcome.failure == "it sent more than 8 placeholders")
    }

    @Test @LoopActor func aKnownWidgetHasNoPlaceholder() async throws {
        let outcome = try await Self.run(RunTrial(), #"placeholder "--"; content right"#) {
            $1.previous = Layers.Own(Content(text: "old"), taken: .now)
        }
        #expect(outcome.failure == "it answered more than once")
    }

    // MARK: Answers

    @Test @LoopActor func noDataIsAFailureWhileNothingIsKnown() async throws {
        let trial = RunTrial()
        let work = #"update '{"result":"noData"}'"#
        let outcome = try await Self.run(trial, work)
        #expect(
            outcome.failure == "it answers noData, but todayd has no content of it: the first answer has to be content")
        let known = try await Self.run(trial, work) { $1.previous = Layers.Own(Content(text: "old"), taken: .now) }
        #expect(known.result == .noData && !known.isRepeated)
    }

    @Test @LoopActor func aFailureWithoutReasonHasTheLastErrorLine() async throws {
        for (work, words) in [
            (#"update '{"result":"noData"}'"#, OutputError.nothingKnown.description),
            (#"update '{"result":"failed"}'"#, "failed, and did not say why"),
            ("exit 0", "exited with status 0 before it answered"),
        ] {
            let outcome = try await Self.run(RunTrial(), "echo one >&2; echo 'no such host' >&2; \(work)")
            #expect(outcome.failure == "\(words): no such host")
        }
    }

    @Test @LoopActor func aFailureMayStateAWait() async throws {
        let outcome = try await Self.run(
            RunTrial(), #"update '{"result":"failed","reason":"rate limited","nextUpdate":960000000}'"#)
        #expect(outcome.failure == "rate limited")
        #expect(outcome.nextAsk == .wait(.minutes(16)))
    }

    /// Also error output that is not read yet when the answer comes.
    @Test @LoopActor func aSuccessfulRunHasItsErrorOutput() async throws {
        let trial = RunTrial()
        let work = "echo ${call:11:30} >&2; content a"
        for _ in 0..<2 {
            let outcome = try await Self.run(trial, work)
            #expect(outcome.text == "a" && outcome.errorOutput == "org.todayd.Widget.PerformUpdat")
        }
    }

    @Test @LoopActor func anOutcomeTellsWhatTheCallWasFor() async throws {
        let outcome = try await Self.run(RunTrial(), Self.plain) {
            $1.interaction = .action("next")
            $1.isEditing = true
        }
        #expect(outcome.interaction == .action("next") && outcome.isEditing)
    }

    // MARK: Visibility

    @Test @LoopActor func aChangeOfVisibilityStartsNoProgram() async throws {
        let trial = RunTrial()
        trial.runner.tell(try widget(), .appear, in: Self.scene)
        #expect(trial.leftovers().isEmpty)
        _ = try await Self.run(trial, Self.plain)
        trial.runner.cancel(try widget(), because: "enough")
        trial.runner.tell(try widget(), .appear, in: Self.scene)
        try await eventually("its end") { trial.leftovers().isEmpty }
    }

    @Test @LoopActor func aProgramThatDoesNotReplyToAOnewayCallIsCalledAgain() async throws {
        let trial = RunTrial()
        let work = #"case $call in *ppear\"*) told+=" ${call:29:6}" ;; *) content "$$ $told" ;; esac"#
        let first = try #require(try await Self.run(trial, work).text)
        trial.runner.tell(try widget(), .appear, in: Self.scene)
        trial.runner.tell(try widget(), .disappear, in: Self.scene)
        let second = try #require(try await Self.run(trial, work).text)
        #expect(second.hasPrefix(first) && second.hasSuffix(" Appear Disapp"))
    }

    /// The replies come before the answer to the next call, and are not taken for it.
    @Test @LoopActor func aReplyToAOnewayCallIsIgnored() async throws {
        let trial = RunTrial()
        let failures = Arrivals<RunOutcome>("failure")
        trial.onIdleFailure = { failures.send($0) }
        let first = try #require(try await Self.run(trial, Self.talkative).text)
        for change in [VisibilityChange.appear, .disappear, .appear] {
            trial.runner.tell(try widget(), change, in: Self.scene)
        }
        #expect(try await Self.run(trial, Self.talkative).text == first)
        #expect(failures.taken().isEmpty)
    }

    @Test @LoopActor func onlyOneReplyToAOnewayCallIsIgnored() async throws {
        let trial = RunTrial()
        let failures = Arrivals<RunOutcome>("failure")
        trial.onIdleFailure = { failures.send($0) }
        _ = try await Self.run(
            trial, #"case $call in *.Appear*) say '"parameters":{}'; say '"parameters":{}' ;; *) content $$ ;; esac"#)
        trial.runner.tell(try widget(), .appear, in: Self.scene)
        #expect(try await failures.next().failure == "it answered without being asked")
    }

    /// Told again and again it would never be idle.
    @Test @LoopActor func changesOfVisibilityDoNotKeepAProgramAlive() async throws {
        let trial = RunTrial { $0.idleGrace = .milliseconds(200) }
        let id = try widget()
        _ = try await Self.run(trial, Self.talkative)
        try await eventually("its end") {
            trial.runner.tell(id, .appear, in: Self.scene)
            return trial.leftovers().isEmpty
        }
    }

    // MARK: Staying and leaving

    /// The user has opened something in it, and a host has shown it since before its start. Another program, in which nothing
    /// was opened, has come to its end by then.
    @Test @LoopActor func aPressedProgramStaysWhileAHostShowsIt() async throws {
        let pressed = RunTrial { $0.idleGrace = .milliseconds(50) }
        let other = RunTrial { $0.idleGrace = .milliseconds(50) }
        for trial in [pressed, other] { trial.runner.tell(try widget(), .appear, in: Self.scene) }
        let first = try await Self.run(pressed, Self.plain) { $1.interaction = .action("open") }.text
        _ = try await Self.run(other, Self.plain)
        try await eventually("the end of the other") { other.leftovers().isEmpty }
        #expect(try await Self.run(pressed, Self.plain).text == first)
        pressed.runner.tell(try widget(), .disappear, in: Self.scene)
        try await eventually("its end") { pressed.leftovers().isEmpty }
    }

    @Test @LoopActor func aDismissedProgramExitsByItself() async throws {
        let trial = RunTrial()
        let failures = Arrivals<RunOutcome>("failure")
        let ends = Arrivals<Void>("end")
        trial.onIdleFailure = { failures.send($0) }
        trial.runner.onContext = { _, _ in { ends.send() } }
        let first = try await Self.run(trial, Self.plain).text
        trial.runner.dismiss(try widget())
        try await ends.next()
        #expect(trial.leftovers().isEmpty && failures.taken().isEmpty)
        #expect(try await Self.run(trial, Self.plain).text != first)
    }

    /// The program answers after a oneway call; by then it is dismissed.
    @Test @LoopActor func aProgramThatIsDismissedInACallAnswersFirst() async throws {
        let trial = RunTrial()
        let placeholders = Arrivals<Void>("placeholder")
        let ends = Arrivals<Void>("end")
        trial.onPlaceholder = { _, _ in placeholders.send() }
        trial.runner.onContext = { _, _ in { ends.send() } }
        try Self.start(trial, #"placeholder "--"; IFS= read -r -d '' call <&3; content right"#)
        try await placeholders.next()
        trial.runner.dismiss(try widget())
        trial.runner.tell(try widget(), .appear, in: Self.scene)
        #expect(try await trial.outcome().text == "right")
        try await ends.next()
        #expect(trial.leftovers().isEmpty)
    }

    /// Another widget's program, which is not edited, has come to its end by then.
    @Test @LoopActor func anEditedProgramMayBeIdleLonger() async throws {
        let edited = RunTrial { $0.idleGrace = .milliseconds(50) }
        let other = RunTrial { $0.idleGrace = .milliseconds(50) }
        let first = try await Self.run(edited, Self.plain) { $1.isEditing = true }.text
        _ = try await Self.run(other, Self.plain)
        try await eventually("the end of the other") { other.leftovers().isEmpty }
        #expect(
            try await Self.run(edited, Self.plain) { $1.interaction = .endEditing(isCancelled: false) }.text == first)
        try await eventually("its end") { edited.leftovers().isEmpty }
    }
}
