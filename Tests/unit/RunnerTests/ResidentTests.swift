// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import Runner

/// Resident programs in bash, which reads up to a NUL; the protocol needs no more.
@Suite struct ResidentTests {
    init() { TestLoop.start() }

    /// Answers each call with its process id, and does `then` after it.
    private static func script(_ then: String = ":") -> String {
        #"""
        while IFS= read -r -d '' call <&3; do
            printf '{"parameters":{"update":{"result":"newData","content":{"text":"%s"}}}}\0' $$ >&3
            \#(then)
        done
        """#
    }

    @LoopActor private static func start(
        _ trial: RunTrial, _ script: String, _ change: (inout Manifest) -> Void = { _ in }
    ) throws {
        trial.runner.start(
            try trial.request(["/bin/bash", "-c", script]) { manifest, _ in
                manifest.update.contentProtocol = .varlink
                change(&manifest)
            })
    }

    @LoopActor private static func run(
        _ trial: RunTrial, _ script: String = script(), _ change: (inout Manifest) -> Void = { _ in }
    ) async throws -> String {
        try start(trial, script, change)
        return try #require(try await trial.outcome().text)
    }

    @Test @LoopActor func itStaysBetweenRuns() async throws {
        let trial = RunTrial()
        let first = try await Self.run(trial)
        #expect(try await Self.run(trial) == first)
        let pid = try #require(pid_t(first))
        let id = try #require(WidgetID("org.example.test"))
        #expect(trial.runner.origin(of: pid, seen: .max) == .widget(id))
    }

    /// A program that has drawn nothing yet is asked for all; then it is told that the mode is another.
    @Test @LoopActor func theFirstCallIsAnUpdate() async throws {
        let trial = RunTrial()
        let script = #"""
            while IFS= read -r -d '' call <&3; do
                method=${call#*org.todayd.Widget.}
                answer='{"parameters":{"update":{"result":"newData","content":{"text":"%s"}}}}\0'
                printf "$answer" "${method%%\"*}" >&3
            done
            """#
        for (interaction, method) in [
            (Interaction.displayMode, "PerformUpdate"), (.displayMode, "DisplayModeDidChange"), (nil, "PerformUpdate"),
        ] {
            trial.runner.start(
                try trial.request(["/bin/bash", "-c", script]) { manifest, request in
                    manifest.update.contentProtocol = .varlink
                    request.interaction = interaction
                })
            #expect(try await trial.outcome().text == method)
        }
    }

    @Test @LoopActor func anIdleProgramEnds() async throws {
        let trial = RunTrial { $0.idleGrace = .milliseconds(50) }
        let first = try await Self.run(trial)
        try await eventually("its end") { trial.leftovers().isEmpty }
        #expect(try await Self.run(trial) != first)
    }

    @Test @LoopActor func anotherManifestIsAnotherProgram() async throws {
        let trial = RunTrial()
        let first = try await Self.run(trial)
        #expect(try await Self.run(trial) { $0.displayName = "Other" } == first)
        #expect(try await Self.run(trial) { $0.update.environment = ["A": "1"] } != first)
        try await eventually("the end of the first") { trial.leftovers().count == 1 }
    }

    @Test @LoopActor func otherSettingsAreAnotherProgramExceptDuringAnEdit() async throws {
        let trial = RunTrial()
        func run(
            _ city: String, _ interaction: Interaction? = nil, isEditing: Bool = false
        ) async throws -> String {
            trial.runner.start(
                try trial.request(["/bin/bash", "-c", Self.script().replacing("$$", with: "\"$$ $CITY\"")]) {
                    $0.update.contentProtocol = .varlink
                    $1.settings = ["CITY": city]
                    $1.interaction = interaction
                    $1.isEditing = isEditing
                })
            return try #require(try await trial.outcome().text)
        }
        let first = try await run("Bern")
        #expect(first.hasSuffix(" Bern"))
        #expect(try await run("Bern") == first)
        let second = try await run("Genf")
        #expect(second.hasSuffix(" Genf"))
        // The program keeps the edit that it has, and ends after it.
        #expect(try await run("Chur", isEditing: true) == second)
        #expect(try await run("Chur", .action("next"), isEditing: true) == second)
        #expect(try await run("Chur", .endEditing(isCancelled: false)) == second)
        let third = try await run("Chur", .beginEditing, isEditing: true)
        #expect(third.hasSuffix(" Chur"))
        try await eventually("the end of the first ones") { trial.leftovers().count == 1 }
    }

    /// Written anew, or replaced by another file, as a linker or a package manager does.
    @Test @LoopActor func aProgramThatHasChangedIsStartedAnew() async throws {
        let trial = RunTrial()
        let path = try trial.directory.write("#!/bin/bash\n\(Self.script())", to: "program", mode: 0o755)
        func run() async throws -> String {
            trial.runner.start(
                try trial.request([path]) { manifest, _ in manifest.update.contentProtocol = .varlink })
            return try #require(try await trial.outcome().text)
        }
        let first = try await run()
        #expect(try await run() == first)
        try trial.directory.write("#!/bin/bash\n# second\n\(Self.script())", to: "program", mode: 0o755)
        let second = try await run()
        #expect(second != first)
        try trial.directory.write("#!/bin/bash\n# third!\n\(Self.script())", to: "new", mode: 0o755)
        try trial.directory.rename("new", to: "program")
        let third = try await run()
        #expect(third != second)
        try trial.directory.delete("program")
        #expect(try await run() == third)
        try await eventually("the end of the first ones") { trial.leftovers().count == 1 }
    }

    @Test @LoopActor func aFailureBetweenTwoCallsIsReported() async throws {
        let trial = RunTrial()
        let failures = Arrivals<RunOutcome>("failure")
        trial.onIdleFailure = { failures.send($0) }
        _ = try await Self.run(trial, Self.script("echo why >&2; exit 3"))
        #expect(try await failures.next().failure == "exited with status 3: why, between two calls")
        try await eventually("its end") { trial.leftovers().isEmpty }
        _ = try await Self.run(trial, Self.script("exec yes >&2"))
        #expect(try await failures.next().failure == "it printed more than 1 MiB to standard error (OutputMax=1M)")
        try await eventually("its end") { trial.leftovers().isEmpty }
        _ = try await Self.run(trial, Self.script("exit 0"))
        try await eventually("its end") { trial.leftovers().isEmpty }
        #expect(failures.taken().isEmpty)
    }

    /// More than OutputMax= in all, and less between any two calls.
    @Test @LoopActor func standardErrorIsCountedAnewForEachCall() async throws {
        let trial = RunTrial()
        let script = Self.script("head -c 400000 /dev/zero | tr '\\0' x >&2")
        let first = try await Self.run(trial, script)
        for _ in 0..<4 { #expect(try await Self.run(trial, script) == first) }
    }

    @Test @LoopActor func aProgramThatCannotBeStartedFails() async throws {
        let trial = RunTrial()
        trial.runner.start(
            try trial.request(["/nonexistent"]) { manifest, _ in manifest.update.contentProtocol = .varlink })
        #expect(try await trial.outcome().failure == "cannot execute /nonexistent: No such file or directory")
    }

    @Test @LoopActor func stoppingWaitsForIdlePrograms() async throws {
        let trial = RunTrial()
        _ = try await Self.run(trial, "trap '' TERM; \(Self.script())")
        let stopped = Arrivals<Void>("stop")
        trial.runner.stopAll(because: "stopping") { stopped.send() }
        try await stopped.next()
        #expect(trial.leftovers().isEmpty)
    }

    @Test @LoopActor func whatItStartedDoesNotOutliveIt() async throws {
        let trial = RunTrial { $0.idleGrace = .milliseconds(50) }
        _ = try await Self.run(trial, "(sleep 1000 &); \(Self.script())")
        try await eventually("the end of all") { trial.leftovers().isEmpty }
    }
}
