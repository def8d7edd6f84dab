// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import Runner

@Suite struct ProcessRunnerTests {
    init() { TestLoop.start() }

    /// A run and its process refer to each other until they have ended.
    @Test @LoopActor func aRunThatHasEndedIsReleased() async throws {
        let trial = RunTrial()
        let outcomes = Arrivals<RunOutcome>("outcome")
        weak var run: OneShotRun?
        do {
            let leftovers = Leftovers(in: nil, endingStrays: false)
            let request = try trial.request(["/bin/echo", "ok"])
            let made = OneShotRun(request, settings: trial.settings, leftovers: leftovers) {
                if case .finished(let outcome) = $0 { outcomes.send(outcome) }
            }
            run = made
            made.start(environment: [:])
        }
        #expect(run != nil)
        #expect(try await outcomes.next().text == "ok")
        try await eventually("end of the run") { run == nil }
    }

    @Test @LoopActor func aResidentThatHasEndedIsReleased() async throws {
        let trial = RunTrial()
        let outcomes = Arrivals<RunOutcome>("outcome")
        weak var resident: Resident?
        do {
            let request = try trial.request(["/bin/true"]) { manifest, _ in manifest.update.contentProtocol = .varlink }
            let made = Resident(
                request, settings: trial.settings, leftovers: Leftovers(in: nil, endingStrays: false),
                onReport: { if case .finished(let outcome) = $0 { outcomes.send(outcome) } }, onEnd: { _ in })
            resident = made
            _ = try made.start(request, environment: [:])
            made.run(request)
        }
        #expect(try await outcomes.next().failure != nil)
        try await eventually("end of the program") { resident == nil }
    }

    @Test @LoopActor func theOutputIsTheContent() async throws {
        let trial = RunTrial()
        let outcome = try await trial.run("echo '62 % used'; echo '/home 40 %'; echo note >&2")
        #expect(outcome.text == "62 % used")
        #expect(outcome.exit == "exited with status 0")
        #expect(outcome.errorOutput == "note")
        #expect(outcome.reason == .schedule && outcome.run == 1 && outcome.duration > .zero)
    }

    /// The next program works while the outcome is made, which takes none of the run's time.
    @Test(arguments: [ContentProtocol.text, .varlink])
    @LoopActor func theEndIsReportedBeforeTheOutcome(_ contentProtocol: ContentProtocol) async throws {
        let trial = RunTrial()
        var ends: [(run: UInt64, at: WallTime)] = []
        trial.onEnded = { run in
            ends.append((run, .now))
            #expect(trial.outcomes.taken().isEmpty)
            usleep(50_000)
        }
        let script =
            contentProtocol == .text
            ? "echo a" : #"head -zn 1 <&3 >/dev/null; printf '{"parameters":{"update":{"result":"noData"}}}\0' >&3"#
        let outcome = try await trial.run(script) { manifest, _ in manifest.update.contentProtocol = contentProtocol }
        let end = try #require(ends.first)
        #expect(ends.count == 1 && end.run == outcome.run)
        #expect(outcome.started + outcome.duration <= end.at)
    }

    @Test @LoopActor func theOutputOfAFailureIsKept() async throws {
        let trial = RunTrial { $0.keptOutput.ofFailure = 4 }
        let failed = try await trial.run("printf 'abc\\033[1mdef'; exit 1")
        #expect(failed.printed == Printed(Array("abc\u{1b}[1mdef".utf8), keeping: 4))
        #expect(failed.printed?.beginning == "abc" && failed.printed?.bytes == 10 && failed.printed?.isCut == true)
        #expect(try await trial.run("echo a").printed == nil)
        let both = RunTrial { $0.keptOutput.ofSuccess = 100 }
        #expect(try await both.run("echo a").printed?.beginning == "a\n")
    }

    @Test @LoopActor func jsonIsContentToo() async throws {
        let outcome = try await RunTrial().run(#"echo '{"text": "a", "nextUpdate": "2min"}'"#) { manifest, _ in
            manifest.update.contentProtocol = .json
        }
        #expect(outcome.text == "a" && outcome.nextAsk == .wait(.minutes(2)))
    }

    @Test @LoopActor func unchangedOutputIsNoData() async throws {
        let trial = RunTrial()
        let again = try await trial.run("echo a") { $1.previous = Layers.Own(Content(text: "a"), taken: .now) }
        #expect(again.result == .noData && again.isRepeated)
        #expect(
            try await trial.run("echo b") { $1.previous = Layers.Own(Content(text: "a"), taken: .now) }.isRepeated
                == false)
        #expect(try await trial.run("echo b") { $1.previous = Layers.Own(Content(text: "a"), taken: .now) }.text == "b")
        let outcome = try await trial.run(#"echo '{"text": "a", "nextUpdate": "2min"}'"#) {
            $0.update.contentProtocol = .json
            $1.previous = Layers.Own(Content(text: "a"), taken: .now)
        }
        #expect(outcome.result == .noData && outcome.nextAsk == .wait(.minutes(2)))
    }

    @Test @LoopActor func aProgramMaySayThatNothingIsNew() async throws {
        let trial = RunTrial()
        let stated = #"echo '{"noData": true, "nextUpdate": "2min"}'"#
        let known = try await trial.run(stated) {
            $0.update.contentProtocol = .json
            $1.previous = Layers.Own(Content(text: "a"), taken: .now)
        }
        #expect(known.result == .noData && !known.isRepeated && known.nextAsk == .wait(.minutes(2)))
        let unknown = try await trial.run(stated) { manifest, _ in manifest.update.contentProtocol = .json }
        #expect(unknown.failure?.hasPrefix("it answers noData, but todayd has no content of it") == true)
    }

    @Test @LoopActor func aFailureMayStateItselfAndAWait() async throws {
        let trial = RunTrial()
        let stated = #"{"failed": "rate limited", "nextUpdate": "16min"}"#
        for ending in ["exit 0", "exit 1", "exit 75"] {
            let outcome = try await trial.run("echo '\(stated)'; \(ending)") { manifest, _ in
                manifest.update.contentProtocol = .json
            }
            #expect(outcome.failure == "rate limited", "\(ending)")
            #expect(outcome.nextAsk == .wait(.minutes(16)))
        }
        let told = try await trial.run("echo 'curl: 429' >&2; echo '\(stated)' >&2; exit 75")
        #expect(told.failure == "rate limited" && told.nextAsk == .wait(.minutes(16)))
        #expect(told.exit == "exited with status 75")
        let other = try await trial.run("echo 'try later' >&2; exit 75")
        #expect(other.failure == "exited with status 75: try later" && other.nextAsk == nil)
    }

    /// What ends a program from outside says more than what it has printed before.
    @Test @LoopActor func aProgramThatTheDaemonEndsStatesNoFailure() async throws {
        let outcome = try await RunTrial().run(
            #"echo '{"failed": "mine"}'; exec sleep 1000"#, timeout: .milliseconds(100)
        ) { manifest, _ in manifest.update.contentProtocol = .json }
        #expect(outcome.failure == "timed out after 100 ms (Timeout=100ms)")
    }

    /// `systemctl --failed --quiet` prints nothing on a good day.
    @Test(arguments: [(":", true), ("echo", true), ("echo no host >&2", false), ("echo 1", false), ("exit 1", false)])
    @LoopActor func aSilentProgramIsToldOfEmptyContent(script: String, isTold: Bool) async throws {
        let outcome = try await RunTrial().run(script)
        #expect(outcome.notes.contains { $0.contains("needs Protocol=genmon") } == isTold)
        let json = try await RunTrial().run(script) { manifest, _ in manifest.update.contentProtocol = .json }
        #expect(json.notes.isEmpty)
        let followed = try await RunTrial().run(script) { manifest, _ in manifest.update.contentProtocol = .genmon }
        #expect(followed.isFailure == (script == "exit 1"), "what the note says")
    }

    /// The first mistake of an author with a script that prints a line now and then.
    @Test @LoopActor func aProgramThatPrintsAndStaysIsToldOfStreams() async throws {
        for (script, isTold) in [("echo 1; echo 2; exec sleep 1000", true), ("exec sleep 1000", false)] {
            let outcome = try await RunTrial().run(script, timeout: .milliseconds(100))
            #expect(outcome.notes.contains { $0.hasSuffix("needs Stream=yes") } == isTold, "\(script)")
        }
        let press = try await RunTrial().run("echo 1; exec sleep 1000", timeout: .milliseconds(100)) { _, request in
            request.interaction = .endEditing(isCancelled: true)
        }
        #expect(press.notes.isEmpty)
    }

    @Test @LoopActor func anOutcomeTellsWhatTheRunWasFor() async throws {
        let trial = RunTrial()
        for program in ["/bin/true", "/nonexistent"] {
            trial.runner.start(
                try trial.request([program]) { _, request in
                    request.interaction = .endEditing(isCancelled: true)
                    request.isEditing = true
                })
            let outcome = try await trial.outcome()
            #expect(outcome.interaction == .endEditing(isCancelled: true) && outcome.isEditing, "\(program)")
        }
        let update = try await trial.run("echo a")
        #expect(update.interaction == nil && !update.isEditing && !update.isInteraction)
    }

    @Test @LoopActor func theRoomIsThatOfTheSettings() async throws {
        let outcome = try await RunTrial().run(#"echo "$TODAY_MAX_COLUMNS $TODAY_MAX_ROWS""#) {
            $1.sizes.columns = 90
            $1.sizes.compactRows = 2
        }
        #expect(outcome.text == "90 2")
    }

    @Test @LoopActor func anActionNeedNotPrintAnything() async throws {
        let trial = RunTrial()
        let file = trial.directory("action")
        let id = try trial.request([]).manifest.id
        var request = RunRequest(
            run: 9,
            manifest: Manifest(
                id: id, displayName: "",
                update: UpdatePlan(
                    command: ["/bin/sh", "-c", "echo $TODAY_REASON $TODAY_ACTION >\(file)"], contentProtocol: .text)),
            reason: .action, mode: .compact)
        request.interaction = .action("next")
        trial.runner.start(request)
        #expect(try await trial.outcome().result == .noData)
        #expect(try trial.directory.read("action") == "action next\n")
    }

    @Test @LoopActor func itRunsInItsOwnDirectoryWithItsEnvironment() async throws {
        let trial = RunTrial()
        let outcome = try await trial.run(#"pwd -P; stat -c %a .; echo "$TODAY_WIDGET $HOME$TODAY_STATE_DIRECTORY""#) {
            manifest, _ in manifest.appGroups = ["group.org.example"]
        }
        guard case .newData(let content) = outcome.result else {
            Issue.record("\(outcome.result)")
            return
        }
        #expect(content.text == trial.state)
        #expect(content.tooltip == "700\norg.example.test \(trial.state)")
        #expect(trial.directory.exists("state/groups/group.org.example"))
    }

    @Test @LoopActor func runsOfManyWidgetsGoOnSideBySide() async throws {
        let trial = RunTrial()
        for number in 0..<8 { try trial.start("read x </dev/null; echo \(number)") }
        var texts: Set<String> = []
        for _ in 0..<8 { texts.insert(try await trial.outcome().text ?? "") }
        #expect(texts == Set((0..<8).map(String.init)))
    }

    @Test @LoopActor func aCancelledRunEndsWithTheReason() async throws {
        let trial = RunTrial()
        try trial.start("echo $$; exec sleep 1000")
        let id = try trial.request([]).widget
        trial.runner.cancel(id, because: "the widget was disabled")
        #expect(try await trial.outcome().failure == "the widget was disabled")
        #expect(trial.leftovers().isEmpty)
    }

    @Test @LoopActor func aProcessBelongsToItsOwnRun() async throws {
        let trial = RunTrial()
        var pids: [WidgetID: pid_t] = [:]
        for name in ["a", "b"] {
            let id = try #require(WidgetID("org.example.\(name)"))
            let path = trial.directory(name)
            try trial.start("echo $$ >\(path).new; mv \(path).new \(path); exec sleep 60") { manifest, _ in
                manifest = Manifest(id: id, displayName: name, update: manifest.update)
            }
            try await eventually("the number of its process") { trial.directory.exists(name) }
            pids[id] = pid_t(try trial.directory.read(name).dropLast())
        }
        for (id, pid) in pids { #expect(trial.runner.origin(of: pid, seen: .max) == .widget(id)) }
        #expect(trial.runner.origin(of: getppid(), seen: .max) == .outside)
        let stops = Arrivals<Void>("stop")
        trial.runner.stopAll(because: "todayd is stopping") { stops.send() }
        try await stops.next()
    }

    @Test @LoopActor func stoppingWaitsForAllRuns() async throws {
        let trial = RunTrial()
        let stops = Arrivals<Void>("stop")
        for _ in 0..<3 { try trial.start("trap '' TERM; while :; do sleep 1000; done") }
        trial.runner.stopAll(because: "todayd is stopping") { stops.send() }
        #expect(stops.taken().isEmpty)
        for _ in 0..<3 { #expect(try await trial.outcome().failure == "todayd is stopping") }
        try await stops.next()
        #expect(trial.leftovers().isEmpty)
        trial.runner.stopAll(because: "again") { stops.send() }
        #expect(stops.taken().count == 1)
    }

    @Test @LoopActor func aFailureToStartIsAnOutcomeToo() async throws {
        let trial = RunTrial()
        let path = try trial.directory.write("echo\n", to: "x")
        let cases = [
            ("/nowhere/x", "cannot execute /nowhere/x: No such file or directory"),
            (path, "cannot execute \(path): it is not executable (chmod +x makes it so)"),
        ]
        for (program, reason) in cases {
            trial.runner.start(try trial.request([program]))
            let outcome = try await trial.outcome()
            #expect(outcome.failure == reason && outcome.exit == nil)
        }
    }

    @Test @LoopActor func aStateDirectoryThatCannotBeMadeIsSaid() async throws {
        let trial = RunTrial()
        try trial.directory.write("", to: "state")
        #expect(
            try await trial.run("echo a").failure
                == "cannot make the directory \(trial.directory("state/widgets")): Not a directory")
    }
}
