// SPDX-License-Identifier: MIT
import Glibc
import Platform
import Varlink

/// Reads messages from a socket, on a thread that waits for them.
enum MessageReader {
    enum Event: Sendable {
        case message([UInt8])
        /// The last event; with a reason unless the other side has closed the connection between two messages.
        case end(String?)
    }

    static func events(from descriptor: Int32) -> AsyncStream<Event> {
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        do {
            try BackgroundThread.start { read(descriptor, into: continuation) }
        } catch {
            continuation.yield(.end("\(error)"))
            continuation.finish()
        }
        return events
    }

    private static func read(_ descriptor: Int32, into continuation: AsyncStream<Event>.Continuation) {
        var framer = MessageFramer()
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            do throws(FramingError) {
                while let message = try framer.next() { continuation.yield(.message(message)) }
            } catch {
                continuation.yield(.end("received \(error)"))
                break
            }
            guard let count = read(descriptor, into: &chunk) else {
                continuation.yield(.end("cannot read: \(String(cString: strerror(errno)))"))
                break
            }
            if count == 0 {
                continuation.yield(.end(framer.bufferedBytes == 0 ? nil : "received a part of a message"))
                break
            }
            framer.append(chunk[..<count])
        }
        continuation.finish()
    }

    /// Waits if the socket is non-blocking: the flag belongs to the open file, which todayd shares (fcntl(2)).
    private static func read(_ descriptor: Int32, into chunk: inout [UInt8]) -> Int? {
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count >= 0 { return count }
            if errno == ECONNRESET { return 0 }
            if errno == EAGAIN {
                Descriptor.wait(for: POLLIN, on: descriptor)
            } else if errno != EINTR {
                return nil
            }
        }
    }
}
