// SPDX-License-Identifier: MIT
import Glibc
import JSON

/// A client's connection to a service. Calls block until the service answers, the connection fails, or the time-out
/// passes.
///
/// A `VarlinkConnectionError` closes the connection, because a late reply would count as the reply to the next call. An
/// error that the service answers with does not close it.
package final class VarlinkConnection {
    /// The default of systemd: sd_varlink_set_relative_timeout(3).
    package static let standardTimeout = Duration.seconds(45)

    private let path: String
    private let timeout: Duration?
    private var framer: MessageFramer
    /// For poll(2) beside other descriptors; -1 once closed.
    package private(set) var descriptor: Int32

    /// Connects to the socket at a path.
    ///
    /// - Parameters:
    ///   - timeout: how long the answer to each call may take; nil means without limit.
    ///   - patience: how long connecting may take, if not as long: zero for a caller that has other things to do. A service that
    ///     answers accepts at once; it has a long queue, which is full only where it hangs.
    ///   - replyLimit: the longest reply accepted, in bytes.
    package init(
        path: String, timeout: Duration? = VarlinkConnection.standardTimeout,
        connectingWithin patience: Duration? = nil,
        replyLimit: Int = MessageFramer.standardLimit
    ) throws(VarlinkConnectionError) {
        self.path = path
        self.timeout = timeout
        self.framer = MessageFramer(limit: replyLimit)
        self.descriptor = try UnixSocket.connected(to: path, timeout: patience ?? timeout)
    }

    /// Takes over a connected socket, such as one that this process inherited.
    ///
    /// - Parameter name: what it is called in errors, in place of a path.
    package init(
        adopting descriptor: Int32, name: String, timeout: Duration? = VarlinkConnection.standardTimeout,
        replyLimit: Int = MessageFramer.standardLimit
    ) throws(VarlinkConnectionError) {
        self.path = name
        self.timeout = timeout
        self.framer = MessageFramer(limit: replyLimit)
        self.descriptor = descriptor
        guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
            throw .system(operation: "configure", errno: errno, path: name)
        }
    }

    deinit { close() }

    /// The process at the other end, as it was when it began to listen; nil when the socket cannot say.
    package var listener: SocketListener? { SocketListener(of: descriptor) }

    package func close() {
        guard descriptor >= 0 else { return }
        _ = Glibc.close(descriptor)
        descriptor = -1
    }
}

// MARK: - Calls

extension VarlinkConnection {
    /// Calls a method and waits for its one reply.
    ///
    /// - Throws: `VarlinkError` when the service answers with an error, else `VarlinkConnectionError`.
    package func call(_ method: String, _ parameters: JSONObject = [:]) throws -> JSONObject {
        try send(VarlinkCall(method, parameters))
        let reply = try receive(within: timeout)
        guard !reply.continues else {
            close()
            let mismatch = JSONMismatch(path: "continues", reason: "a call without \"more\" has one reply")
            throw VarlinkConnectionError.violation(.invalid(mismatch), path: path)
        }
        return try reply.result()
    }

    /// Calls a method with several replies, and returns after the last one.
    ///
    /// The first reply must come within the connection's time-out.
    ///
    /// - Parameters:
    ///   - pause: how long the service may be silent after a reply; nil means without limit.
    ///   - onReply: returns whether to go on. If not, and when it throws, the connection is closed, which is how a
    ///     client makes a Varlink service stop.
    package func stream(
        _ method: String, _ parameters: JSONObject = [:], pause: Duration? = nil,
        onReply: (JSONObject) throws -> Bool
    ) throws {
        try send(VarlinkCall(method, parameters, more: true))
        var limit = timeout
        var continues = true
        while continues {
            let reply = try receive(within: limit)
            continues = reply.continues
            limit = pause
            do {
                guard try onReply(try reply.result()) || !continues else { return close() }
            } catch {
                if continues { close() }
                throw error
            }
        }
    }
}

// MARK: - Messages

/// Single messages, for callers that wait for other events as well.
extension VarlinkConnection {
    /// How much is read at once.
    private static let chunk = 64 * 1024

    /// Sends a call within the connection's time-out. A client may send several calls before it receives the replies,
    /// which come in the same order.
    package func send(_ call: VarlinkCall) throws(VarlinkConnectionError) {
        let message = call.encoded()
        let deadline = Deadline(after: timeout)
        var sent = 0
        while sent < message.count {
            let descriptor = try openDescriptor()
            let count = message[sent...].withUnsafeBytes { bytes in
                // Without MSG_NOSIGNAL, SIGPIPE would kill this process after the service has closed the connection
                // (send(2)).
                Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                sent += count
            } else if errno == EAGAIN {
                try wait(for: POLLOUT, until: deadline, of: timeout)
            } else if errno == EPIPE {
                // The service may have sent an error before it closed the connection, so `receive` reads it and then
                // the end.
                return
            } else if errno != EINTR {
                throw failed("write to", errno)
            }
        }
    }

    /// Waits for the next reply.
    ///
    /// - Parameter duration: nil waits without limit.
    package func receive(within duration: Duration?) throws(VarlinkConnectionError) -> VarlinkReply {
        let deadline = Deadline(after: duration)
        while true {
            if let reply = try receiveAvailable() { return reply }
            try wait(for: POLLIN, until: deadline, of: duration)
        }
    }

    /// The next reply if it has arrived, without waiting. One read may return several replies, so the caller calls this
    /// until it returns nil, and only then waits for `descriptor`.
    package func receiveAvailable() throws(VarlinkConnectionError) -> VarlinkReply? {
        while true {
            if let reply = try bufferedReply() { return reply }
            guard try read() else { return nil }
        }
    }

    private func bufferedReply() throws(VarlinkConnectionError) -> VarlinkReply? {
        do throws(VarlinkProtocolError) {
            guard let message = try framer.nextMessage() else { return nil }
            return try VarlinkReply(parsing: message)
        } catch {
            close()
            throw .violation(error, path: path)
        }
    }

    /// Reads once; false when nothing has arrived.
    private func read() throws(VarlinkConnectionError) -> Bool {
        let descriptor = try openDescriptor()
        // Read errno first: freeing the buffer may change it.
        let (count, code) = withUnsafeTemporaryAllocation(byteCount: Self.chunk, alignment: 16) { buffer in
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            let code = errno
            if count > 0 { framer.append(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
            return (count, code)
        }
        if count > 0 || count < 0 && code == EINTR { return true }
        if count < 0 && code == EAGAIN { return false }
        guard count == 0 else { throw failed("read from", code) }
        close()
        throw .closedByService(path: path)
    }

    private func wait(
        for events: Int32, until deadline: Deadline, of duration: Duration?
    ) throws(VarlinkConnectionError) {
        var entry = pollfd(fd: try openDescriptor(), events: Int16(events), revents: 0)
        while true {
            let ready = poll(&entry, 1, deadline.remainingMilliseconds)
            // Errors and hang-ups count as ready: the next read or write returns the error.
            if ready > 0 { return }
            if ready < 0 && errno != EINTR { throw failed("wait for", errno) }
            if ready == 0 && deadline.remainingMilliseconds == 0 {
                close()
                throw .timedOut(path: path, after: duration ?? .zero)
            }
        }
    }

    private func openDescriptor() throws(VarlinkConnectionError) -> Int32 {
        guard descriptor >= 0 else { throw .closed(path: path) }
        return descriptor
    }

    /// The error to throw for an error number, for which this connection is closed.
    private func failed(_ operation: String, _ code: Int32) -> VarlinkConnectionError {
        close()
        if code == EPIPE || code == ECONNRESET { return .closedByService(path: path) }
        return .system(operation: operation, errno: code, path: path)
    }
}

extension MessageFramer {
    fileprivate mutating func nextMessage() throws(VarlinkProtocolError) -> [UInt8]? {
        do throws(FramingError) {
            return try next()
        } catch {
            throw .tooLong(error)
        }
    }
}
