// SPDX-License-Identifier: MIT
import Glibc

/// A directory that cannot be made, or that must not be used.
package struct DirectoryFailure: Error, Equatable, CustomStringConvertible {
    package let path: String
    package let code: Int32
    /// What is wrong with an existing file, as the end of a sentence that begins with the path; nil if making failed.
    package let reason: String?

    init(path: String, code: Int32, reason: String? = nil) {
        self.path = path
        self.code = code
        self.reason = reason
    }

    fileprivate init(foreign path: String, owner: uid_t) {
        self.init(path: path, code: EPERM, reason: "belongs to another user (uid \(owner))")
    }

    package var description: String {
        reason.map { "\(path) \($0)" } ?? "cannot make the directory \(path): \(String(cString: strerror(code)))"
    }
}

extension Paths {
    /// Makes a directory and the missing ones above it with this mode, whatever the umask is. An existing directory
    /// stays as it is and may be a link, because an administrator chooses these places.
    package static func makeDirectory(_ path: String, mode: mode_t) throws(DirectoryFailure) {
        if mkdir(path, mode) == 0 { return try setMode(of: path, mode) }
        switch errno {
        case EEXIST where isDirectory(path):
            return
        case EEXIST:
            throw DirectoryFailure(path: path, code: ENOTDIR)
        case ENOENT where path != parent(of: path):
            try makeDirectory(parent(of: path), mode: mode)
            // Another process may have been faster.
            guard mkdir(path, mode) == 0 || errno == EEXIST else { throw DirectoryFailure(path: path, code: errno) }
            try setMode(of: path, mode)
        default:
            throw DirectoryFailure(path: path, code: errno)
        }
    }

    /// Sets the mode of a new directory, which the umask has cut. The user above it may have put a link in its place
    /// meanwhile, whose target must not change.
    private static func setMode(of path: String, _ mode: mode_t) throws(DirectoryFailure) {
        let directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard directory >= 0 else { throw DirectoryFailure(path: path, code: errno) }
        defer { close(directory) }
        var status = stat()
        guard fstat(directory, &status) == 0 else { throw DirectoryFailure(path: path, code: errno) }
        guard status.st_uid == geteuid() else { throw DirectoryFailure(foreign: path, owner: status.st_uid) }
        guard fchmod(directory, mode) == 0 else { throw DirectoryFailure(path: path, code: errno) }
    }

    /// Makes the directories of `name` below a base that untrusted programs can write to. Each component of `name` must
    /// be a real directory of this user: a link, or another user's directory, could give one program the files of
    /// another. The base itself may be a link, as StateDirectory= is with DynamicUser= (systemd.exec(5)).
    package static func makeOwnDirectory(
        _ name: String, in base: String, mode: mode_t
    ) throws(DirectoryFailure) {
        var path = base
        let user = geteuid()
        for component in name.utf8.split(separator: UInt8(ascii: "/")) {
            path += "/"
            path += Substring(component)
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
            guard status.st_uid == user else {
                throw DirectoryFailure(foreign: path, owner: status.st_uid)
            }
        }
    }
}

/// A new directory that only this user can enter, for files that its process removes at its end.
package struct ScratchDirectory: Sendable {
    package let path: String

    package struct Failure: Error, Hashable, CustomStringConvertible {
        package let parent: String
        package let code: Int32
        package var description: String { "cannot make a directory in \(parent): \(FileContents.words(code))" }
    }

    /// - Parameters:
    ///   - name: the beginning of its name.
    ///   - parent: `$TMPDIR` or `/tmp`.
    package init(_ name: String, in parent: String) throws(Failure) {
        var template = Array("\(parent)/\(name)-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap(mkdtemp).map { String(cString: $0) }
        }
        guard let made else { throw Failure(parent: parent, code: errno) }
        path = made
    }

    /// Removes the directory with everything in it, without following links. Call it when no process uses the directory any
    /// more.
    package func remove() { Self.remove(path) }

    private static func remove(_ path: String) {
        // A program may have removed its own permissions.
        chmod(path, 0o700)
        if let stream = opendir(path) {
            while let entry = readdir(stream) {
                // Names that are not UTF-8 are removed, too, so the name stays a C string: readdir(3).
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { remove($0, in: path, dirfd(stream)) }
                }
            }
            closedir(stream)
        }
        rmdir(path)
    }

    private static func remove(_ name: UnsafePointer<CChar>, in path: String, _ directory: Int32) {
        guard strcmp(name, ".") != 0, strcmp(name, "..") != 0 else { return }
        if unlinkat(directory, name, 0) == 0 || errno != EISDIR { return }
        // A directory whose name is not UTF-8 is removed if it is empty.
        if let text = String(validatingCString: name) { remove("\(path)/\(text)") }
        unlinkat(directory, name, Int32(AT_REMOVEDIR))
    }
}
