// SPDX-License-Identifier: MIT
import Glibc

/// How a process is related to us.
package enum Kinship: Equatable, Sendable {
    case stranger
    /// We are among its ancestors; `child` is the next below us, maybe the process itself.
    case descendant(child: pid_t)
    /// It has ended, and its parents are not known any more.
    case gone

    /// Bounds the walk; real process trees are far shallower.
    private static let mostGenerations = 64

    /// No descendant can hide: a process that loses its parent becomes our child, as long as we are a subreaper.
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
            self = Self.belongsToAnotherUser(pid) ? .stranger : .gone
            return
        }
        guard !status.began(after: seen) else {
            self = .gone
            return
        }
        self = Self.searchingAncestors(pid, own)
    }

    /// An ancestor that ends while we look hands its children on: then the way up is another, and we look again. A process
    /// whose whole way cannot be seen for another reason is not trusted.
    private static func searchingAncestors(_ pid: pid_t, _ own: pid_t) -> Kinship {
        for _ in 0..<3 {
            if let kinship = lookUp(from: pid, own) { return kinship }
        }
        return .gone
    }

    private static func lookUp(from pid: pid_t, _ own: pid_t) -> Kinship? {
        var current = pid
        for _ in 0..<mostGenerations {
            guard let parent = ProcessTree.parent(of: current) else {
                return belongsToAnotherUser(current) ? .stranger : nil
            }
            if parent == own { return .descendant(child: current) }
            guard parent > 1 else { return .stranger }
            current = parent
        }
        return .gone
    }

    /// Whether a process that we cannot look at is another user's (hidepid of proc(5)). What we may send a signal to we
    /// may look at as well, unless it hides on purpose or we are out of descriptors.
    private static func belongsToAnotherUser(_ pid: pid_t) -> Bool { kill(pid, 0) != 0 && errno == EPERM }
}
