// SPDX-License-Identifier: MIT
import Files
import Spawn
import TodayModel

/// How programs are shut in.
package enum Sandboxing: Sendable {
    /// By namespaces of bubblewrap, which hide everything that is not named.
    case bubblewrap
    /// By Landlock and a filter of system calls, if namespaces are forbidden, as in the unit of the system instance.
    case kernel
}

/// The sandbox of a widget cannot be made.
struct SandboxFailure: Error, CustomStringConvertible {
    let reason: String
    var description: String { reason }

    init(_ sandbox: Sandbox, _ reason: String) {
        self.reason = "the sandbox of the widget (Level=\(sandbox.level.rawValue)) cannot be made: \(reason)"
    }
}

extension SandboxCommand {
    /// The devices that programs need.
    private static let devices = ["null", "zero", "full", "random", "urandom", "tty"].map { "/dev/\($0)" }

    /// The same places as doors of Landlock, which hides nothing and opens nothing else; nil if no files are withheld.
    var doors: [KernelWalls.Door]? {
        guard sandbox.level != .none else { return nil }
        var doors = (Self.system + ["/proc", programPlace] + linked).map {
            KernelWalls.Door(.read, $0, isOptional: true)
        }
        if sandbox.hasNetwork { doors += Self.resolvers.map { .init(.read, $0, isOptional: true) } }
        if !holdsHome(workingDirectory) { doors.append(.init(.read, workingDirectory, isOptional: true)) }
        doors += Self.devices.map { .init(.device, $0, isOptional: true) }
        doors += directories.map { .init(.write, $0, isOptional: false) }
        for (access, named) in [
            (KernelWalls.Door.Access.read, sandbox.readable), (.write, sandbox.writable), (.device, sandbox.devices),
        ] {
            doors += named.map { .init(access, $0.path, isOptional: $0.isOptional) }
        }
        return doors
    }

    /// Leaves out optional doors that are missing: another user could make a link there before bwrap opens it.
    mutating func checkDoors() throws(SandboxFailure) {
        for list in [\Sandbox.readable, \.writable, \.devices] {
            var present: [Sandbox.Door] = []
            for door in sandbox[keyPath: list] {
                switch Paths.way(to: door.path) {
                case .safe: present.append(door)
                case .missing where door.isOptional: break
                case .missing(let code):
                    throw SandboxFailure(
                        sandbox, "cannot let a sandbox have \(door.path): \(FileContents.words(code))")
                case .foreign(let place, let owner):
                    throw SandboxFailure(
                        sandbox, "\(place) belongs to another user (uid \(owner)), who could lead it elsewhere")
                }
            }
            sandbox[keyPath: list] = present
        }
    }
}

extension Sandboxing {
    /// What a closed sandbox still leaves open, in words.
    ///
    /// - Parameter version: of Landlock.
    package func gaps(version: Int = KernelWalls.version) -> [String] {
        guard self == .kernel else { return [] }
        var gaps = [
            "In its sandbox, /proc shows it the other processes",
            "In its sandbox, it can change modes and times of files of the same user",
        ]
        if version < 3 { gaps.append("In its sandbox, it can empty files by truncate(2), which Linux 6.2 withholds") }
        if version < 6 {
            gaps.append("In its sandbox, it can signal processes of its user, which Linux 6.12 withholds")
        }
        return gaps
    }

    /// The level of widgets that name none: strict in the system instance, whose unit withholds the home anyway, if the kernel
    /// supports it.
    package func defaultLevel(version: Int = KernelWalls.version) -> Sandbox.Level {
        self == .kernel && version > 0 ? .strict : .none
    }
}

extension LaunchPlan {
    /// Shuts the program in.
    mutating func shutIn(
        _ command: SandboxCommand, by sandboxing: Sandboxing, environment base: [String: String]
    ) throws(SandboxFailure) {
        var command = command
        if command.sandbox.level != .none { try command.checkDoors() }
        for name in command.closedVariables { environment[name] = nil }
        switch sandboxing {
        case .bubblewrap:
            guard let bwrap = SandboxCommand.program(in: base) else {
                throw SandboxFailure(
                    command.sandbox,
                    "it needs bubblewrap, and there is no bwrap in PATH (Debian: apt install bubblewrap)")
            }
            executable = bwrap
            arguments = [bwrap] + command.options + (passed.isEmpty ? [] : SandboxCommand.restoringPID) + arguments
        case .kernel:
            do throws(KernelWalls.Failure) {
                walls = try KernelWalls(doors: command.doors, hasNetwork: command.sandbox.hasNetwork)
            } catch {
                throw SandboxFailure(command.sandbox, error.description)
            }
            // Here, /tmp is shared.
            if command.sandbox.level != .none, let own = command.directories.first { environment["TMPDIR"] = own }
        }
    }
}
