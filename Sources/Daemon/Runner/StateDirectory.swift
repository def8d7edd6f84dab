// SPDX-License-Identifier: MIT
import Glibc

/// The directories in which widgets keep what they want to keep.
enum StateDirectory {
    struct Failure: Error, Equatable, CustomStringConvertible {
        let path: String
        let code: Int32
        var description: String { "cannot make the directory \(path): \(String(cString: strerror(code)))" }
    }

    /// Makes it, and what is missing above it, for our own user only. There already is fine.
    static func make(_ path: String) throws(Failure) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw Failure(path: path, code: errno)
        }
        try make(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Failure(path: path, code: errno) }
    }
}
