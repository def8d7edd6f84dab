// SPDX-License-Identifier: MIT
import Glibc

/// What /proc/PID/stat tells of a process (proc(5)).
struct ProcessStatus {
    let parent: pid_t
    /// When it began, in microseconds of the boot-time clock, rounded down to the kernel's tick.
    private let began: Int64

    private static let tick = 1_000_000 / Int64(max(1, sysconf(Int32(_SC_CLK_TCK))))

    /// Nil when the process is gone, or not ours to look at.
    init?(of pid: pid_t) {
        guard let stat = ProcFile.read("/proc/\(pid)/stat"),
            // "42 (name) S 1 …": the name may have spaces and parentheses of its own.
            let name = stat.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        let fields = stat[(name + 1)...].split(separator: UInt8(ascii: " "))
        // Fields 4, 6 and 22; the state, field 3, is the first here. For a moment in which a process is being taken off the
        // table its session is -1 and its parent 0 (do_task_stat in the kernel's fs/proc/array.c): it has ended.
        guard fields.count > 19, fields[3].first != UInt8(ascii: "-"),
            let parent = ProcessTree.numbers(in: fields[1]).first,
            let ticks = Int64(String(decoding: fields[19], as: UTF8.self))
        else { return nil }
        self.parent = parent
        began = ticks.multipliedReportingOverflow(by: Self.tick).partialValue
    }

    func began(after time: Int64) -> Bool { began > time }

    func began(before time: Int64) -> Bool { began + Self.tick <= time }
}
