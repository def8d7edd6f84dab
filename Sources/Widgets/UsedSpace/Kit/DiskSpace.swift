// SPDX-License-Identifier: MIT
import Glibc

/// How much of a file system is used, of what its users can have: the numbers of df(1), whose percentage it has, too.
package struct DiskSpace: Hashable, Sendable {
    /// Without what is kept back for root (ext4: 5 %): a disk that takes nothing more from its users is full.
    package let total: UInt64
    /// What may still be written.
    package let free: UInt64

    package init(total: UInt64, free: UInt64) {
        self.total = total
        self.free = min(free, total)
    }

    package var used: UInt64 { total - free }

    /// The part that is used, 0 to 1. Nothing is full of nothing.
    package var rate: Double { total == 0 ? 0 : Double(used) / Double(total) }
}

extension DiskSpace {
    /// Why there are no sizes, in words.
    package struct Unknown: Error, Hashable, CustomStringConvertible {
        package let description: String
    }

    /// Asks the file system that `path` is on: statvfs(3).
    package init(of path: String) throws(Unknown) {
        var status = statvfs()
        while statvfs(path, &status) != 0 {
            if errno == EINTR { continue }
            throw Unknown(description: "cannot tell how full \(path) is: \(String(cString: strerror(errno)))")
        }
        let unit = UInt64(status.f_frsize != 0 ? status.f_frsize : status.f_bsize)
        let blocks = UInt64(status.f_blocks)
        let used = blocks - min(UInt64(status.f_bfree), blocks)
        // Overlays and quotas may promise more than there is.
        let available = min(UInt64(status.f_bavail), blocks - used)
        let (total, isTooLarge) = (used + available).multipliedReportingOverflow(by: unit)
        guard total > 0, !isTooLarge else {
            throw Unknown(
                description: "cannot tell how full \(path) is: its file system has no size, as /proc has none")
        }
        self.init(total: total, free: available * unit)
    }
}
