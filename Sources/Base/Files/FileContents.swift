// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Platform

/// The result of reading a small file: its bytes, or why there are none.
package enum FileContents: Hashable, Sendable {
    case bytes([UInt8])
    /// A link to /dev/null, or /dev/null itself.
    case nullDevice
    case directory
    /// A socket, FIFO or device.
    case notRegular
    case tooLarge(Int)
    case missing
    case danglingLink(to: String)
    /// Anything else, in words: `Permission denied`.
    case refused(String)

    /// Opens `path`, following links, and reads at most `limit` bytes. Never waits: a FIFO without a writer is not
    /// read, see open(2) on O_NONBLOCK.
    ///
    /// - Parameter refuse: gives the reason why a file of this owner is not read; nil reads it. It is asked about a link at
    ///   `path`, too: its owner has chosen the file.
    package init(at path: String, limit: Int, refusing refuse: ((_ owner: uid_t) -> String?)? = nil) {
        self.init(path, limit, isWhole: true, refusing: refuse)
    }

    /// The first bytes of a file of any length.
    package static func beginning(of path: String, upTo limit: Int) -> FileContents {
        FileContents(path, limit, isWhole: false, refusing: nil)
    }

    private init(_ path: String, _ limit: Int, isWhole: Bool, refusing refuse: ((uid_t) -> String?)?) {
        let file: Int32
        switch Self.opened(path, refusing: refuse) {
        case .descriptor(let descriptor): file = descriptor
        case .refused(let reason):
            self = .refused(reason)
            return
        }
        guard file >= 0 else {
            self = Self.failure(of: path, code: errno)
            return
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else {
            self = .refused(Self.words(errno))
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            if let reason = refuse?(status.st_uid) {
                self = .refused(reason)
            } else if status.st_size <= limit {
                self = Self.read(file, Int(status.st_size), limit)
            } else {
                self = isWhole ? .tooLarge(status.st_size) : Self.readBeginning(file, limit)
            }
        case S_IFDIR:
            self = .directory
        case S_IFCHR:
            self = Self.isNull(status) ? .nullDevice : .notRegular
        default:
            self = .notRegular
        }
    }

    private enum Opening {
        /// Negative where the file cannot be opened; errno says why.
        case descriptor(Int32)
        case refused(String)
    }

    /// Opens a file, following links. Where owners matter, it opens a link itself first, so that its owner cannot replace it
    /// between the check and the read.
    private static func opened(_ path: String, refusing refuse: ((uid_t) -> String?)?) -> Opening {
        let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
        guard let refuse else { return .descriptor(Glibc.open(path, flags)) }
        let file = Glibc.open(path, flags | O_NOFOLLOW)
        guard file < 0, errno == ELOOP else { return .descriptor(file) }
        let link = clinux_open_link(path)
        guard link >= 0 else { return .descriptor(link) }
        defer { close(link) }
        var status = stat()
        guard fstat(link, &status) == 0 else { return .descriptor(-1) }
        if let reason = refuse(status.st_uid) { return .refused("it is a link, and \(reason)") }
        // readlinkat(2): an empty name is the link that the descriptor is open for.
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlinkat(link, "", &buffer, buffer.count)
        guard count > 0 else { return .descriptor(-1) }
        let target = String(decoding: buffer[..<count].lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return .descriptor(Glibc.open(target.hasPrefix("/") ? target : "\(Paths.parent(of: path))/\(target)", flags))
    }

    /// Reads up to the end, not up to the size: files of /proc have none, and a file may grow.
    private static func read(_ file: Int32, _ size: Int, _ limit: Int) -> FileContents {
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let room = bytes.isEmpty ? size + 1 : max(4096, bytes.count)
            let (chunk, code) = Descriptor.readOnce(file, upTo: room)
            if code == EINTR { continue }
            guard code == 0 else { return .refused(words(code)) }
            let isFirst = bytes.isEmpty
            if isFirst { bytes = chunk } else { bytes += chunk }
            // The file has the size that fstat(2) returned, so this is its end; no further read(2) is needed.
            if chunk.isEmpty || isFirst && size > 0 && chunk.count == size { return .bytes(bytes) }
        }
        return .tooLarge(bytes.count)
    }

    private static func readBeginning(_ file: Int32, _ limit: Int) -> FileContents {
        let (bytes, code) = Descriptor.readOnce(file, upTo: limit)
        return code == 0 ? .bytes(bytes) : .refused(words(code))
    }

    private static func failure(of path: String, code: Int32) -> FileContents {
        // A socket, open(2).
        if code == ENXIO { return .notRegular }
        guard code == ENOENT || code == ENOTDIR else { return .refused(words(code)) }
        guard let target = Paths.linkTarget(of: path) else { return .missing }
        return .danglingLink(to: target)
    }

    private static func isNull(_ status: stat) -> Bool {
        var null = stat()
        return stat("/dev/null", &null) == 0 && status.st_rdev == null.st_rdev
    }

    package static func words(_ code: Int32) -> String { String(cString: strerror(code)) }
}

/// Which file a path leads to, its size and when it was last written. A different mark means another file or other
/// contents.
package struct FileMark: Hashable, Sendable {
    private let identity: FileIdentity
    private let size: off_t
    /// The time of the last change of its contents, in nanoseconds. Changes of mode or names do not count.
    private let written: Int64

    /// Nil if there is no file.
    package init?(at path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        identity = FileIdentity(status)
        size = status.st_size
        written = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }

    /// The size and the time as one number, to be kept: the identity of a file may be another after the next boot.
    package var version: UInt64 {
        var hash = StableHash()
        for number in [Int64(size), written] { withUnsafeBytes(of: number) { hash.combine($0) } }
        return hash.value
    }
}
