// SPDX-License-Identifier: MIT
import Platform

/// A moment until which to wait, on the clock that stands still while the machine sleeps: a time-out measures how long
/// the service was given, and a sleeping one was given nothing.
struct Deadline {
    private let nanoseconds: Int64?

    /// - Parameter duration: nil waits for ever.
    init(after duration: Duration?) {
        nanoseconds = duration.map { duration in
            let (seconds, attoseconds) = duration.components
            // A century is as good as for ever, and cannot overflow.
            return SystemClock.monotonic.nanoseconds + min(max(seconds, 0), 3_000_000_000) * 1_000_000_000 + attoseconds
                / 1_000_000_000
        }
    }

    /// What is left as poll(2) takes it: rounded up, 0 when it has passed, -1 for ever.
    var remainingMilliseconds: Int32 {
        guard let nanoseconds else { return -1 }
        return Int32(clamping: max(0, (nanoseconds - SystemClock.monotonic.nanoseconds + 999_999) / 1_000_000))
    }
}
