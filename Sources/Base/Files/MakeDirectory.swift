// SPDX-License-Identifier: MIT
import Glibc

/// A directory that could not be made.
package struct DirectoryFailure: Error, Equatable, CustomStringConvertible {
    package let path: String
    package let code: Int32

    package var description: String { "cannot make the directory \(path): \(String(cString: strerror(code)))" }
}

extension Paths {
    /// Makes a directory with this mode, whatever the umask is, and what is missing above it. One that is there stays as
    /// it is.
    package static func makeDirectory(_ path: String, mode: mode_t) throws(DirectoryFailure) {
        if mkdir(path, mode) == 0 {
            guard chmod(path, mode) == 0 else { throw DirectoryFailure(path: path, code: errno) }
            return
        }
        switch errno {
        case EEXIST where isDirectory(path):
            return
        case EEXIST:
            throw DirectoryFailure(path: path, code: ENOTDIR)
        case ENOENT where path != parent(of: path):
            try makeDirectory(parent(of: path), mode: mode)
            guard mkdir(path, mode) == 0 || errno == EEXIST, chmod(path, mode) == 0 else {
                throw DirectoryFailure(path: path, code: errno)
            }
        default:
            throw DirectoryFailure(path: path, code: errno)
        }
    }
}
