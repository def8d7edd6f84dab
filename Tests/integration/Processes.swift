// SPDX-License-Identifier: MIT
import Glibc

/// Other processes, from proc(5).
enum Processes {
    /// All processes with the text in their arguments or their environment.
    static func mentioning(_ text: String) -> [pid_t] {
        guard let stream = opendir("/proc") else { return [] }
        defer { closedir(stream) }
        var found: [pid_t] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let pid = pid_t(name) else { continue }
            if file("/proc/\(pid)/cmdline").contains(text) || file("/proc/\(pid)/environ").contains(text) {
                found.append(pid)
            }
        }
        return found
    }

    /// Whether a process runs. One that has ended and is not reaped yet does not: it has no arguments.
    static func isRunning(_ pid: pid_t) -> Bool { !file("/proc/\(pid)/cmdline").isEmpty }

    enum Memory: String {
        case resident = "VmRSS"
        case mostResident = "VmHWM"
    }

    /// In KiB.
    static func memory(_ kind: Memory, of pid: pid_t) throws -> Int {
        for line in file("/proc/\(pid)/status").split(separator: "\n") where line.hasPrefix("\(kind.rawValue):") {
            if let number = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) { return number }
        }
        throw BuiltProgram.Failure(description: "/proc has no \(kind.rawValue) of \(pid)")
    }

    /// How often a process has slept, or was made to let others run: `voluntary_ctxt_switches` and `nonvoluntary_ctxt_switches`.
    static func switches(of pid: pid_t) throws -> Int {
        let lines = file("/proc/\(pid)/status").split(separator: "\n").filter {
            $0.contains("voluntary_ctxt_switches:")
        }
        guard lines.count == 2 else {
            throw BuiltProgram.Failure(description: "/proc has no switches of \(pid)")
        }
        return lines.compactMap { $0.split(separator: "\t").last.flatMap { Int($0) } }.reduce(0, +)
    }

    private static func file(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
        // Arguments and variables end with NUL. With spaces they are words.
        return String(decoding: bytes.map { $0 == 0 ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
    }
}
