// SPDX-License-Identifier: MIT

/// Strings laid out as execve(2) wants them: NUL-terminated one after the other, and their places.
struct CStrings {
    private var bytes: [UInt8] = []
    private var offsets: [Int] = []

    /// False, and nothing is added, when the string has a NUL byte inside: the kernel would see only its beginning.
    mutating func append(_ string: String) -> Bool {
        guard !string.utf8.contains(0) else { return false }
        offsets.append(bytes.count)
        bytes.append(contentsOf: string.utf8)
        bytes.append(0)
        return true
    }

    /// Calls `body` with a NULL-terminated array of pointers, valid only during the call.
    /// Unsafe: the pointers lead into `bytes`, which stays in place as long as the closure borrows it; C may look at
    /// any memory as characters.
    mutating func withPointers<Result>(
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
