// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import Spawn

/// The orphans that this process has inherited, and what can be done to them. OrphanTests have a table of their own.
@LoopActor
protocol OrphanTable: AnyObject {
    /// The orphans now, including the dead ones that are not reaped yet.
    var orphans: [pid_t] { get }
    /// Reaps the orphan if it is dead. Returns whether it is gone.
    func reap(_ orphan: pid_t) -> Bool
    func end(_ orphan: pid_t)

    func session(of orphan: pid_t) -> pid_t?
    /// The mark of its run; nil if it has none, if it is dead, or if it belongs to another user.
    func mark(of orphan: pid_t) -> UInt64?
    func began(_ orphan: pid_t, before time: Int64) -> Bool
}

/// The orphans in the kernel's process table.
@LoopActor
final class KernelOrphans: OrphanTable {
    private let list = Orphans()

    var orphans: [pid_t] { list.current() }

    func reap(_ orphan: pid_t) -> Bool { ProcessTree.reap(orphan) }

    /// Kills the whole process group at once, so that no process in it can fork any more. The number of the group cannot be
    /// reused meanwhile: the orphan is a child of this process and not reaped yet.
    func end(_ orphan: pid_t) {
        let group = getpgid(orphan)
        if group <= 1 || group == getpgrp() || kill(-group, SIGKILL) != 0 { kill(orphan, SIGKILL) }
    }

    func session(of orphan: pid_t) -> pid_t? { ProcessTree.session(of: orphan) }

    func mark(of orphan: pid_t) -> UInt64? { ProcessTree.mark(of: orphan) }

    func began(_ orphan: pid_t, before time: Int64) -> Bool { ProcessTree.began(orphan, before: time) }
}
