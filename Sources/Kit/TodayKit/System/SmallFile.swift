// SPDX-License-Identifier: MIT
import Arguments
import Glibc

/// Small files, read and written as a whole.
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

    /// Replaces the file: a process that reads it meanwhile sees the old or the new bytes, never a part, and so does one that
    /// reads it after a power cut. rename(2), and fsync(2) of the bytes before and of the directory after it.
    static func write(_ bytes: [UInt8], to path: String) throws(TodayError) {
        let temporary = "\(path).\(getpid())~"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("write", path) }
        let isWritten = StandardStreams.writeAll(bytes, to: descriptor) && fsync(descriptor) == 0
        let isClosed = close(descriptor) == 0
        guard isWritten, isClosed, rename(temporary, path) == 0 else {
            let error = failure("write", path)
            unlink(temporary)
            throw error
        }
        let directory = open(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]), O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { throw failure("write", path) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw failure("write", path) }
    }

    /// Makes a directory for its owner alone, and those above it.
    static func makeDirectory(_ path: String) throws(TodayError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw failure("make the directory", path)
        }
        try makeDirectory(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure("make the directory", path) }
    }

    /// Whether something at the path belongs to the user of this process.
    static func isOwn(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_uid == geteuid()
    }

    static func failure(_ what: String, _ path: String) -> TodayError {
        .system("cannot \(what) \(path): \(String(cString: strerror(errno)))")
    }
}

extension SmallFile {
    /// Adds lines to a file that only its user can read; they are on disk when this returns. Of several that do so at once
    /// each adds its lines whole. What a writer left half done ends at the next line feed.
    ///
    /// - Parameter limit: the bytes that the file may have.
    static func append(_ lines: [String], to path: String, limit: Int) throws(TodayError) {
        let descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("write", path) }
        defer { close(descriptor) }
        var status = stat()
        guard flock(descriptor, LOCK_EX) == 0, fstat(descriptor, &status) == 0 else { throw failure("write", path) }
        // The reader has taken it away while this process waited for the lock.
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
        guard StandardStreams.writeAll(bytes, to: descriptor), fsync(descriptor) == 0 else {
            throw failure("write", path)
        }
        let directory = open(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]), O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { throw failure("write", path) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw failure("write", path) }
    }
}
