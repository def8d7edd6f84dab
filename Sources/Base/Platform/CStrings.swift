// SPDX-License-Identifier: MIT
import Glibc

/// An array of C strings for execve(2): the NUL-terminated bytes, and the offset of each string.
package struct CStrings {
    private var bytes: [UInt8] = []
    private var offsets: [Int] = []

    package init() {}

    /// Adds a string.
    ///
    /// - Returns: false for a string with a NUL byte, which is not added: the kernel would end it there.
    package mutating func append(_ string: String) -> Bool {
        guard !string.utf8.contains(0) else { return false }
        offsets.append(bytes.count)
        bytes.append(contentsOf: string.utf8)
        bytes.append(0)
        return true
    }

    /// Adds a string of C as it is, even one that is not UTF-8.
    package mutating func append(copyOf string: UnsafePointer<CChar>) {
        offsets.append(bytes.count)
        bytes.append(contentsOf: UnsafeRawBufferPointer(start: string, count: strlen(string) + 1))
    }

    /// Calls `body` with a NULL-terminated array of pointers, valid only during the call.
    ///
    /// Unsafe: the pointers lead into `bytes`, which does not move while the closure borrows it. C may read any memory
    /// as characters.
    package mutating func withPointers<Result>(
        _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Result
    ) -> Result {
        let offsets = offsets
        return bytes.withUnsafeMutableBytes { buffer in
            var pointers = offsets.map { buffer.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
            pointers.append(nil)
            return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
        }
    }
}
