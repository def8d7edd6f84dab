// SPDX-License-Identifier: MIT
import Glibc
import Varlink

/// The messages that come on a socket, read on a thread that waits for them.
enum MessageReader {
    enum Event: Sendable {
        case message([UInt8])
        /// Nothing more comes, and why if that is not in order.
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

    /// The process that made the socket may have made it non-blocking, which is a property of both of its owners' ends.
    private static func read(_ descriptor: Int32, into chunk: inout [UInt8]) -> Int? {
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count >= 0 { return count }
            if errno == ECONNRESET { return 0 }
            if errno == EAGAIN {
                var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                _ = poll(&entry, 1, -1)
            } else if errno != EINTR {
                return nil
            }
        }
    }

    static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            // Without MSG_NOSIGNAL a daemon that has gone would end this process before its last words, send(2).
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0 && errno == EAGAIN {
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&entry, 1, -1)
            } else if count < 0 && errno != EINTR {
                return false
            }
            rest = rest.dropFirst(max(count, 0))
        }
        return true
    }
}

/// A thread of its own for what waits in the kernel: a task that did would keep one of the few threads that all tasks
/// share, and on the main actor the widget itself. (The daemon, which has no such threads, never links this module.)
enum BackgroundThread {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// - Returns: whether there is such a thread now.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var thread = pthread_t()
        // C carries the closure as an untyped pointer; the thread that gets it takes over the one reference that was made here.
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
