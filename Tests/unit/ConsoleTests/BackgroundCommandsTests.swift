// SPDX-License-Identifier: MIT
import Glibc
import Platform
import TestSupport
import Testing
import TodayModel

@testable import Console

/// Programs beside this process, and the time of day.
@Suite struct BackgroundCommandsTests {
    @Test func eightAreAtWork() throws {
        var commands = BackgroundCommands()
        var pids: [pid_t] = []
        for _ in 0..<BackgroundCommands.most {
            pids.append(try commands.start(SpawnedProgram.Plan("/bin/sleep", ["60"])))
        }
        #expect(throws: BackgroundCommands.Problem(reason: "8 are still at work")) {
            try commands.start(SpawnedProgram.Plan("/bin/sleep", ["60"]))
        }
        #expect(commands.ended().isEmpty)
        // Each has a session of its own: what ends this process does not end it.
        #expect(pids.allSatisfy { getsid($0) == $0 })
        kill(pids[0], SIGKILL)
        var ended: [BackgroundCommands.Ended] = []
        for _ in 0..<500 where ended.isEmpty {
            usleep(10_000)
            ended = commands.ended()
        }
        #expect(ended.map(\.pid) == [pids[0]] && ended.map(\.ending) == [.killed(SIGKILL)])
        #expect(commands.ended().isEmpty)
        pids.append(try commands.start(SpawnedProgram.Plan("/bin/sleep", ["60"])))
        // One that has ended gives its place to the next, also before it is asked for.
        kill(pids[1], SIGKILL)
        var information = siginfo_t()
        #expect(waitid(P_PID, id_t(pids[1]), &information, WEXITED | WNOWAIT) == 0)
        pids.append(try commands.start(SpawnedProgram.Plan("/bin/sleep", ["60"])))
        #expect(commands.ended().map(\.pid) == [pids[1]])
        for pid in pids.dropFirst(2) { kill(pid, SIGKILL) }
    }

    @Test func aProgramThatIsNotThereIsAProblem() {
        var commands = BackgroundCommands()
        #expect(throws: BackgroundCommands.Problem(reason: "/nowhere: No such file or directory")) {
            try commands.start(SpawnedProgram.Plan("/nowhere", []))
        }
    }

    @Test func theTimeIsThatOfTheZone() {
        // The C library's own words, in the zone of the tests.
        var seconds: time_t = 1_784_000_123
        var parts = tm()
        localtime_r(&seconds, &parts)
        func text(_ format: String) -> String {
            var bytes = [CChar](repeating: 0, count: 100)
            let count = strftime(&bytes, bytes.count, format, &parts)
            return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        let time = ClockTime(WallTime(microseconds: 1_784_000_123_999_999))
        #expect(time.description == text("%H:%M:%S") && time.short == text("%H:%M"))
        #expect(time.day == text("%A %-d %B"))
        #expect(ClockTime(hour: 9, minute: 10, second: 5).description == "09:10:05")
        #expect(ClockTime(hour: 9, minute: 10, second: 5).day == nil)
    }
}
