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

/// Size, modification time and contents of a database's file.
struct FileState {
    private let size: off_t
    private let seconds: Int
    private let nanoseconds: Int
    /// A hash of the contents; nil where the file is too large to be read at each checkpoint.
    private let contents: UInt64?

    /// Nil where the file is missing, which another check reports.
    init?(of database: String) {
        var status = stat()
        guard stat(database, &status) == 0 else { return nil }
        size = status.st_size
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
        contents = size <= StoreLimits.checkedBytes ? Self.hash(of: database) : nil
    }

    /// Whether the file has neither been written to nor touched since.
    func isUntouched(_ database: String) -> Bool {
        var status = stat()
        guard stat(database, &status) == 0 else { return true }
        return size == status.st_size && seconds == status.st_mtim.tv_sec && nanoseconds == status.st_mtim.tv_nsec
    }

    /// Whether the contents are the same, as after touch(1) or a copy in place.
    func hasSameContents(as other: FileState) -> Bool {
        size == other.size && contents != nil && contents == other.contents
    }

    private static func hash(of path: String) -> UInt64? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        // A database has whole pages, so that the last word is whole, too.
        var chunk = [UInt64](repeating: 0, count: 1 << 15)
        var sum: UInt64 = 0
        while true {
            let count = chunk.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
            guard count > 0 else { return count == 0 ? sum : nil }
            for word in chunk.prefix((count + 7) / 8) { sum = (sum ^ word) &* 0x9e37_79b9_7f4a_7c15 ^ sum >> 29 }
        }
    }
}
