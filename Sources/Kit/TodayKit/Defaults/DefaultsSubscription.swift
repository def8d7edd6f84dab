// SPDX-License-Identifier: MIT
import Glibc
import JSON
import Varlink

/// Follows the defaults of a group on a connection of its own, on a thread that waits for them.
enum DefaultsSubscription {
    typealias Continuation = AsyncStream<[String: DefaultsValue]>.Continuation

    static func start(group: String, daemon: DaemonService, _ continuation: Continuation) {
        // The end of the stream closes one end of this pipe, and the thread, which waits for the other, ends.
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return continuation.finish() }
        let (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        continuation.onTermination = { _ in close(writing) }
        let isStarted = BackgroundThread.start {
            follow(group, daemon, until: reading, continuation)
            continuation.finish()
            close(reading)
        }
        if !isStarted {
            continuation.finish()
            close(reading)
        }
    }

    private static func follow(
        _ group: String, _ daemon: DaemonService, until end: Int32, _ continuation: Continuation
    ) {
        guard let connection = try? daemon.connect() else { return }
        let call = VarlinkCall("org.todayd.Today.GetDefaults", ["group": .string(group)], more: true)
        guard (try? connection.send(call)) != nil else { return }
        while true {
            var polls = [
                pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: end, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&polls, 2, -1) < 0 && errno != EINTR { return }
            if polls[1].revents != 0 { return }
            do {
                while let reply = try connection.receiveAvailable() {
                    continuation.yield(DefaultsValue.dictionary(try reply.result().unboxedValues))
                    if !reply.continues { return }
                }
            } catch {
                return
            }
        }
    }
}
