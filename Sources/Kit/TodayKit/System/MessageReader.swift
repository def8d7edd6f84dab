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
        let isStarted = BackgroundThread.start {
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
        if !isStarted {
            continuation.yield(.end("cannot start a thread"))
            continuation.finish()
        }
        return events
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

/// A thread for a function that blocks in the kernel. In a task it would block one of the few threads that all tasks share,
/// and on the main actor it would block the widget.
enum BackgroundThread {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// - Returns: whether the thread has started.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var thread = pthread_t()
        // C passes the closure as an untyped pointer. The new thread takes over the reference that passRetained has made.
        let work = Unmanaged.passRetained(Work(body))
        let result = pthread_create(
            &thread, nil,
            { context in
                context.map { Unmanaged<Work>.fromOpaque($0).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        guard result == 0 else {
            work.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
