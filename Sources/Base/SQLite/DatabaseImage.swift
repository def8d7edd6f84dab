// SPDX-License-Identifier: MIT
import CSQLite
import Glibc

/// A database's file with the transactions of its log, in memory. A caller can repair the bytes so that SQLite reads
/// them, and the files stay unchanged.
package struct DatabaseImage {
    package var bytes: [UInt8]

    /// Nil when there is no file, when the file or its log cannot be read, or when it has more than `mostBytes`.
    package init?(of path: String, mostBytes: Int) {
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            (1...mostBytes).contains(Int(status.st_size))
        else { return nil }
        bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        guard Self.fill(&bytes, from: file, at: 0) else { return nil }
        if let log = WriteAheadLog(of: path) {
            guard !log.isTooLong, log.committed == 0 || apply(log, of: path, mostBytes: mostBytes) else { return nil }
        } else if access(path + "-wal", F_OK) == 0, stat(path + "-wal", &status) != 0 || status.st_size > 0 {
            return nil
        }
    }

    /// Replaces pages of the file by those of the log.
    private mutating func apply(_ log: WriteAheadLog, of path: String, mostBytes: Int) -> Bool {
        guard log.pages <= mostBytes / log.pageSize else { return false }
        let file = Glibc.open(path + "-wal", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        resize(to: max(bytes.count, log.pages * log.pageSize))
        var page = [UInt8](repeating: 0, count: log.pageSize)
        for frame in 0..<log.committed {
            let place = WriteAheadLog.place(of: frame, pageSize: log.pageSize)
            var number = [UInt8](repeating: 0, count: 4)
            guard Self.fill(&number, from: file, at: place.number), Self.fill(&page, from: file, at: place.page)
            else { return false }
            let start = (Int(number.word(0)) - 1) * log.pageSize
            guard start >= 0, start < mostBytes else { return false }
            resize(to: max(bytes.count, start + log.pageSize))
            bytes.replaceSubrange(start..<start + log.pageSize, with: page)
        }
        resize(to: log.pages * log.pageSize)
        return true
    }

    private mutating func resize(to count: Int) {
        if count < bytes.count { bytes.removeLast(bytes.count - count) }
        bytes += repeatElement(0, count: count - bytes.count)
    }

    private static func fill(_ bytes: inout [UInt8], from file: Int32, at offset: Int) -> Bool {
        var done = 0
        return bytes.withUnsafeMutableBytes { buffer in
            while done < buffer.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
                let count = pread(file, rest.baseAddress, rest.count, off_t(offset + done))
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
    }

    /// A connection that reads a copy of the image.
    package func open() throws(SQLiteError) -> Database {
        let database = try Database(path: ":memory:", mode: .memory)
        guard let copy = sqlite3_malloc64(UInt64(bytes.count)) else {
            throw SQLiteError(extendedCode: SQLITE_NOMEM, message: "out of memory")
        }
        bytes.withUnsafeBytes { copy.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(copy), byteCount: $0.count) }
        // SQLite frees the copy when the connection closes, and also when this fails.
        let code = sqlite3_deserialize(
            database.handle, "main", copy.assumingMemoryBound(to: UInt8.self), Int64(bytes.count), Int64(bytes.count),
            UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY))
        guard code == SQLITE_OK else { throw database.error(code, sql: nil) }
        return database
    }
}
