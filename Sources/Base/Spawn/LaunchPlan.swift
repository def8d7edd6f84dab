// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// Everything about a program that is to be started, as a value: nothing is inherited that is not said here.
package struct LaunchPlan: Sendable, Hashable {
    /// Where one of the child's first three descriptors leads.
    package enum Stream: Sendable, Hashable {
        case null
        /// Our end is non-blocking and taken from the `ChildProcess`.
        case pipe
        /// A copy of one of our descriptors, which stays ours.
        case descriptor(Int32)
    }

    /// A descriptor of ours, and the name by which the child knows its copy.
    package struct Passed: Sendable, Hashable {
        package var name: String
        package var descriptor: Int32

        package init(_ name: String, _ descriptor: Int32) {
            self.name = name
            self.descriptor = descriptor
        }
    }

    /// The file to execute. It is not searched for in PATH.
    package var executable: String
    /// argv, beginning with the name under which the program is called.
    package var arguments: [String]
    /// The whole environment: ours is not inherited.
    package var environment: [String: String]
    /// The working directory; nil is ours.
    package var directory: String?
    /// Whether it leads a new session and process group, which is how everything it starts is found again.
    package var newSession = true
    package var limits = ResourceLimits()
    package var standardInput = Stream.null
    package var standardOutput = Stream.null
    package var standardError = Stream.null
    /// Copies of these become the child's descriptors 3, 4, 5 …; all others are closed. It finds them by sd_listen_fds(3).
    package var passed: [Passed] = []
    /// Sent to the child when we die, so that a killed daemon leaves no programs behind; nil for none.
    package var parentDeathSignal: Int32?

    package init(executable: String, arguments: [String]? = nil, environment: [String: String] = [:]) {
        self.executable = executable
        self.arguments = arguments ?? [executable]
        self.environment = environment
    }
}

/// What one process may use at most, as in setrlimit(2); nil leaves what we have ourselves.
package struct ResourceLimits: Sendable, Hashable {
    /// Bytes of private writable memory (RLIMIT_DATA, which has counted anonymous mappings too since Linux 4.7).
    /// Not RLIMIT_AS: address space that is only reserved costs nothing, and each thread's malloc arena alone reserves
    /// 64 MB of it, so with a limit there every program with threads would fail.
    package var memory: UInt64?
    /// Bytes of a core file. None by default: the cores of other people's programs would only fill the disk.
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

/// The environment by which a program finds the descriptors that it is given, as sd_listen_fds(3) reads it.
extension LaunchPlan {
    private static let pidVariable = "LISTEN_PID="

    /// Come after the variables of `environment`; empty where nothing is passed.
    var passedVariables: [String] {
        guard !passed.isEmpty else { return [] }
        return [
            "LISTEN_FDS=\(passed.count)", "LISTEN_FDNAMES=\(passed.map(\.name).joined(separator: ":"))",
            // The child itself writes the number over this: it must be its own, and there is none yet.
            Self.pidVariable + String(repeating: "0", count: Int(CLINUX_PID_MAX) - 1),
        ]
    }

    /// - Parameters:
    ///   - environment: the variables, of which those above are the last.
    ///   - count: of the variables before them.
    ///
    /// Unsafe: a place within the last of the strings, whose length is the line above.
    func placeOfOwnPID(
        in environment: UnsafePointer<UnsafeMutablePointer<CChar>?>?, _ count: Int
    ) -> UnsafeMutablePointer<CChar>? {
        guard !passed.isEmpty, let variable = environment?[count + passedVariables.count - 1] else { return nil }
        return variable + Self.pidVariable.utf8.count
    }
}
