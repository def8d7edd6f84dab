// SPDX-License-Identifier: MIT
import Arguments
import Glibc
import Platform

/// Reads and writes small files as a whole.
enum SmallFile {
    static func read(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count > 0 { bytes += chunk[..<count] }
            if count == 0 { return bytes }
            if count < 0 && errno != EINTR { return nil }
        }
    }

    /// Replaces the file. A reader sees the old or the new bytes, never a part, also after a power cut: rename(2) replaces the
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

extension SmallFile {
    /// Adds lines to a file that only its user can read; they are on disk when this returns. A lock keeps the lines of two
    /// writers apart. If a killed writer has left a part of a line, a line feed ends that part.
    ///
    /// - Parameter limit: how many bytes the file may have.
    static func append(_ lines: [String], to path: String, limit: Int) throws(TodayError) {
        let descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("write", path) }
        defer { close(descriptor) }
        var status = stat()
        guard flock(descriptor, LOCK_EX) == 0, fstat(descriptor, &status) == 0 else { throw failure("write", path) }
        // todayd has removed the file while this process waited for the lock.
        if status.st_nlink == 0 { return try append(lines, to: path, limit: limit) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            throw .system("cannot write \(path): it is not a file of this user; remove it")
        }
        var bytes = Array(lines.map { "\($0)\n" }.joined().utf8)
        var last = UInt8(ascii: "\n")
        if status.st_size > 0, pread(descriptor, &last, 1, status.st_size - 1) == 1, last != UInt8(ascii: "\n") {
            bytes.insert(UInt8(ascii: "\n"), at: 0)
        }
        guard status.st_size + bytes.count <= limit else {
            throw .notStored("\(path) is full; start todayd, which empties it")
        }
        guard Descriptor.writeAll(bytes, to: descriptor), fsync(descriptor) == 0 else {
            throw failure("write", path)
        }
        try synchronizeDirectory(of: path)
    }
}
