// SPDX-License-Identifier: MIT
import Glibc

/// A directory that could not be made, or that is not what it should be.
package struct DirectoryFailure: Error, Equatable, CustomStringConvertible {
    package let path: String
    package let code: Int32
    /// What is wrong with what is there, as the end of a sentence that begins with the path; nil for an error of making.
    package let flaw: String?

    init(path: String, code: Int32, flaw: String? = nil) {
        self.path = path
        self.code = code
        self.flaw = flaw
    }

    package var description: String {
        flaw.map { "\(path) \($0)" } ?? "cannot make the directory \(path): \(String(cString: strerror(code)))"
    }
}

extension Paths {
    /// Makes a directory with this mode, whatever the umask is, and what is missing above it. One that is there stays as
    /// it is, and may be a link: this is for places that an administrator chooses.
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

    /// The same for `name` below a base that programs we do not trust can write to. All of `name` must be real
    /// directories of our own user: behind a link, or a directory of another user, one program would get what is meant
    /// for another. The base itself may be a link, as systemd's StateDirectory= is with DynamicUser= (systemd.exec(5)).
    package static func makeOwnDirectory(
        _ name: String, in base: String, mode: mode_t
    ) throws(DirectoryFailure) {
        var path = base
        for component in name.split(separator: "/") {
            path += "/\(component)"
            var status = stat()
            if lstat(path, &status) != 0 {
                guard errno == ENOENT else { throw DirectoryFailure(path: path, code: errno) }
                try makeDirectory(path, mode: mode)
                guard lstat(path, &status) == 0 else { throw DirectoryFailure(path: path, code: errno) }
            }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: break
            case S_IFLNK: throw DirectoryFailure(path: path, code: ELOOP, flaw: "is a symbolic link")
            default: throw DirectoryFailure(path: path, code: ENOTDIR, flaw: "is not a directory")
            }
            guard status.st_uid == geteuid() else {
                throw DirectoryFailure(
                    path: path, code: EPERM, flaw: "belongs to another user (uid \(status.st_uid))")
            }
        }
    }
}
