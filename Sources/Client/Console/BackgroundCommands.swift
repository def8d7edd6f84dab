// SPDX-License-Identifier: MIT

import Glibc
import Platform

/// Programs that run beside this process, mostly todayctl itself, so that the screen waits for none of them.
package struct BackgroundCommands {
    /// How many may run at once: a terminal stays until it is closed, and a mouse can click a thousand times a second.
    package static let most = 8

    /// Why a command is not started.
    package struct Problem: Error, Equatable, CustomStringConvertible {
        package let reason: String
        package var description: String { reason }
    }

    /// A command that has ended.
    package struct Ended {
        package let pid: pid_t
        package let ending: SpawnedProgram.Ending
    }

    private var running: [SpawnedProgram] = []
    private var done: [Ended] = []

    package init() {}

    /// - Returns: the process.
    @discardableResult
    package mutating func start(
        _ arguments: [String], output: SpawnedProgram.Plan.Output, joinsErrors: Bool
    ) throws(Problem) -> pid_t {
        // proc_pid_exe(5): this program, even if its file has been replaced.
        var plan = SpawnedProgram.Plan("/proc/self/exe", arguments, output: output)
        plan.joinsErrors = joinsErrors
        return try start(plan)
    }

    /// - Returns: the process, which has a session of its own.
    package mutating func start(_ plan: SpawnedProgram.Plan) throws(Problem) -> pid_t {
        reap()
        guard running.count < Self.most else { throw Problem(reason: "\(Self.most) are still at work") }
        var plan = plan
        plan.hasOwnSession = true
        do throws(SpawnedProgram.Failure) {
            let program = try SpawnedProgram(plan)
            running.append(program)
            return program.pid
        } catch {
            throw Problem(reason: "\(error)")
        }
    }

    /// The programs that have ended since the last call.
    package mutating func ended() -> [Ended] {
        reap()
        defer { done = [] }
        return done
    }

    private mutating func reap() {
        var running: [SpawnedProgram] = []
        for program in self.running {
            if let ending = program.endingNow() {
                done.append(Ended(pid: program.pid, ending: ending))
            } else {
                running.append(program)
            }
        }
        self.running = running
    }

    /// Waits for none of them: a terminal opened by a click may stay for hours.
    package mutating func abandon() {
        for program in running { program.abandon() }
        running = []
    }
}
