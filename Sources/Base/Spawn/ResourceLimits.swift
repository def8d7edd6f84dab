// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// What one process may use at most, as in setrlimit(2); nil leaves what we have ourselves.
package struct ResourceLimits: Sendable, Hashable {
    /// Bytes of private writable memory (RLIMIT_DATA, which has counted anonymous mappings too since Linux 4.7).
    /// Not RLIMIT_AS: address space that is only reserved costs nothing, and each thread's malloc arena alone reserves
    /// 64 MB of it, so with a limit there every program with threads would fail.
    package var memory: UInt64?
    /// Bytes of a core file. None by default: the cores of other people's programs would only fill the disk.
    package var core: UInt64? = 0
    package var openFiles: UInt64?

    package init() {}

    var asC: [clinux_limit] {
        let table: [(UInt64?, __rlimit_resource)] = [
            (memory, RLIMIT_DATA), (core, RLIMIT_CORE), (openFiles, RLIMIT_NOFILE),
        ]
        return table.compactMap { value, resource in
            value.map { clinux_limit(resource: Int32(resource.rawValue), value: $0) }
        }
    }
}
