// SPDX-License-Identifier: MIT
import Glibc

/// A moment until which to wait, on the clock that stands still while the machine sleeps: a time-out measures how long
/// the service was given, and a sleeping one was given nothing.
struct Deadline {
    private let nanoseconds: Int64?

    /// - Parameter duration: nil waits for ever.
    init(after duration: Duration?) {
        nanoseconds = duration.map { duration in
            let (seconds, attoseconds) = duration.components
            // A century is as good as for ever, and cannot overflow.
            return Self.now() + min(max(seconds, 0), 3_000_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000
        }
    }

    /// What is left as poll(2) takes it: rounded up, 0 when it has passed, -1 for ever.
    var remainingMilliseconds: Int32 {
        guard let nanoseconds else { return -1 }
        return Int32(clamping: max(0, (nanoseconds - Self.now() + 999_999) / 1_000_000))
    }

    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
