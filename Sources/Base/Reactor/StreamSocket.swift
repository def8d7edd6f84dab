// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// Reads and writes a non-blocking stream socket. It retries after EINTR and reports EAGAIN as a result.
package enum StreamSocket {
    package enum Received: Equatable, Sendable {
        /// The number of bytes that are now at the beginning of the buffer.
        case bytes(Int)
        case nothing
        /// The peer has shut down its writing half, or closed its socket.
        case end
        case failed(errno: Int32)
    }

    package enum Sent: Equatable, Sendable {
        /// The number of bytes that the socket took. The caller sends the rest when the socket is writable.
        case bytes(Int)
        case failed(errno: Int32)
    }

    /// Reads once, at most as many bytes as the buffer has.
    package static func receive(from descriptor: Int32, into buffer: inout [UInt8]) -> Received {
        let count = clinux_receive(descriptor, &buffer, buffer.count)
        switch -count {
        case ..<0: return .bytes(count)
        case 0: return .end
        case Int(EAGAIN): return .nothing
        case let error: return .failed(errno: Int32(error))
        }
    }

    /// Whether the socket has bytes to read: FIONREAD, which is SIOCINQ in tcp(7) and works for all stream sockets.
    package static func hasUnread(_ descriptor: Int32) -> Bool {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(FIONREAD), &count) == 0 && count > 0
    }

    /// Closes the reading half: the bytes that have arrived can still be read, and the peer's next write fails
    /// (shutdown(2)).
    package static func endInput(of descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_RD)) }

    /// Writes the bytes from an offset on, as many as the socket takes. A closed peer is the error EPIPE; SIGPIPE does
    /// not end the process.
    package static func send(_ bytes: [UInt8], from offset: Int = 0, to descriptor: Int32) -> Sent {
        precondition(offset >= 0 && offset <= bytes.count)
        // Unsafe: the buffer is valid within the closure, and the check above keeps the offset within the buffer.
        let count = bytes.withUnsafeBytes { buffer in
            clinux_send(descriptor, buffer.baseAddress.map { $0 + offset }, buffer.count - offset)
        }
        switch -count {
        case ...0: return .bytes(count)
        case Int(EAGAIN): return .bytes(0)
        case let error: return .failed(errno: Int32(error))
        }
    }
}
