// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Platform
import Reactor

/// The descendants of this process, read from /proc (proc(5)), to find and end all processes that a program has
/// started.
package enum ProcessTree {
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
        guard hasChildrenFiles else {
            return ProcFile.numberedEntries(of: "/proc").filter { parent(of: $0) == pid }
        }
        return ProcFile.numberedEntries(of: "/proc/\(pid)/task").flatMap { thread in
            ProcFile.read("/proc/\(pid)/task/\(thread)/children").map(numbers) ?? []
        }
    }

    /// False in kernels without CONFIG_PROC_CHILDREN, and in gVisor.
    private static let hasChildrenFiles = access("/proc/self/task/\(getpid())/children", R_OK) == 0

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

    /// Whether a process began before a time, in microseconds of the boot-time clock. The kernel counts in ticks; in
    /// the tick of that time the answer is false.
    package static func began(_ pid: pid_t, before time: Int64) -> Bool {
        ProcessStatus(of: pid)?.began(before: time) ?? false
    }

    /// The largest mark that a child of this process can have (`ResourceLimits.mark`): half a million years, or the mark of this
    /// process.
    package static let largestMark: UInt64 = min(clinux_realtime_limit(getpid()), 1 << 62)

    /// The mark with which a process was started; nil if there is none, or if the process has ended or belongs to another user.
    /// The kernel reads no memory of the process for it, and so waits for no lock that a process holds while it forks.
    package static func mark(of pid: pid_t) -> UInt64? {
        let limit = clinux_realtime_limit(pid)
        return limit > 0 && limit < largestMark ? limit : nil
    }

    private static func variable(_ name: String, in environment: [UInt8]) -> String? {
        let prefix = Array("\(name)=".utf8)
        for variable in environment.split(separator: 0) where variable.starts(with: prefix) {
            return String(decoding: variable.dropFirst(prefix.count), as: UTF8.self)
        }
        return nil
    }

    /// The other processes of this user whose environment at their start matches. Only those in the mount namespace of
    /// this process: in a container, the same path is another file.
    package static func processes(where matches: (_ variable: (String) -> String?) -> Bool) -> [pid_t] {
        ProcFile.numberedEntries(of: "/proc").filter { pid in
            var status = stat()
            guard pid != getpid(), stat("/proc/\(pid)", &status) == 0, status.st_uid == geteuid(),
                sharesMountNamespace(pid),
                let environment = ProcFile.read("/proc/\(pid)/environ")
            else { return false }
            return matches { variable($0, in: environment) }
        }
    }

    private static func sharesMountNamespace(_ pid: pid_t) -> Bool {
        guard let own = FileIdentity(of: "/proc/self/ns/mnt") else { return false }
        return FileIdentity(of: "/proc/\(pid)/ns/mnt") == own
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
        if list >= 0 { close(list) }
    }

    /// The orphans that exist now, including zombies. A process in the session of this process is none: each program of
    /// another owner gets its own session, and no process can join another session.
    package func current() -> [pid_t] {
        let children = ProcFile.contents(of: list, expecting: 256).map(ProcessTree.numbers) ?? ProcessTree.children()
        return children.filter { pid in
            !ChildProcess.running.contains(pid) && ProcessTree.session(of: pid) != ownSession
        }
    }
}
