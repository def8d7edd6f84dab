// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import Spawn
import TestSupport
import Testing
import TodayModel

@testable import QueryService
@testable import TodayDaemon

/// How pkcheck(1) is asked. Tests/system/systemd asks the real polkit(8).
@Suite struct PolkitTests {
    init() { TestLoop.start() }

    private static func question(
        uid: UInt32 = 7, isInteractive: Bool = false, seen: Int64 = .max
    ) -> PolicyQuestion {
        PolicyQuestion(
            action: .update, peer: PeerCredentials(pid: getpid(), uid: uid, gid: 0, seen: seen),
            isInteractive: isInteractive)
    }

    @Test @LoopActor func itsProcessIsNamedWithItsStartAndUser() throws {
        let words = Polkit.arguments(Self.question(), start: 99)
        #expect(words == ["pkcheck", "--action-id", "org.todayd.update", "--process", "\(getpid()),99,7"])
        #expect(Polkit.arguments(Self.question(isInteractive: true), start: 1).last == "--allow-user-interaction")
        let start = try #require(ProcessTree.startTicks(of: getpid(), seen: .max))
        #expect(start > 0 && ProcessTree.startTicks(of: -1, seen: .max) == nil)
    }

    @Test @LoopActor func itsStatusIsTheAnswer() {
        #expect(Polkit.answer(to: .exited(0)) == .allowed && Polkit.answer(to: .exited(2)) == .needsInteraction)
        for status in [ExitStatus.exited(1), .exited(3), .exited(127), .killed(SIGTERM, coreDumped: false)] {
            #expect(Polkit.answer(to: status) == .denied, "\(status)")
        }
    }

    /// A program in place of pkcheck, which answers by itself or waits for a signal.
    @LoopActor private func polkit(_ script: String) throws -> (Polkit, TemporaryDirectory) {
        let directory = TemporaryDirectory()
        try directory.write("#!/bin/sh\n\(script)\n", to: "pkcheck", mode: 0o755)
        return (try #require(Polkit(environment: ["PATH": directory.path])), directory)
    }

    @Test @LoopActor func itAnswersOnce() async throws {
        #expect(Polkit(environment: ["PATH": "/nowhere"]) == nil)
        let (polkit, directory) = try polkit("exit 0")
        let answers = Arrivals<PolicyAnswer>("answer")
        _ = polkit.ask(Self.question()) { answers.send($0) }
        #expect(try await answers.next() == .allowed)
        // Another process has the number now.
        _ = polkit.ask(Self.question(seen: 1)) { answers.send($0) }
        #expect(try await answers.next() == .denied)
        withExtendedLifetime(directory) {}
    }

    @Test @LoopActor func oneUserKeepsNoOtherFromAsking() async throws {
        let (polkit, directory) = try polkit("exec sleep 100")
        let answers = Arrivals<PolicyAnswer>("answer")
        for _ in 0..<Polkit.mostOfUser { _ = polkit.ask(Self.question()) { answers.send($0) } }
        let others = Arrivals<PolicyAnswer>("answer of others")
        _ = polkit.ask(Self.question()) { others.send($0) }
        #expect(try await others.next() == .busy)
        let stop = polkit.ask(Self.question(uid: 8)) { others.send($0) }
        stop()
        #expect(try await others.next() == .denied, "it was asked, and taken back")
        for uid in 100..<(100 + UInt32(Polkit.most - Polkit.mostOfUser)) {
            _ = polkit.ask(Self.question(uid: uid)) { answers.send($0) }
        }
        _ = polkit.ask(Self.question(uid: 9)) { others.send($0) }
        #expect(try await others.next() == .busy, "there is a bound for all")
        polkit.stop()
        for _ in 0..<Polkit.most { #expect(try await answers.next() == .denied) }
        withExtendedLifetime(directory) {}
    }
}
