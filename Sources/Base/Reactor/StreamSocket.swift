// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// Reading and writing on a non-blocking stream socket, with the errors that concern no caller dealt with.
package enum StreamSocket {
    package enum Received: Equatable, Sendable {
        /// So many bytes are at the beginning of the buffer.
        case bytes(Int)
        case nothing
        /// The peer shut down its writing half, or is gone.
        case end
        case failed(errno: Int32)
    }

    package enum Sent: Equatable, Sendable {
        /// So many bytes; the rest has to wait until the socket is writable.
        case bytes(Int)
        case failed(errno: Int32)
    }

    /// Reads once, as much as there is and the buffer is long.
    package static func receive(from descriptor: Int32, into buffer: inout [UInt8]) -> Received {
        let count = clinux_receive(descriptor, &buffer, buffer.count)
        switch -count {
        case ..<0: return .bytes(count)
        case 0: return .end
        case Int(EAGAIN): return .nothing
        case let error: return .failed(errno: Int32(error))
        }
    }

    /// Whether something has come that was not read yet: tcp(7) has SIOCINQ, which is FIONREAD, for all stream sockets.
    package static func hasUnread(_ descriptor: Int32) -> Bool {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(FIONREAD), &count) == 0 && count > 0
    }

    /// Takes no more from the peer: what has come is read to its end, and the peer's next write fails. shutdown(2)
    package static func endInput(of descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_RD)) }

    /// Writes the bytes from an offset on, as many as the socket takes. A peer that has gone is EPIPE, not the end of the
    /// process.
    package static func send(_ bytes: [UInt8], from offset: Int = 0, to descriptor: Int32) -> Sent {
        precondition(offset >= 0 && offset <= bytes.count)
        // The buffer is valid within the closure, and the offset, checked above, within the buffer.
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
