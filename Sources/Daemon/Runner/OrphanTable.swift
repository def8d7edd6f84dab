// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import Spawn

/// The orphans of this process: what is known of each, and what is done to it.
@LoopActor
protocol OrphanTable: AnyObject {
    /// Those there are now, the dead among them.
    var orphans: [pid_t] { get }
    /// Takes one off the process table if it is dead; true if it is gone then.
    func reap(_ orphan: pid_t) -> Bool
    func end(_ orphan: pid_t)

    func session(of orphan: pid_t) -> pid_t?
    /// The run in its environment; nil when it has none, is dead, or may not be looked at.
    func mark(of orphan: pid_t) -> String?
    func began(_ orphan: pid_t, before time: Int64) -> Bool
}

/// The kernel's.
@LoopActor
final class KernelOrphans: OrphanTable {
    private let list = Orphans()

    var orphans: [pid_t] { list.current() }

    func reap(_ orphan: pid_t) -> Bool { ProcessTree.reap(orphan) }

    /// The whole process group dies at once, in which no process can fork any more. The orphan itself keeps the group's
    /// number from being given to another one: it is our child and not reaped yet.
    func end(_ orphan: pid_t) {
        let group = getpgid(orphan)
        if group <= 1 || group == getpgrp() || kill(-group, SIGKILL) != 0 { kill(orphan, SIGKILL) }
    }

    func session(of orphan: pid_t) -> pid_t? { ProcessTree.session(of: orphan) }

    func mark(of orphan: pid_t) -> String? { ProcessTree.environmentVariable(RunEnvironment.mark, of: orphan) }

    func began(_ orphan: pid_t, before time: Int64) -> Bool { ProcessTree.began(orphan, before: time) }
}
