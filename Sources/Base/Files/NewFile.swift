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

/// A directory that could not be made, or that is not what it should be.
package struct DirectoryFailure: Error, Equatable, CustomStringConvertible {
    package let path: String
    package let code: Int32
    /// What is wrong with what is there, as the end of a sentence that begins with the path; nil for an error of making.
    package let reason: String?

    init(path: String, code: Int32, reason: String? = nil) {
        self.path = path
        self.code = code
        self.reason = reason
    }

    package var description: String {
        reason.map { "\(path) \($0)" } ?? "cannot make the directory \(path): \(String(cString: strerror(code)))"
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
            case S_IFLNK: throw DirectoryFailure(path: path, code: ELOOP, reason: "is a symbolic link")
            default: throw DirectoryFailure(path: path, code: ENOTDIR, reason: "is not a directory")
            }
            guard status.st_uid == geteuid() else {
                throw DirectoryFailure(
                    path: path, code: EPERM, reason: "belongs to another user (uid \(status.st_uid))")
            }
        }
    }
}
