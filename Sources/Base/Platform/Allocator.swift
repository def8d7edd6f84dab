// SPDX-License-Identifier: MIT
import CLinux

/// malloc(3) of this process.
package enum Allocator {
    /// One arena for all threads, which grows by a megabyte: a thread's own arena grows by pages, with a system call for each, which
    /// takes a twentieth of an update of the weather. Call this before the program has threads.
    package static func prepareForShortRun() {
        _ = mallopt(M_ARENA_MAX, 1)
        _ = mallopt(M_TOP_PAD, 1 << 20)
    }
}
