// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Reactor

/// A program to start, as a value. The program inherits only what this value names; its standard input is empty.
package struct LaunchPlan: Sendable {
    /// What the child's standard output or standard error is.
    package enum Stream: Sendable, Hashable {
        case null
        /// A pipe. The end of this process is non-blocking; `ChildProcess` has it.
        case pipe
    }

    /// A descriptor of this process, and the name by which the child finds its copy.
    package struct Passed: Sendable, Hashable {
        package var name: String
        package var descriptor: Int32

        package init(_ name: String, _ descriptor: Int32) {
            self.name = name
            self.descriptor = descriptor
        }
    }

    /// The path of the file to execute; PATH is not searched.
    package var executable: String
    /// argv, which begins with the name of the program.
    package var arguments: [String]
    /// The whole environment: the child inherits no variable.
    package var environment: [String: String]
    /// The working directory; nil for that of this process.
    package var directory: String?
    /// Whether the child leads a new session and process group. They identify the processes that it starts.
    package var newSession = true
    package var limits = ResourceLimits()
    /// The control group that the child is born in; nil for that of this process.
    package var group: ControlGroup?
    /// What the kernel withholds from the child.
    package var walls: KernelWalls?
    package var standardOutput = Stream.null
    package var standardError = Stream.null
    /// Copies of these become the child's descriptors 3, 4, 5 …; all others are closed. The child finds them with
    /// sd_listen_fds(3).
    package var passed: [Passed] = []
    /// The kernel sends this signal to the child when this process ends, so that a killed parent leaves no programs
    /// running; nil for none.
    package var parentDeathSignal: Int32?

    package init(executable: String, arguments: [String]? = nil, environment: [String: String] = [:]) {
        self.executable = executable
        self.arguments = arguments ?? [executable]
        self.environment = environment
    }
}

/// The limits of a process: setrlimit(2). Nil means the limit of this process.
package struct ResourceLimits: Sendable, Hashable {
    /// Bytes of private writable memory (RLIMIT_DATA, which has counted anonymous mappings since Linux 4.7). RLIMIT_AS
    /// would count reserved address space, which costs nothing: malloc reserves 64 MB for each thread, so programs with
    /// threads would fail.
    package var memory: UInt64?
    /// Bytes of a core file. Defaults to none: cores of other people's programs would fill the disk.
    package var core: UInt64? = 0
    package var openFiles: UInt64?

    package init() {}

    var asC: [clinux_limit] {
        let table: [(UInt64?, __rlimit_resource)] = [
            (memory, RLIMIT_DATA), (core, RLIMIT_CORE), (openFiles, RLIMIT_NOFILE),
        ]
        return table.compactMap { value, resource in
            value.map { clinux_limit(resource: Int32(resource.rawValue), value: $0) }
        }
    }
}

/// The variables by which a program finds its descriptors: sd_listen_fds(3).
extension LaunchPlan {
    private static let pidVariable = "LISTEN_PID="

    /// These follow the variables of `environment`; empty when no descriptor is passed.
    var passedVariables: [String] {
        guard !passed.isEmpty else { return [] }
        return [
            "LISTEN_FDS=\(passed.count)", "LISTEN_FDNAMES=\(passed.map(\.name).joined(separator: ":"))",
            // The child replaces these digits with its process id, which is not known before it is started.
            Self.pidVariable + String(repeating: "0", count: Int(CLINUX_PID_MAX) - 1),
        ]
    }

    /// - Parameters:
    ///   - environment: the variables, of which those above are the last.
    ///   - count: of the variables before them.
    ///
    /// Unsafe: the pointer leads into the last string, which `passedVariables` has made long enough.
    func placeOfOwnPID(
        in environment: UnsafePointer<UnsafeMutablePointer<CChar>?>?, _ count: Int
    ) -> UnsafeMutablePointer<CChar>? {
        guard !passed.isEmpty, let variable = environment?[count + passedVariables.count - 1] else { return nil }
        return variable + Self.pidVariable.utf8.count
    }
}

/// The first three descriptors of a child that is being started.
struct Streams {
    /// Nil if the child gets /dev/null.
    let output: Pipe?
    let error: Pipe?

    init(for plan: LaunchPlan) throws(SpawnError) {
        output = plan.standardOutput == .pipe ? try Pipe(for: plan) : nil
        error = plan.standardError == .pipe ? try Pipe(for: plan) : nil
    }

    /// The descriptors that the child gets; -1 for /dev/null.
    var theirs: [Int32] { [-1, output?.theirs.number ?? -1, error?.theirs.number ?? -1] }

    /// A pipe from a child to this process.
    struct Pipe {
        let ours: OwnedDescriptor
        /// The child's end. This process closes its copy with this value.
        let theirs: OwnedDescriptor

        fileprivate init(for plan: LaunchPlan) throws(SpawnError) {
            var ends: [Int32] = [-1, -1]
            guard clinux_pipe(&ends) == 0 else {
                throw SpawnError(step: .pipe, path: plan.executable, code: errno)
            }
            ours = OwnedDescriptor(adopting: ends[0])
            theirs = OwnedDescriptor(adopting: ends[1])
            // The flag does not affect the child's end, which is another open file description (open(2)).
            _ = fcntl(ours.number, F_SETFL, O_NONBLOCK)
        }
    }
}

/// Two connected stream sockets: a non-blocking one to keep, and one to pass to a child.
package struct SocketPair {
    package let ours: OwnedDescriptor
    package let theirs: OwnedDescriptor

    package init() throws(SpawnError) {
        var ends: [Int32] = [-1, -1]
        guard clinux_socket_pair(&ends) == 0 else { throw SpawnError(step: .pipe, path: "", code: errno) }
        ours = OwnedDescriptor(adopting: ends[0])
        theirs = OwnedDescriptor(adopting: ends[1])
        _ = fcntl(ours.number, F_SETFL, O_NONBLOCK)
    }
}
