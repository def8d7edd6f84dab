// SPDX-License-Identifier: MIT
import Glibc

/// How a process is related to us.
package enum Kinship: Equatable, Sendable {
    case stranger
    /// We are among its ancestors; `child` is the next below us, maybe the process itself.
    case descendant(child: pid_t)
    /// It has ended, and nobody can say any more.
    case gone

    /// More generations than anybody has who does not want to be a burden.
    private static let mostGenerations = 256

    /// No descendant can hide: whoever loses its parent becomes our child, as long as we are a subreaper.
    ///
    /// - Parameters:
    ///   - pid: 0 is how the kernel names a process that is not in our PID namespace: no descendant is.
    ///   - seen: when the number was known to be that process's, in microseconds of the boot-time clock.
    package init(of pid: pid_t, seen: Int64) {
        let own = getpid()
        guard pid > 0, pid != own else {
            self = .stranger
            return
        }
        guard let status = ProcessStatus(of: pid) else {
            // Not to be looked at (hidepid of proc(5)) is another user's.
            self = kill(pid, 0) != 0 && errno == ESRCH ? .gone : .stranger
            return
        }
        guard !status.began(after: seen) else {
            self = .gone
            return
        }
        self = Self.ofAncestors(pid, status.parent, own)
    }

    private static func ofAncestors(_ pid: pid_t, _ parent: pid_t, _ own: pid_t) -> Kinship {
        var (current, parent) = (pid, parent)
        for _ in 0..<mostGenerations {
            if parent == own { return .descendant(child: current) }
            guard parent > 1 else { return .stranger }
            current = parent
            guard let next = ProcessTree.parent(of: current) else { return .stranger }
            parent = next
        }
        return .gone
    }
}
