// SPDX-License-Identifier: MIT
import Glibc
import Reactor

/// The children of this process that it did not start: descendants whose parent died, ours because we are a subreaper.
///
/// Asked after every program's end, so it is cheap: one pread(2) of a file that stays open. The kernel hands orphans to
/// the first living thread of a subreaper (find_alive_thread in its exit.c); the main thread of a process comes first and
/// lives as long as the process does, so its list has them all.
@LoopActor
package final class Orphans {
    /// -1 where the kernel has no such files.
    private let list: Int32
    private let ownSession = getsid(0)

    package init() {
        let pid = getpid()
        list = open("/proc/\(pid)/task/\(pid)/children", O_RDONLY | O_CLOEXEC)
    }

    deinit {
        if list >= 0 { close(list) }
    }

    /// Those there are now, zombies too. Whoever is in our own session is none of them: every program we start for
    /// another owner has a session of its own, and no process can come back into ours.
    package func current() -> [pid_t] {
        let children = ProcFile.contents(of: list, expecting: 256).map(ProcessTree.numbers) ?? ProcessTree.children()
        return children.filter { pid in
            !ChildProcess.running.contains(pid) && ProcessTree.session(of: pid) != ownSession
        }
    }
}
