// SPDX-License-Identifier: MIT
import Glibc

/// Cuts the bytes of a connection into messages, each of which ends with a NUL byte.
///
/// It looks at each byte once. If the caller takes each message as it arrives, it holds at most one message of the
/// longest length and the bytes of one read.
@usableFromInline
package struct MessageFramer: Sendable {
    /// The longest message that systemd's implementation accepts, sd_varlink_server_new(3).
    package static let standardLimit = 16 * 1024 * 1024

    /// A buffer with more capacity is freed when it is empty.
    private static let keptCapacity = 64 * 1024

    private let limit: Int
    @usableFromInline private(set) var buffer: [UInt8] = []
    /// Where the first message not yet taken begins.
    @usableFromInline private(set) var start = 0
    /// There is no NUL before this index.
    private var searched = 0

    package init(limit: Int = MessageFramer.standardLimit) {
        self.limit = limit
    }

    /// The number of bytes that were not returned yet. Inlinable, because each call of a client asks several times, and a function of
    /// another module gets a copy of the whole framer.
    @inlinable package var bufferedBytes: Int { buffer.count - start }

    package mutating func append(_ bytes: some Collection<UInt8>) {
        dropTaken()
        buffer.append(contentsOf: bytes)
    }

    /// The next whole message without its NUL, or nil until more bytes arrive.
    package mutating func next() throws(FramingError) -> [UInt8]? {
        guard let end = indexOfNUL() else {
            searched = buffer.count
            guard bufferedBytes <= limit else { throw FramingError(limit: limit) }
            return nil
        }
        guard end - start <= limit else { throw FramingError(limit: limit) }
        let message = Array(buffer[start..<end])
        start = end + 1
        searched = start
        if start == buffer.count { dropAll() }
        return message
    }

    /// Uses memchr(3), which compares 32 bytes at a time, because every byte of every message passes here.
    private func indexOfNUL() -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, searched < bytes.count else { return nil }
            return memchr(base + searched, 0, bytes.count - searched).map { UnsafeRawPointer($0) - base }
        }
    }

    /// Frees a long buffer: thousands of connections may be idle, each after one long message.
    private mutating func dropAll() {
        buffer.removeAll(keepingCapacity: buffer.capacity <= Self.keptCapacity)
        (start, searched) = (0, 0)
    }

    /// Moves the rest to the front when it is shorter than the returned part, so that all moves together take linear
    /// time.
    private mutating func dropTaken() {
        guard start > 0, start >= bufferedBytes else { return }
        buffer.removeFirst(start)
        searched -= start
        start = 0
    }
}

/// A message longer than the limit. Its connection cannot be used any more.
package struct FramingError: Error, Equatable, CustomStringConvertible {
    package let limit: Int

    package init(limit: Int) { self.limit = limit }

    package var description: String { "a message longer than \(limit) bytes" }
}
