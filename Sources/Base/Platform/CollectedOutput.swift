// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// The first bytes that a program and those which it starts print, in memory. It is not a pipe: a program that stays, such as a
/// browser, goes on without a signal when it prints more than that, or when this process has ended.
package final class CollectedOutput {
    package static let capacity = 65_536

    /// For the program to write to.
    package let descriptor: Int32

    /// Nil where the system has no memory or no descriptor left.
    package init?() {
        descriptor = clinux_fixed_file(Self.capacity)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// What has been printed until now. The program shares the offset of the file with this process: open(2).
    package var bytes: [UInt8] {
        let end = lseek(descriptor, 0, SEEK_CUR)
        return [UInt8](unsafeUninitializedCapacity: max(0, min(Int(end), Self.capacity))) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
        }
    }
}
