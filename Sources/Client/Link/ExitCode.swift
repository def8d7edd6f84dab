// SPDX-License-Identifier: MIT

/// The exit status of todayctl, as todayctl(1) lists it. Forms of output for other programs have their own.
package struct ExitCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let ok = ExitCode(rawValue: 0)
    /// The answer to a question is no.
    package static let no = ExitCode(rawValue: 1)
    package static let usage = ExitCode(rawValue: 2)
    package static let unreachable = ExitCode(rawValue: 3)
    package static let noSuchWidget = ExitCode(rawValue: 4)
    package static let updateFailed = ExitCode(rawValue: 5)
    package static let timedOut = ExitCode(rawValue: 6)
    package static let notPermitted = ExitCode(rawValue: 7)
    /// Any other error of the daemon, or of reading and writing.
    package static let failed = ExitCode(rawValue: 8)
}
