// SPDX-License-Identifier: MIT
import Arguments
import Glibc

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
