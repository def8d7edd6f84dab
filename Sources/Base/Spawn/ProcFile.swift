// SPDX-License-Identifier: MIT
import Glibc
import Platform

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
