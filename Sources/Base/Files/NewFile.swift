// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Platform

/// A small file that was not there before.
package enum NewFile {
    package struct Failure: Error, Hashable, CustomStringConvertible {
        package let path: String
        package let code: Int32

        /// There is something of this name, which stays as it is.
        package var isThere: Bool { code == EEXIST }
        package var description: String { "cannot write \(path): \(FileLook.words(code))" }
    }

    /// Writes all of it, or leaves nothing. What is there already, be it a dangling link, is never written over.
    package static func write(_ text: String, at path: String, mode: mode_t) throws(Failure) {
        // Under another name first: what is killed meanwhile leaves no half of it under this one.
        let draft = "\(Paths.parent(of: path))/.\(Paths.name(of: path)).\(getpid())"
        unlink(draft)
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { throw Failure(path: path, code: errno) }
        defer { unlink(draft) }
        // Whatever the umask of the caller: others have to read it.
        var code: Int32 = fchmod(file, mode) == 0 ? 0 : errno
        if code == 0, !Descriptor.writeAll(Array(text.utf8), to: file) { code = errno }
        if close(file) != 0, code == 0 { code = errno }
        // A rename is what programs notice that watch the directory: they take a file that is created for half written.
        if code == 0, clinux_rename_new(draft, path) != 0 { code = errno }
        if code != 0 { throw Failure(path: path, code: code) }
    }
}
