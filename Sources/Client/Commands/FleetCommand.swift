// SPDX-License-Identifier: MIT
import Console
import Files
import Glibc
import JSON
import Link
import Platform
import TodayModel

/// The program today-fleet, which todayctl executes for tasks that concern all machines: the options of its service contain
/// etcd's address and login.
struct FleetCommand {
    private static let name = "today-fleet"
    /// A pipe holds it.
    private static let longest = 64 << 10

    private let path: String
    private let socket: DaemonSocket

    /// - Parameter own: the path of todayctl. Builds and packages put today-fleet beside it.
    init(_ context: CommandContext, own: String? = Paths.resolved("/proc/self/exe")) throws(ClientError) {
        guard let found = Paths.program(Self.name, near: own, or: context.environment.programPath) else {
            throw ClientError("--fleet needs the program \(Self.name), which is not installed")
        }
        (path, socket) = (found, context.service.socket)
    }

    /// Passes on the parameters of Push, except the widget.
    func push(_ call: ServiceCall) throws(ClientError) {
        let id = call.parameters["id"]?.stringValue ?? ""
        var parameters = call.parameters
        parameters["id"] = nil
        let bytes = Array(JSON.object(parameters).text.utf8)
        guard bytes.count <= Self.longest else {
            throw ClientError("shown on this machine alone: a fleet takes pushes of \(Self.longest >> 10) KiB")
        }
        if try run("--push=\(id)", input: .bytes(bytes)) != .exited(0) {
            throw ClientError("shown on this machine alone, because \(Self.name) failed")
        }
    }

    func showStatus() throws(ClientError) -> ExitCode { try run("--status") == .exited(0) ? .ok : .failed }

    private func run(
        _ option: String, input: SpawnedProgram.Plan.Input = .nothing
    ) throws(ClientError) -> SpawnedProgram.Ending {
        var plan = SpawnedProgram.Plan(path, socket.options + [option])
        plan.input = input
        do throws(SpawnedProgram.Failure) { return try SpawnedProgram(plan).wait() } catch {
            throw ClientError("\(error)")
        }
    }
}
