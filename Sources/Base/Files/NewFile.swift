// SPDX-License-Identifier: MIT
import Glibc

/// A small file that was not there before.
package enum NewFile {
    package struct Failure: Error, Hashable, CustomStringConvertible {
        package let path: String
        package let code: Int32

        /// There is something of this name, which stays as it is.
        package var isThere: Bool { code == EEXIST }
        package var description: String { "cannot write \(path): \(FileLook.words(code))" }
    }

    /// Writes all of it, or leaves nothing. What is there already, be it a dangling link, is never written over: open(2),
    /// O_EXCL.
    package static func write(_ text: String, at path: String, mode: mode_t) throws(Failure) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { throw Failure(path: path, code: errno) }
        var rest = Array(text.utf8)[...]
        // Whatever the umask of the caller: others have to read it.
        var code: Int32 = fchmod(file, mode) == 0 ? 0 : errno
        while !rest.isEmpty, code == 0 {
            // The pointer is used within the closure.
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                code = errno
            }
        }
        if close(file) != 0, code == 0 { code = errno }
        if code != 0 {
            unlink(path)
            throw Failure(path: path, code: code)
        }
    }
}
