// SPDX-License-Identifier: MIT
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import TodayDaemon

/// How systemctl(1) is asked. Tests/system/systemd asks the real manager.
@Suite struct SessionEnvironmentTests: DaemonDeciding {
    private let directory = TemporaryDirectory()
    private let changes = Arrivals<Void>("change")

    init() { TestLoop.start() }

    /// A program in place of systemctl, which prints a file.
    @LoopActor private func session(
        _ script: String = "cat answer; echo >>asked", _ more: [String: String] = [:], isUsers: Bool = true
    ) throws -> SessionEnvironment {
        try directory.script("#!/bin/sh\ncd '\(directory.path)'\n\(script)\n", to: "bin/systemctl")
        var environment = [
            "PATH": "\(directory("bin")):/usr/bin:/bin:/h/.local/bin", "NOTIFY_SOCKET": "/run/x", "DISPLAY": ":9",
            "HOME": "/h",
        ]
        environment.merge(more) { $1 }
        let session = SessionEnvironment(environment, isUsers: isUsers)
        session.onChange = { changes.send(()) }
        return session
    }

    @Test(
        arguments: [
            ("", [:]), ("DISPLAY=:0\nHOME=/home/me\n", ["DISPLAY": ":0"]),
            ("SWAYSOCK=/run/a=b.sock", ["SWAYSOCK": "/run/a=b.sock"]),
            ("DISPLAY=\nDISPLAY\nXAUTHORITY=$'/a b'\nI3SOCK=/x", ["I3SOCK": "/x"]),
            ("LD_PRELOAD=/x\nTODAY_KNOWN=1", [:]),
        ] as [(String, [String: String])])
    @LoopActor func onlyVariablesOfSessionsAreRead(text: String, expected: [String: String]) {
        #expect(SessionEnvironment.read(Array(text.utf8)) == expected)
    }

    @Test @LoopActor func itFollowsTheManager() async throws {
        let session = try session()
        #expect(session.variables == ["DISPLAY": ":9", "PATH": "\(directory("bin")):/usr/bin:/bin:/h/.local/bin"])
        let path = try #require(session.variables["PATH"])
        // The manager's own PATH has no programs of users.
        try directory.write("SWAYSOCK=/run/1\nPATH=\(directory("bin")):/usr/bin:/bin\n", to: "answer")
        session.refresh(at: BootTime(microseconds: 0), isWanted: false)
        try await changes.next()
        #expect(session.variables == ["DISPLAY": ":9", "SWAYSOCK": "/run/1", "PATH": path])
        // The next login has another socket; the manager is not asked at each run.
        try directory.write("SWAYSOCK=/run/2\nDISPLAY=:1\nPATH=/x\n", to: "answer")
        session.refresh(at: BootTime(microseconds: 14_999_999), isWanted: false)
        #expect(session.isIdle)
        session.refresh(at: BootTime(microseconds: 15_000_000), isWanted: false)
        #expect(!session.isIdle)
        session.refresh(at: BootTime(microseconds: 99_000_000), isWanted: false)
        try await changes.next()
        #expect(session.variables == ["DISPLAY": ":1", "SWAYSOCK": "/run/2", "PATH": "/x:/h/.local/bin"])
        #expect(try directory.read("asked") == "\n\n")
        session.refresh(at: BootTime(microseconds: 200_000_000), isWanted: false)
        try await eventually("the end") { session.isIdle }
        #expect(try directory.read("asked") == "\n\n\n")
        #expect(changes.taken().isEmpty)
    }

    @Test @LoopActor func whatTheUnitSetsStays() async throws {
        let session = try session()
        for (second, answer) in [(0, "PATH=/x\nI3SOCK=/1\n"), (20, "PATH=/y\nI3SOCK=/2\nDISPLAY=:1\n")] {
            try directory.write(answer, to: "answer")
            session.refresh(at: BootTime(microseconds: Int64(second) * 1_000_000), isWanted: false)
            try await changes.next()
        }
        let path = "\(directory("bin")):/usr/bin:/bin:/h/.local/bin"
        #expect(session.variables == ["DISPLAY": ":1", "I3SOCK": "/2", "PATH": path])
    }

    /// While nothing changes, or nothing is answered, the manager is asked less and less often, unless a widget fails.
    @Test(arguments: ["echo DISPLAY=:9", "exit 1"])
    @LoopActor func questionsBecomeRare(script: String) async throws {
        let session = try session(script)
        var asked: [Int64] = []
        func pass(_ seconds: Range<Int64>, isWanted: Bool) async throws {
            for second in seconds {
                session.refresh(at: BootTime(microseconds: second * 1_000_000), isWanted: isWanted)
                if session.isIdle { continue }
                asked.append(second)
                try await eventually("the end") { session.isIdle }
            }
        }
        try await pass(0..<700, isWanted: false)
        try await pass(700..<720, isWanted: true)
        #expect(asked == [0, 30, 90, 210, 450, 690, 705])
    }

    @Test(arguments: ["exit 1", "echo DISPLAY=:3; exit 1", "kill -KILL $$"])
    @LoopActor func withoutAnAnswerTheVariablesStay(script: String) async throws {
        let session = try session("\(script)")
        session.refresh(at: BootTime(microseconds: 0), isWanted: false)
        try await eventually("the end") { session.isIdle }
        #expect(session.variables["DISPLAY"] == ":9" && changes.taken().isEmpty)
    }

    /// todayd in a terminal has no other session than that one's, and that of the system has none.
    @Test(arguments: [("", true), ("/run/x", false)])
    @LoopActor func othersAskNoManager(notifySocket: String, isUsers: Bool) async throws {
        try directory.write("DISPLAY=:3\n", to: "answer")
        var environment = ["PATH": directory("bin"), "DISPLAY": ":9"]
        if !notifySocket.isEmpty { environment["NOTIFY_SOCKET"] = notifySocket }
        _ = try session()
        let session = SessionEnvironment(environment, isUsers: isUsers)
        session.refresh(at: BootTime(microseconds: 0), isWanted: false)
        #expect(session.isIdle && session.variables["DISPLAY"] == (isUsers ? ":9" : nil))
    }

    /// Only what failed runs again, unless it has requested a later time.
    @Test(
        arguments: [
            (.failed("no display"), nil, true), (.failed("rate limited"), .wait(.hours(5)), false),
            (.newData(Content(text: "fine")), nil, false),
        ] as [(RunOutcome.Result, NextAsk?, Bool)])
    @LoopActor func whatFailedRunsAgainInANewSession(
        result: RunOutcome.Result, nextAsk: NextAsk?, runs: Bool
    ) async throws {
        let machine = try await machine(answers: result, nextAsk: nextAsk)
        machine.daemon.sessionChanged()
        await machine.pass(.seconds(1))
        #expect(machine.runner.running.values.map(\.request.reason) == (runs ? [.behind] : []))
        if runs { try await finish(machine, result, nextAsk: nextAsk) }
        // A run that began before the change fails after it.
        try await update(machine)
        machine.daemon.session.take(["SWAYSOCK": "/run/1"])
        #expect(try await finish(machine, result, nextAsk: nextAsk).session == [:])
        await machine.pass(.seconds(1))
        #expect(machine.runner.running.values.map(\.request.reason) == (runs ? [.behind] : []))
        if runs { #expect(try await finish(machine, result).session == ["SWAYSOCK": "/run/1"]) }
        await machine.pass(.seconds(2))
        #expect(machine.runner.running.isEmpty, "the new session has not helped")
    }
}
