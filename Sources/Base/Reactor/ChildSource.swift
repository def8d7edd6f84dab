// SPDX-License-Identifier: MIT
import CLinux
import CSystemd
import Glibc

/// Reaps one child of this process and reports how it ended.
///
/// It watches a pidfd, which is readable once its process has ended. So no thread has to block SIGCHLD, as
/// sd_event_add_child(3) requires, and no other child is waited for. A child whose source was dropped goes on and stays
/// unreaped.
@LoopActor
package final class ChildSource {
    package let pid: pid_t
    private let pidfd: OwnedDescriptor
    private var io: IOSource?
    private var onExit: (@LoopActor (ExitStatus) -> Void)?

    private static let statusesAreKept = clinux_keep_child_statuses()

    /// The child may have ended already, but not been reaped.
    package convenience init(
        pid: pid_t, onExit: @escaping @LoopActor (ExitStatus) -> Void
    ) throws(ReactorError) {
        try self.init(pid: pid, adopting: try checkErrno(pidfd_open(pid, 0), "watch process \(pid)"), onExit: onExit)
    }

    /// Takes over a pidfd of the child, which clone(2) returns.
    package init(
        pid: pid_t, adopting pidfd: Int32, onExit: @escaping @LoopActor (ExitStatus) -> Void
    ) throws(ReactorError) {
        _ = Self.statusesAreKept
        self.pid = pid
        self.pidfd = OwnedDescriptor(adopting: pidfd)
        self.onExit = onExit
        io = try IOSource(owning: self.pidfd, events: .readable) { [weak self] _ in self?.reap() }
    }

    /// Sends a signal to the child, and never to another process that got its number (pidfd_send_signal(2)).
    ///
    /// - Returns: false when the child has been reaped.
    @discardableResult
    package func send(_ signal: Int32) -> Bool {
        pidfd_send_signal(pidfd.number, signal, nil, 0) == 0
    }

    /// Stops watching and releases the handler. Idempotent, and safe within the handler.
    package func cancel() {
        io?.cancel()
        onExit = nil
    }

    private func reap() {
        var cause: Int32 = 0
        var value: Int32 = 0
        let result = clinux_reap(pidfd.number, &cause, &value)
        guard result != 0 else { return }
        let status: ExitStatus =
            switch cause {
            case _ where result < 0: .lost
            case Int32(CLD_EXITED): .exited(value)
            default: .killed(value, coreDumped: cause == Int32(CLD_DUMPED))
            }
        let onExit = onExit
        cancel()
        onExit?(status)
    }
}

/// How a process ended.
package enum ExitStatus: Sendable, Hashable {
    case exited(Int32)
    case killed(Int32, coreDumped: Bool)
    /// Other code of this process reaped the child and got its status.
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
