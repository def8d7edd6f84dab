// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import Spawn
import TestSupport

/// A program started for a test, with everything it printed and how it ended.
@LoopActor
final class Launched {
    let process: ChildProcess
    private var readers: [PipeReader] = []
    private let exits: Arrivals<ExitStatus>
    private let ends = Arrivals<Void>("end of file")
    private(set) var output: [UInt8] = []
    private(set) var errorOutput: [UInt8] = []

    init(_ plan: LaunchPlan) throws {
        let exits = Arrivals<ExitStatus>("exit")
        self.exits = exits
        process = try ChildProcess.launch(plan) { exits.send($0) }
        if let descriptor = process.takeOutput() {
            let reader = PipeReader(descriptor) { [unowned self] bytes in
                output += bytes
            } onEnd: {
                [ends] in
                ends.send()
            }
            try reader.watch()
            readers.append(reader)
        }
        if let descriptor = process.takeError() {
            let reader = PipeReader(descriptor) { [unowned self] bytes in
                errorOutput += bytes
            } onEnd: {
                [ends] in
                ends.send()
            }
            try reader.watch()
            readers.append(reader)
        }
    }

    /// A shell script, its standard output and error in pipes.
    convenience init(script: String, _ change: (inout LaunchPlan) -> Void = { _ in }) throws {
        var plan = LaunchPlan(
            executable: "/bin/sh", arguments: ["sh", "-c", script], environment: ["PATH": "/bin:/usr/bin"])
        plan.standardOutput = .pipe
        plan.standardError = .pipe
        change(&plan)
        try self.init(plan)
    }

    func exit() async throws -> ExitStatus { try await exits.next() }

    /// Everything it printed, once all its pipes are closed.
    func text() async throws -> String {
        _ = try await ends.next(readers.count)
        return String(decoding: output, as: UTF8.self)
    }
}
