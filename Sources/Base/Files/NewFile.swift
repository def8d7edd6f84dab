// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Platform

/// Creates small files.
package enum NewFile {
    package struct Failure: Error, Hashable, CustomStringConvertible {
        package let path: String
        package let code: Int32

        /// A file of this name exists. It stays as it is.
        package var isThere: Bool { code == EEXIST }
        package var reason: String { FileContents.words(code) }
        package var description: String { "cannot write \(path): \(reason)" }
    }

    /// Writes the whole file or nothing. It never replaces an existing file, not even a dangling link.
    package static func write(_ text: String, at path: String, mode: mode_t) throws(Failure) {
        try write(Array(text.utf8), at: path, mode: mode)
    }

    /// Writes the whole file or nothing, as above.
    ///
    /// - Parameter group: the group that the file gets; nil leaves the one that new files have.
    package static func write(
        _ bytes: [UInt8], at path: String, mode: mode_t, group: gid_t? = nil
    ) throws(Failure) {
        // Write under another name first, so that a killed process leaves no part of the file under this name. The name
        // itself may be as long as a name can be.
        let draft =
            "\(Paths.parent(of: path))/.new-\(getpid())-\(StableHash(Array(Paths.name(of: path).utf8)[...]).value)"
        unlink(draft)
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { throw Failure(path: path, code: errno) }
        defer { unlink(draft) }
        // Set the mode whatever the umask is.
        var code: Int32 = 0
        if let group, fchown(file, .max, group) != 0 { code = errno }
        if code == 0, fchmod(file, mode) != 0 { code = errno }
        if code == 0, !Descriptor.writeAll(bytes, to: file) { code = errno }
        if close(file) != 0, code == 0 { code = errno }
        // Programs that watch the directory read a renamed file at once; a created file may still be incomplete.
        if code == 0, clinux_rename_new(draft, path) != 0 { code = errno }
        if code != 0 { throw Failure(path: path, code: code) }
    }

    /// Makes a symbolic link. It never replaces an existing file.
    package static func link(to target: String, at path: String) throws(Failure) {
        if symlink(target, path) != 0 { throw Failure(path: path, code: errno) }
    }
}
