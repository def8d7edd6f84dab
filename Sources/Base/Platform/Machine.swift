// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// What this machine is called.
package enum Machine {
    /// A name that reveals nothing about the machine: machine-id(5) asks applications to hash the ID together with a text of
    /// their own.
    package static func hash(for purpose: String) -> String {
        let file = open("/etc/machine-id", O_RDONLY | O_CLOEXEC)
        defer { if file >= 0 { close(file) } }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = max(0, read(file, &bytes, bytes.count))
        // A container may have none.
        let id = count > 0 ? Array(bytes[..<count]) : Array(hostName.utf8)
        return String(StableHash(Array("\(purpose):".utf8) + id).value, radix: 16)
    }

    package static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// The clocks of the kernel: clock_gettime(2).
package enum SystemClock: Sendable, CaseIterable {
    /// Counts while the machine sleeps: for intervals between updates.
    case boottime
    /// Stops while the machine sleeps: for time-outs of a running process.
    case monotonic
    /// The wall clock, which people and time servers set: for dates and times of day.
    case realtime

    package var identifier: clockid_t {
        switch self {
        case .boottime: CLOCK_BOOTTIME
        case .monotonic: CLOCK_MONOTONIC
        case .realtime: CLOCK_REALTIME
        }
    }

    /// Nanoseconds since the clock's beginning. Int64 holds 292 years of them.
    package var nanoseconds: Int64 {
        var time = timespec()
        clock_gettime(identifier, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    package var microseconds: Int64 { nanoseconds / 1_000 }
    package var seconds: Int { Int(nanoseconds / 1_000_000_000) }
}

extension tm {
    /// The date and the time of day in the time zone of this process; nil for a year that an int cannot count.
    ///
    /// tzset(3) notices that /etc/localtime is another file. Without it, localtime_r(3) keeps the zone of its first call in a process
    /// that stays, although its user has travelled.
    package init?(local seconds: Int) {
        self.init()
        var time = time_t(seconds)
        tzset()
        if localtime_r(&time, &self) == nil { return nil }
    }
}

/// Environment variables by name. An empty variable counts as unset.
package struct EnvironmentVariables: Sendable {
    private let lookUp: @Sendable (String) -> String?

    package init(_ lookUp: @escaping @Sendable (String) -> String?) { self.lookUp = lookUp }

    package init(_ values: [String: String]) { self.init { values[$0] } }

    /// The variables of this process. getenv(3) returns a pointer into the environment; the text is copied at once.
    package static let process = EnvironmentVariables { name in getenv(name).map { String(cString: $0) } }

    package subscript(name: String) -> String? { lookUp(name).flatMap { $0.isEmpty ? nil : $0 } }

    /// The directories of programs: `PATH`, or otherwise those of logins on Debian and those for administrators, because widgets
    /// examine the machine.
    package var programPath: String {
        self["PATH"] ?? "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    }
}

/// malloc(3) of this process.
package enum Allocator {
    /// One arena for all threads: a thread's own keeps its free memory from the others and grows by pages. Call this before the
    /// program has threads.
    package static func useOneArena() { _ = mallopt(M_ARENA_MAX, 1) }

    /// One arena, which grows by a megabyte: a system call for each few pages takes a twentieth of an update of the weather.
    package static func prepareForShortRun() {
        useOneArena()
        _ = mallopt(M_TOP_PAD, 1 << 20)
    }
}
