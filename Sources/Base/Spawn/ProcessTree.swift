// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Reactor

/// The descendants of this process, read from /proc (proc(5)), to find and end all processes that a program has
/// started.
package enum ProcessTree {
    /// When a process began, in the kernel's ticks: field 22 of /proc/PID/stat, by which others know it from a later one of its number.
    ///
    /// - Parameter seen: a time at which the process had this number, in microseconds of the boot-time clock. Nil is returned for a
    ///   process that began later.
    package static func startTicks(of pid: pid_t, seen: Int64) -> Int64? {
        ProcessStatus(of: pid).flatMap { $0.began(after: seen) ? nil : $0.startTicks }
    }

    /// Makes this process the parent of orphans among its descendants, instead of init (PR_SET_CHILD_SUBREAPER,
    /// prctl(2)). So a program cannot hide by forking twice. It lasts as long as this process; children do not inherit
    /// it.
    @discardableResult
    package static func becomeSubreaper() -> Bool {
        clinux_become_subreaper() == 0
    }

    /// The children of this process, started by it or reparented to it, including zombies.
    package static func children() -> [pid_t] { children(of: getpid()) }

    /// The children of all threads of a process. A process that has ended has none.
    package static func children(of pid: pid_t) -> [pid_t] {
        ProcFile.numberedEntries(of: "/proc/\(pid)/task").flatMap { thread in
            ProcFile.read("/proc/\(pid)/task/\(thread)/children").map(numbers) ?? []
        }
    }

    /// All descendants of a process, parents before their children. A process may fork during the search, so the caller
    /// repeats it until there are none.
    package static func descendants(of pid: pid_t) -> [pid_t] {
        var found = children(of: pid)
        var next = 0
        while next < found.count {
            found += children(of: found[next])
            next += 1
        }
        return found
    }

    /// The parent of a process; nil when the process is gone.
    package static func parent(of pid: pid_t) -> pid_t? { ProcessStatus(of: pid)?.parent }

    /// The session of a process, which is the process id of its leader; nil when the process is gone.
    package static func session(of pid: pid_t) -> pid_t? {
        let session = getsid(pid)
        return session > 0 ? session : nil
    }

    /// Reaps a child that has ended, without waiting. Not for a `ChildProcess`, which the loop reaps.
    ///
    /// - Returns: whether the child is gone.
    @discardableResult
    package static func reap(_ child: pid_t) -> Bool {
        let reaped = waitpid(child, nil, WNOHANG)
        return reaped == child || (reaped < 0 && errno == ECHILD)
    }

    /// The process ids in a list that is separated by spaces (proc(5)).
    static func numbers(in text: some Sequence<UInt8>) -> [pid_t] {
        var numbers: [pid_t] = []
        var current: pid_t?
        for byte in text {
            if byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
                current = (current ?? 0) &* 10 &+ pid_t(byte &- UInt8(ascii: "0"))
            } else if let number = current {
                numbers.append(number)
                current = nil
            }
        }
        if let current { numbers.append(current) }
        return numbers
    }
}

/// The children that this process did not start: descendants whose parent has ended. The kernel reparents them to this
/// process because it is a subreaper.
///
/// A caller asks after each program's end, so it costs one pread(2) of a file that stays open. The kernel gives
/// orphans to the first living thread of a subreaper (find_alive_thread in its exit.c). That is the main thread, which
/// lives as long as the process, so the main thread's list has all of them.
@LoopActor
package final class Orphans {
    /// The open list of children; -1 where the kernel has no such files.
    private let list: Int32
    private let ownSession = getsid(0)

    package init() {
        let pid = getpid()
        list = open("/proc/\(pid)/task/\(pid)/children", O_RDONLY | O_CLOEXEC)
    }

    deinit {
        close(list)
    }

    /// Reaps orphans that have ended. A chain of processes, each of which forks and ends, would fill the process table while its run
    /// lasts: 32,768 numbers in seconds.
    ///
    /// - Returns: whether there may be more.
    package static func reapEnded(atMost most: Int = 1_000) -> Bool {
        for _ in 0..<most {
            let pid = clinux_ended_child()
            // The loop reaps what this process has started, and then the next signal comes here.
            guard pid > 0, !ChildProcess.running.contains(pid) else { return false }
            ProcessTree.reap(pid)
        }
        return true
    }

    /// The orphans that exist now, including zombies. A process in the session of this process is none: each program of
    /// another owner gets its own session, and no process can join another session.
    package func current() -> [pid_t] {
        let children = ProcFile.contents(of: list, expecting: 256).map(ProcessTree.numbers) ?? ProcessTree.children()
        return orphans(among: children)
    }

    func orphans(among children: [pid_t]) -> [pid_t] {
        children.filter { pid in
            !ChildProcess.running.contains(pid) && ProcessTree.session(of: pid) != ownSession
        }
    }
}
