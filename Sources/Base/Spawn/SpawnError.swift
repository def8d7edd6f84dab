// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// Why a program could not be started: which step, on what, and the error of the system call.
package struct SpawnError: Error, Equatable, CustomStringConvertible {
    package enum Step: Sendable {
        case plan, pipe, fork, session, parentDeathSignal, descriptors, directory, limits, execute, watch
    }

    package let step: Step
    /// The file the step was about: the program or the directory.
    package let path: String
    /// An errno, for the words of strerror(3).
    package let code: Int32
    /// What is wrong with the program's file, where that can be said better than strerror(3) does.
    private let diagnosis: String?

    package init(step: Step, path: String, code: Int32) {
        self.step = step
        self.path = path
        self.code = code
        diagnosis = step == .execute ? ExecutableFile.diagnosis(of: path, code: code) : nil
    }

    init(_ failure: clinux_launch_failure, plan: LaunchPlan) {
        let steps: [UInt32: Step] = [
            CLINUX_STEP_FORK.rawValue: .fork, CLINUX_STEP_SESSION.rawValue: .session,
            CLINUX_STEP_PARENT_DEATH_SIGNAL.rawValue: .parentDeathSignal,
            CLINUX_STEP_DESCRIPTORS.rawValue: .descriptors, CLINUX_STEP_DIRECTORY.rawValue: .directory,
            CLINUX_STEP_LIMITS.rawValue: .limits,
        ]
        let step = steps[UInt32(bitPattern: failure.step)] ?? .execute
        self.init(
            step: step, path: step == .directory ? plan.directory ?? "" : plan.executable, code: failure.error)
    }

    package var description: String {
        let cause = String(cString: strerror(code))
        return switch step {
        case .plan: "cannot start \(path): an argument or environment variable contains a NUL byte"
        case .pipe: "cannot make a pipe for \(path): \(cause)"
        case .fork: "cannot make a process for \(path): \(cause)"
        case .session: "cannot make a session for \(path): \(cause)"
        case .parentDeathSignal: "cannot tie \(path) to its parent's life: \(cause)"
        case .descriptors: "cannot set up the descriptors of \(path): \(cause)"
        case .directory: "cannot enter the directory \(path): \(cause)"
        case .limits: "cannot set the limits of \(path): \(cause)"
        case .execute: "cannot execute \(path): \(diagnosis ?? cause)"
        case .watch: "cannot watch \(path): \(cause)"
        }
    }
}
