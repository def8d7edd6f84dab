// SPDX-License-Identifier: MIT
import Glibc

/// How a process is related to this one.
package enum ProcessAncestry: Equatable, Sendable {
    case stranger
    /// This process is an ancestor; `child` is the child on the way to the process, or the process itself.
    case descendant(child: pid_t)
    /// The process has ended, so its parents are unknown.
    case gone

    /// Bounds the walk; real process trees are far shallower.
    private static let mostGenerations = 64

    /// Finds out by walking up the parents. A descendant that loses its parent becomes a child of this process as long
    /// as this process is a subreaper.
    ///
    /// - Parameters:
    ///   - pid: The kernel writes 0 for a process that is outside of this process's PID namespace. No descendant is outside.
    ///     A negative number is a process that has ended.
    ///   - seen: a time at which the process had this number, in microseconds of the boot-time clock.
    package init(of pid: pid_t, seen: Int64) {
        let own = getpid()
        guard pid >= 0 else {
            self = .gone
            return
        }
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

    /// Walks up to three times: an ancestor that ends during the walk passes its children on. If the way up stays
    /// unknown, the process counts as gone and is not trusted.
    private static func searchingAncestors(_ pid: pid_t, _ own: pid_t) -> ProcessAncestry {
        for _ in 0..<3 {
            if let ancestry = lookUp(from: pid, own) { return ancestry }
        }
        return .gone
    }

    private static func lookUp(from pid: pid_t, _ own: pid_t) -> ProcessAncestry? {
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

    /// Whether a process without a readable /proc entry belongs to another user (hidepid of proc(5)): kill(2) then
    /// fails with EPERM. For a process of this user /proc is readable, unless the process hides on purpose or this one
    /// is out of descriptors.
    private static func belongsToAnotherUser(_ pid: pid_t) -> Bool { kill(pid, 0) != 0 && errno == EPERM }
}
