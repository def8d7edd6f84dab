// SPDX-License-Identifier: MIT
import Arguments
import Glibc
import Platform

/// Writes small files as a whole.
enum SmallFile {
    /// Replaces the file. A reader sees the old or the new bytes, never a part, even after a power cut: rename(2) replaces the
    /// file, after fsync(2) of the new one and before fsync(2) of the directory.
    static func write(_ bytes: [UInt8], to path: String) throws(TodayError) {
        let temporary = "\(path).\(getpid())~"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("write", path) }
        let isWritten = Descriptor.writeAll(bytes, to: descriptor) && fsync(descriptor) == 0
        let isClosed = close(descriptor) == 0
        guard isWritten, isClosed, rename(temporary, path) == 0 else {
            let error = failure("write", path)
            unlink(temporary)
            throw error
        }
        try synchronizeDirectory(of: path)
    }

    /// Makes a directory that only its owner can read, and those above it.
    static func makeDirectory(_ path: String) throws(TodayError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw failure("make the directory", path)
        }
        try makeDirectory(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure("make the directory", path) }
    }

    /// Whether the file belongs to the user of this process.
    static func isOwn(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_uid == geteuid()
    }

    /// Puts the name of a new file on disk.
    private static func synchronizeDirectory(of path: String) throws(TodayError) {
        let directory = open(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]), O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { throw failure("write", path) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw failure("write", path) }
    }

    static func failure(_ what: String, _ path: String) -> TodayError {
        .system("cannot \(what) \(path): \(String(cString: strerror(errno)))")
    }
}
