// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Platform
import Reactor

/// The processes below us, as /proc knows them: how whatever a program left behind is found and ended.
package enum ProcessTree {
    /// Makes orphans among our descendants our own children instead of init's (PR_SET_CHILD_SUBREAPER, prctl(2)), so
    /// that a program cannot get away by forking twice. It lasts as long as we do; children do not inherit it.
    @discardableResult
    package static func becomeSubreaper() -> Bool {
        clinux_become_subreaper() == 0
    }

    /// Our children, started by us or reparented to us, zombies too.
    package static func children() -> [pid_t] { children(of: getpid()) }

    /// The children of all threads of a process. Never an error: a process that has just ended has none.
    package static func children(of pid: pid_t) -> [pid_t] {
        guard hasChildrenFiles else {
            return ProcFile.numberedEntries(of: "/proc").filter { parent(of: $0) == pid }
        }
        return ProcFile.numberedEntries(of: "/proc/\(pid)/task").flatMap { thread in
            ProcFile.read("/proc/\(pid)/task/\(thread)/children").map(numbers) ?? []
        }
    }

    /// Not in kernels without CONFIG_PROC_CHILDREN, nor in gVisor.
    private static let hasChildrenFiles = access("/proc/self/task/\(getpid())/children", R_OK) == 0

    /// All that was started below a process, parents before their children. A process that forks while we look may
    /// have a child more by now: look again until there are none.
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

    /// The session that a process belongs to, which is the process id of the one that made it; nil when it is gone.
    package static func session(of pid: pid_t) -> pid_t? {
        let session = getsid(pid)
        return session > 0 ? session : nil
    }

    /// Whether a process was there before a time, in microseconds of the boot-time clock, as far as the kernel's ticks tell.
    package static func began(_ pid: pid_t, before time: Int64) -> Bool {
        ProcessStatus(of: pid)?.began(before: time) ?? false
    }

    /// A variable of the environment that a process was started with; nil too when we may not look (another user's)
    /// or when it has ended.
    package static func environmentVariable(_ name: String, of pid: pid_t) -> String? {
        // For some 100 us in execve(2) a process has left its old environment and has not got its new one.
        for _ in 0..<looksAtEmptyEnvironments {
            guard let environment = ProcFile.read("/proc/\(pid)/environ") else { return nil }
            if !environment.isEmpty { return variable(name, in: environment) }
        }
        return nil
    }

    private static let looksAtEmptyEnvironments = 10

    private static func variable(_ name: String, in environment: [UInt8]) -> String? {
        let prefix = Array("\(name)=".utf8)
        for variable in environment.split(separator: 0) where variable.starts(with: prefix) {
            return String(decoding: variable.dropFirst(prefix.count), as: UTF8.self)
        }
        return nil
    }

    /// All processes of our user but this one, in our mount namespace (paths of a container's mean other files), whose environments, as they were started, are as is asked.
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

    /// Takes a child that has ended off the process table, never waiting. Whether it is gone now. Not for a
    /// `ChildProcess`, which the loop reaps.
    @discardableResult
    package static func reap(_ child: pid_t) -> Bool {
        let reaped = waitpid(child, nil, WNOHANG)
        return reaped == child || (reaped < 0 && errno == ECHILD)
    }

    /// The process ids in a list, which are separated by spaces (proc(5)).
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
