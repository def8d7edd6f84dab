// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Platform
import Reactor

/// The descendants of this process, read from /proc (proc(5)), to find and end all processes that a program has
/// started.
package enum ProcessTree {
    /// When a process began, in the kernel's ticks: field 22 of /proc/PID/stat, which tells it from a later process with the
    /// same number.
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

    /// The orphans that exist now, including zombies. A process in the session of this process is not one: each program of
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

/// Reads /proc (proc(5)), whose files have no size and whose directories change while they are read.
enum ProcFile {
    /// The whole file; nil when it cannot be read, for example because its process has ended.
    static func read(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return contents(of: descriptor)
    }

    private static let lessThanAPage = 2_048

    /// The whole contents of an open file, from its beginning.
    static func contents(of descriptor: Int32, expecting size: Int = 4096) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: size)
        var length = 0
        while true {
            // Unsafe: pread(2) writes into the unused rest of the array and gets its size.
            let count = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress.map { $0 + length }, $0.count - length, off_t(length))
            }
            guard count >= 0 else { return nil }
            length += count
            // A short read is the end of the file. But the kernel returns lists in pages, so a short read of a page is
            // not (seq_file.rst of the kernel's documentation).
            if count == 0 || (length < bytes.count && count < Self.lessThanAPage) { break }
            if length < bytes.count { continue }
            bytes += [UInt8](repeating: 0, count: bytes.count)
        }
        bytes.removeLast(bytes.count - length)
        return bytes
    }

    /// The names in a directory that are numbers: processes or threads.
    static func numberedEntries(of path: String) -> [pid_t] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [pid_t] = []
        while let entry = readdir(directory) {
            if let number = pid_t(entry.name) { names.append(number) }
        }
        return names
    }
}

/// The parent and the start of a process, from /proc/PID/stat (proc(5)).
struct ProcessStatus {
    let parent: pid_t
    /// When the process began, in microseconds of the boot-time clock, rounded down to the kernel's tick.
    private let began: Int64
    /// The same in the kernel's ticks.
    let startTicks: Int64

    private static let tick = 1_000_000 / Int64(sysconf(Int32(_SC_CLK_TCK)))

    /// Nil when the process is gone, or when the kernel hides it from this user.
    init?(of pid: pid_t) {
        guard let stat = ProcFile.read("/proc/\(pid)/stat"),
            // "42 (name) S 1 …": the name may contain spaces and parentheses.
            let name = stat.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        let fields = stat[(name + 1)...].split(separator: UInt8(ascii: " "))
        // Fields 4, 6 and 22; index 0 is field 3, the state. While the kernel removes an ended process, its session is
        // -1 and its parent 0 (do_task_stat in the kernel's fs/proc/array.c).
        guard fields.count > 19, fields[3].first != UInt8(ascii: "-"),
            let parent = ProcessTree.numbers(in: fields[1]).first,
            let ticks = Int64(String(decoding: fields[19], as: UTF8.self))
        else { return nil }
        self.parent = parent
        startTicks = ticks
        began = ticks.multipliedReportingOverflow(by: Self.tick).partialValue
    }

    func began(after time: Int64) -> Bool { began > time }
}
