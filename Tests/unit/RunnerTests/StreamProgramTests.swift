// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import Runner

/// Programs of widgets with Stream=yes.
@Suite struct StreamProgramTests {
    init() { TestLoop.start() }

    /// A trial, and what its program reports after its run.
    @LoopActor
    final class Trial {
        let trial: RunTrial
        let updates = Arrivals<RunOutcome>("update")
        let ends = Arrivals<StreamEnd>("end")

        init(_ change: (inout RunSettings) -> Void = { _ in }) {
            trial = RunTrial(change)
            trial.onUpdate = { [updates] in updates.send($0) }
            trial.onStreamEnd = { [ends] in ends.send($0) }
        }

        func start(
            _ script: String, timeout: TimeSpan = .seconds(20),
            _ change: (inout Manifest, inout RunRequest) -> Void = { _, _ in }
        ) throws {
            try trial.start(script, timeout: timeout) { manifest, request in
                manifest.update.isStream = true
                change(&manifest, &request)
            }
        }

        func outcome() async throws -> RunOutcome { try await trial.outcome() }

        func end(because reason: String = "not needed") async throws -> StreamEnd {
            trial.runner.endStream(try #require(WidgetID("org.example.test")), because: reason)
            return try await ends.next(within: .seconds(60))
        }
    }

    @Test @LoopActor func theFirstUpdateEndsTheRunAndOthersFollow() async throws {
        let trial = Trial()
        try trial.start("echo \"a $TODAY_STREAM\"; sleep 0.3; echo b; sleep 0.3; echo b; sleep 0.3; echo c; sleep 1000")
        let outcome = try await trial.outcome()
        #expect(outcome.text == "a 1" && outcome.stays && !outcome.isSilent && outcome.exit == nil)
        #expect(outcome.duration < .seconds(10))
        let second = try await trial.updates.next(within: .seconds(60))
        #expect(second.text == "b" && second.run == outcome.run && second.stays)
        #expect(try await trial.updates.next(within: .seconds(60)).result == .noData)
        #expect(try await trial.updates.next(within: .seconds(60)).text == "c")
        let end = try await trial.end(because: "hidden")
        #expect(end.cause == "hidden" && end.words == "hidden" && end.outcome.run == outcome.run)
        #expect(trial.trial.leftovers().isEmpty)
    }

    @Test @LoopActor func theFormerContentIsNoNews() async throws {
        let trial = Trial()
        try trial.start("echo a; sleep 1000") { $1.previous = Layers.Own(Content(text: "a"), taken: .now) }
        #expect(try await trial.outcome().result == .noData)
        _ = try await trial.end()
    }

    /// The newest of many updates wins, and the program waits while the daemon does not read.
    @Test(arguments: ["yes", "while :; do echo y; done"]) @LoopActor
    func aFloodCostsTenUpdatesASecond(program: String) async throws {
        let trial = Trial()
        let counted = Arrivals<RunOutcome>("update")
        let box = Counter()
        trial.trial.onUpdate = { [counted] outcome in
            box.count += 1
            if box.count == 10 { counted.send(outcome) }
        }
        let before = Self.usage()
        let began = EventLoop.now(.monotonic)
        try trial.start(program)
        #expect(try await trial.outcome().text == "y")
        _ = try await counted.next(within: .seconds(60))
        #expect(EventLoop.now(.monotonic) - began > 900_000)
        // Even without optimization that is a part of one processor.
        #expect(Self.usage() - before < EventLoop.now(.monotonic) - began)
        _ = try await trial.end()
        #expect(trial.trial.leftovers().isEmpty)
    }

    @LoopActor final class Counter { var count = 0 }

    /// The processor time of this thread, in microseconds.
    private static func usage() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    @Test @LoopActor func theNewestOfABurstWins() async throws {
        let trial = Trial()
        try trial.start("echo first; i=0; while [ $i -lt 300 ]; do i=$((i + 1)); echo $i; done; sleep 1000")
        var last = try await trial.outcome()
        var count = 0
        while last.text != "300" {
            last = try await trial.updates.next(within: .seconds(60))
            count += 1
        }
        #expect(count < 30)
        _ = try await trial.end()
    }

    @Test @LoopActor func aSilentProgramHasNotFailed() async throws {
        let trial = Trial()
        try trial.start("echo note >&2; sleep 0.6; echo late; sleep 1000", timeout: .milliseconds(200))
        let outcome = try await trial.outcome()
        #expect(outcome.result == .noData && outcome.isSilent && outcome.stays && outcome.errorOutput == "note")
        #expect(try await trial.updates.next(within: .seconds(60)).text == "late")
        _ = try await trial.end()
    }

    @Test @LoopActor func anUpdateThatCannotBeReadEndsNothing() async throws {
        let trial = Trial()
        try trial.start(#"printf 'a\033[2J\n'; sleep 0.3; echo good; sleep 0.3; printf 'b\033[2J\n'; exec sleep 1000"#)
        let outcome = try await trial.outcome()
        #expect(outcome.failure == "line 1 contains a terminal escape sequence" && outcome.stays)
        #expect(try await trial.updates.next(within: .seconds(60)).text == "good")
        #expect(try await trial.updates.next(within: .seconds(60)).failure?.hasPrefix("line 1 ") == true)
        #expect(trial.ends.taken().isEmpty)
        _ = try await trial.end()
    }

    /// What the program does, the failure of its run, or else the words of its end.
    static let endings: [(script: String, failure: String?, end: String?)] = [
        ("exit 3", "exited with status 3", nil), ("echo no >&2; exit 3", "exited with status 3: no", nil),
        ("exit 0", "exited with status 0 before its first update", nil),
        ("echo why >&2", "exited with status 0 before its first update: why", nil),
        ("kill -9 $$", "killed by SIGKILL", nil), ("printf half; exit 3", "exited with status 3", nil),
        ("echo a; exit 3", nil, "exited with status 3"), ("echo a; exit 0", nil, "exited with status 0"),
        ("printf half", nil, "exited with status 0"), ("echo a; sleep 0.3; kill -9 $$", nil, "killed by SIGKILL"),
        (
            #"printf '\033[2J\n'"#, "line 1 contains a terminal escape sequence",
            "exited with status 0; its last update: line 1 contains a terminal escape sequence"
        ),
        (
            "echo a; sleep 0.2; echo '{\"failed\": \"limited\", \"nextUpdate\": \"16min\"}' >&2; exit 75", nil,
            "limited"
        ),
        (
            "printf '%02000d' 0; sleep 1000", "printed an update of more than 1 KiB (OutputMax=1K)", nil
        ),
        ("echo a; sleep 0.5; cat /dev/zero", nil, "printed an update of more than 1 KiB (OutputMax=1K)"),
    ]

    @Test(arguments: 0..<endings.count) @LoopActor func anEndHasItsReason(place: Int) async throws {
        let (script, failure, words) = Self.endings[place]
        let trial = Trial()
        try trial.start(script) { manifest, _ in manifest.limits.output = ByteSize(bytes: 1_024) }
        let outcome = try await trial.outcome()
        #expect(outcome.failure == failure)
        #expect(outcome.stays == (words != nil))
        if let words {
            let end = try await trial.ends.next(within: .seconds(60))
            #expect(end.words == words && end.cause == nil)
            #expect(end.outcome.isFailure == (words != "exited with status 0"))
            if words == "limited" { #expect(end.outcome.nextAsk == .wait(.minutes(16))) }
        }
        #expect(trial.trial.leftovers().isEmpty)
    }

    /// Half a line at the end of a program that has exited by itself is an update.
    @Test @LoopActor func theLastLineNeedsNoEnd() async throws {
        let trial = Trial()
        try trial.start("echo a; sleep 0.3; printf half")
        #expect(try await trial.outcome().text == "a")
        #expect(try await trial.updates.next(within: .seconds(60)).text == "half")
        #expect(try await trial.ends.next(within: .seconds(60)).cause == nil)
    }

    /// A program, its protocol, how urgent its first update is, and the words of its end if that is a failure.
    static let statuses: [(script: String, dialect: ContentProtocol, severity: Severity, failure: String?)] = [
        ("echo 'DISK WARNING - 5 %'; exit 1", .nagios, .warning, nil),
        ("echo 'DISK CRITICAL - 0 %'; exit 2", .nagios, .critical, nil),
        ("printf 'DISK UNKNOWN'; exit 3", .nagios, .info, nil), ("echo 'DISK OK'; exit 0", .nagios, .normal, nil),
        ("echo 'DISK OK'; exit 4", .nagios, .normal, "exited with status 4"),
        ("echo a; exit 33", .i3blocks, .normal, nil), ("printf a; exit 33", .i3blocks, .normal, nil),
        ("echo a; exit 32", .i3blocks, .normal, "exited with status 32"),
        ("echo a; exit 1", .text, .normal, "exited with status 1"),
    ]

    @Test(arguments: statuses.indices) @LoopActor func itsProtocolSaysWhatItsStatusMeans(place: Int) async throws {
        let (script, dialect, severity, failure) = Self.statuses[place]
        let trial = Trial()
        try trial.start(script) { manifest, _ in manifest.update.contentProtocol = dialect }
        let outcome = try await trial.outcome()
        guard case .newData(let content) = outcome.result else {
            Issue.record("\(outcome.result)")
            return
        }
        #expect(content.severity == severity)
        let end = try await trial.ends.next(within: .seconds(60))
        #expect(end.outcome.failure == failure)
        #expect(end.words == "exited with status \(script.split(separator: " ").last ?? "")")
    }

    /// Two programs of one widget never run at once.
    @Test @LoopActor func aNewRunReplacesTheProgram() async throws {
        let trial = Trial { $0.killGrace = .seconds(10) }
        let script = """
            if mkdir lock 2>/dev/null; then :; else echo 'two at once'; exit; fi
            trap 'sleep 0.2; rmdir lock; exit' TERM
            echo "run $$"; while :; do sleep 0.05; done
            """
        try trial.start(script)
        let first = try await trial.outcome()
        try trial.start(script) { $1.previous = Layers.Own(Content(text: "x"), taken: .now) }
        let end = try await trial.ends.next(within: .seconds(60))
        #expect(end.outcome.run == first.run && end.cause == "replaced by a new run (schedule)")
        let second = try await trial.outcome()
        #expect(second.text?.hasPrefix("run ") == true && second.text != first.text && second.run != first.run)
        _ = try await trial.end()
    }

    @Test @LoopActor func aProgramThatIsNotNeededEndsItsRun() async throws {
        let trial = Trial()
        try trial.start("sleep 1000")
        let end = try await trial.end(because: "hidden")
        let outcome = try await trial.outcome()
        #expect(outcome.isSilent && outcome.result == .noData && end.cause == "hidden")
    }

    @Test @LoopActor func aSilentProgramGetsAHint() async throws {
        let trial = Trial()
        try trial.start("echo error >&2; sleep 1000", timeout: .milliseconds(300))
        let silent = try await trial.outcome()
        #expect(silent.isSilent && silent.notes.count == 1 && silent.notes.first?.contains("stdbuf -oL") == true)
        _ = try await trial.end()
        let half = Trial()
        try half.start("printf half; sleep 1000", timeout: .milliseconds(300))
        #expect(try await half.outcome().notes == ["it has printed no whole line, and an update ends with a line feed"])
        _ = try await half.end()
    }

    @Test @LoopActor func thePiecesOfAnObjectAreHintedAt() async throws {
        let trial = Trial()
        try trial.start("printf '{\\n \"text\": \"a\"\\n}\\n'; sleep 1000") { manifest, _ in
            manifest.update.contentProtocol = .waybar
        }
        let outcome = try await trial.outcome()
        #expect(outcome.notes.contains { $0.contains("print each object in one line") }, "\(outcome.notes)")
        _ = try await trial.end()
    }

    @Test @LoopActor func aRunIsCancelledAsOthersAre() async throws {
        let trial = Trial()
        try trial.start("sleep 1000")
        trial.trial.runner.cancel(try #require(WidgetID("org.example.test")), because: "its manifest was removed")
        let outcome = try await trial.outcome()
        #expect(outcome.failure == "its manifest was removed" && !outcome.stays)
        #expect(trial.ends.taken().isEmpty)
    }

    @Test @LoopActor func aProgramThatIsNotThereFailsTheRun() async throws {
        let trial = Trial()
        trial.trial.runner.start(
            try trial.trial.request(["/nonexistent"]) { manifest, _ in manifest.update.isStream = true })
        let outcome = try await trial.outcome()
        #expect(outcome.isFailure && !outcome.stays)
        var isStopped = false
        trial.trial.runner.stopAll(because: "stop") { isStopped = true }
        #expect(isStopped)
    }

    @Test @LoopActor func aButtonStartsTheProgramAndMayPrintNothing() async throws {
        let trial = Trial()
        try trial.start("echo \"$TODAY_ACTION\"; sleep 0.3; echo more; sleep 1000") { $1.interaction = .action("next") }
        let pressed = try await trial.outcome()
        #expect(pressed.text == "next" && pressed.isInteraction)
        let update = try await trial.updates.next(within: .seconds(60))
        #expect(update.text == "more" && !update.isInteraction)
        _ = try await trial.end()
        try trial.start("exit 0") { $1.interaction = .action("next") }
        let silent = try await trial.outcome()
        #expect(silent.result == .noData && !silent.stays)
    }

    @Test @LoopActor func standardErrorIsKeptAndAFloodOfItWaits() async throws {
        let trial = Trial()
        try trial.start("yes error >&2 & sleep 0.5; echo a; exec sleep 1000")
        let outcome = try await trial.outcome()
        #expect(outcome.text == "a" && outcome.errorOutput.hasSuffix("error"))
        #expect(outcome.errorOutput.utf8.count <= RunRecord.errorOutputBytes)
        _ = try await trial.end()
        #expect(trial.trial.leftovers().isEmpty)
    }

    @Test @LoopActor func allProgramsEndWithTheRunner() async throws {
        let trial = Trial()
        try trial.start("trap '' TERM; echo a; sleep 1000 & while :; do sleep 1; done")
        _ = try await trial.outcome()
        let pid = try #require(trial.trial.leftovers().first)
        let widget = try #require(WidgetID("org.example.test"))
        #expect(trial.trial.runner.origin(of: pid, seen: EventLoop.now(.boottime)) == .widget(widget))
        let stopped = Arrivals<Bool>("stop")
        trial.trial.runner.stopAll(because: "todayd is stopping") { stopped.send(true) }
        #expect(try await stopped.next(within: .seconds(60)))
        #expect(trial.trial.leftovers().isEmpty)
    }

    @Test @LoopActor func aProgramThatHasEndedIsReleased() async throws {
        let trial = RunTrial()
        let outcomes = Arrivals<RunOutcome>("outcome")
        weak var program: StreamProgram?
        do {
            let request = try trial.request(["/bin/echo", "ok"]) { manifest, _ in manifest.update.isStream = true }
            let made = StreamProgram(
                request, settings: trial.settings, leftovers: Leftovers(in: nil, endingStrays: false),
                onReport: { if case .finished(let outcome) = $0 { outcomes.send(outcome) } }, onEnd: { _, _ in })
            program = made
            made.start(environment: [:])
        }
        #expect(try await outcomes.next().text == "ok")
        try await eventually("end of the program") { program == nil }
    }
}
