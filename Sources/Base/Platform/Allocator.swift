// SPDX-License-Identifier: MIT
import CLinux

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
