// SPDX-License-Identifier: MIT

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
