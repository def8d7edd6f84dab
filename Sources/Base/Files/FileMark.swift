// SPDX-License-Identifier: MIT
import Glibc
import Platform

/// Which file a path leads to and when it was last written: another mark is another file, or another text of it.
package struct FileMark: Hashable, Sendable {
    package typealias Place = FileIdentity

    private let identity: FileIdentity
    private let size: off_t
    /// In nanoseconds; of its contents, as rights and names come and go without making it another program.
    private let written: Int64

    /// Nil where there is no file to look at.
    package init?(at path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        identity = FileIdentity(status)
        size = status.st_size
        written = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }
}
