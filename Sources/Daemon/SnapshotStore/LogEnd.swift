// SPDX-License-Identifier: MIT
import Glibc

/// How long a database's write-ahead log is, and its header, which every checkpoint gives new salts
/// (sqlite.org/fileformat2.html): the same again means that no process has cut it or put another in its place.
struct LogEnd: Equatable {
    let size: Int
    private let header: [UInt8]

    private static let headerBytes = 32

    /// Nil where there is none.
    ///
    /// - Parameter before: what it is taken to be where it cannot be looked at, as when there are no descriptors.
    init?(of database: String, otherwise before: LogEnd? = nil) {
        let log = open(database + "-wal", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard log >= 0 else {
            guard errno != ENOENT, let before else { return nil }
            self = before
            return
        }
        defer { close(log) }
        var status = stat()
        var bytes = [UInt8](repeating: 0, count: Self.headerBytes)
        guard fstat(log, &status) == 0, pread(log, &bytes, bytes.count, 0) >= 0 else { return nil }
        size = Int(status.st_size)
        header = bytes
    }
}

/// Size and time of the last change of a database's file.
struct FileState: Equatable {
    private let size: off_t
    private let seconds: Int
    private let nanoseconds: Int

    /// - Parameter before: what it is taken to be where it is not there: that is for another check.
    init?(of database: String, otherwise before: FileState? = nil) {
        var status = stat()
        guard stat(database, &status) == 0 else {
            guard let before else { return nil }
            self = before
            return
        }
        size = status.st_size
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }
}
