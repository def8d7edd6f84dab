// SPDX-License-Identifier: MIT
import Glibc

/// How a process ended.
package enum ExitStatus: Sendable, Hashable {
    case exited(Int32)
    case killed(Int32, coreDumped: Bool)
    /// Somebody else reaped the process and has its status.
    case lost

    package var isSuccess: Bool { self == .exited(0) }
}

extension ExitStatus: CustomStringConvertible {
    package var description: String {
        switch self {
        case .exited(let status): "exited with status \(status)"
        case .killed(let signal, let coreDumped):
            "killed by \(signalName(signal))\(coreDumped ? " (core dumped)" : "")"
        case .lost: "ended, but its status was lost"
        }
    }
}

/// The name of a signal as people write it: "SIGKILL", "SIGRTMIN+3".
package func signalName(_ signal: Int32) -> String {
    switch signal {
    case SIGHUP: "SIGHUP"
    case SIGINT: "SIGINT"
    case SIGQUIT: "SIGQUIT"
    case SIGILL: "SIGILL"
    case SIGTRAP: "SIGTRAP"
    case SIGABRT: "SIGABRT"
    case SIGBUS: "SIGBUS"
    case SIGFPE: "SIGFPE"
    case SIGKILL: "SIGKILL"
    case SIGUSR1: "SIGUSR1"
    case SIGSEGV: "SIGSEGV"
    case SIGUSR2: "SIGUSR2"
    case SIGPIPE: "SIGPIPE"
    case SIGALRM: "SIGALRM"
    case SIGTERM: "SIGTERM"
    case SIGXCPU: "SIGXCPU"
    case SIGXFSZ: "SIGXFSZ"
    case SIGSYS: "SIGSYS"
    default: "signal \(signal)"
    }
}
