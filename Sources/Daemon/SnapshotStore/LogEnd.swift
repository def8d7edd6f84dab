// SPDX-License-Identifier: MIT
import Glibc

/// The size and header of a database's write-ahead log. Every checkpoint gives the header new salts
/// (sqlite.org/fileformat2.html). Equal values mean that no process has truncated or replaced the log.
struct LogEnd: Equatable {
    let size: Int
    private let header: [UInt8]

    private static let headerBytes = 32

    /// Nil where there is no log.
    ///
    /// - Parameter before: the result where the log cannot be opened, for example without a free descriptor.
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

/// Size and modification time of a database's file.
struct FileState: Equatable {
    private let size: off_t
    private let seconds: Int
    private let nanoseconds: Int

    /// - Parameter before: the result where the file is missing, which another check reports.
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
