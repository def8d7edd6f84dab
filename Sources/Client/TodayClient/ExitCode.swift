// SPDX-License-Identifier: MIT

/// What a script can tell from todayctl's end; todayctl(1) lists them.
package enum ExitCode: Int32, Sendable {
    case ok = 0
    /// The answer to a question is no.
    case no = 1
    case usage = 2
    case unreachable = 3
    case noSuchWidget = 4
    case updateFailed = 5
    case timedOut = 6
    case notPermitted = 7
    /// Any other error of the daemon, or of reading and writing.
    case failed = 8
}
