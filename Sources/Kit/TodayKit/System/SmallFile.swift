// SPDX-License-Identifier: MIT
import Files
import Glibc
import Platform

/// Writes small files as a whole.
enum SmallFile {
    /// Replaces the file. A reader sees the old or the new bytes, never a part, even after a power cut: rename(2) replaces the
    /// file, after fsync(2) of the new one and before fsync(2) of the directory.
    static func write(_ bytes: [UInt8], to path: String) throws(TodayError) {
        let temporary = "\(path).\(getpid())~"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        let isWritten = Descriptor.writeAll(bytes, to: descriptor) && fsync(descriptor) == 0
        let isClosed = close(descriptor) == 0
        guard isWritten, isClosed, rename(temporary, path) == 0 else {
            let error = failure(path)
            unlink(temporary)
            throw error
        }
        try synchronizeDirectory(of: path)
    }

    /// Makes a directory that only its owner can read, and those above it.
    static func makeDirectory(_ path: String) throws(TodayError) {
        do {
            try Paths.makeDirectory(path, mode: 0o700)
        } catch {
            throw .system("\(error)")
        }
    }

    /// Whether the file belongs to the user of this process.
    static func isOwn(_ path: String) -> Bool { Paths.owner(of: path) == geteuid() }

    /// Puts the name of a new file on disk.
    private static func synchronizeDirectory(of path: String) throws(TodayError) {
        let directory = open(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]), O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { throw failure(path) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw failure(path) }
    }

    private static func failure(_ path: String) -> TodayError {
        .system("cannot write \(path): \(String(cString: strerror(errno)))")
    }
}
