// SPDX-License-Identifier: MIT
import Glibc
import JSON

/// A client's connection to a service: calls block until they are answered, fail, or take too long.
///
/// After any `VarlinkConnectionError` but none of a service's own errors it is closed, since a reply that comes late
/// would be taken for that of the next call.
package final class VarlinkConnection {
    /// What a caller gives a service to answer in, the same as systemd's: sd_varlink_set_relative_timeout(3).
    package static let standardTimeout = Duration.seconds(45)

    private let path: String
    private let timeout: Duration?
    private var framer: MessageFramer
    /// For poll(2) beside other descriptors; -1 once closed.
    package private(set) var descriptor: Int32

    /// Connects to the socket at a path.
    ///
    /// - Parameters:
    ///   - timeout: how long connecting, and then the answer to each call, may take; nil for ever.
    ///   - replyLimit: the longest reply accepted, in bytes.
    package init(
        path: String, timeout: Duration? = VarlinkConnection.standardTimeout,
        replyLimit: Int = MessageFramer.standardLimit
    ) throws(VarlinkConnectionError) {
        self.path = path
        self.timeout = timeout
        self.framer = MessageFramer(limit: replyLimit)
        self.descriptor = try UnixSocket.connected(to: path, timeout: timeout)
    }

    /// Takes over a socket that is connected already, such as one that this process was started with.
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

    /// Calls a method that answers again and again, and returns after its last reply.
    ///
    /// The first reply must come within the connection's time-out.
    ///
    /// - Parameters:
    ///   - pause: how long the service may be silent after a reply; nil for ever.
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

    /// Sends a call within the connection's time-out. Several can be sent before their replies, which come in the
    /// same order, are received.
    package func send(_ call: VarlinkCall) throws(VarlinkConnectionError) {
        let message = call.encoded()
        let deadline = Deadline(after: timeout)
        var sent = 0
        while sent < message.count {
            let descriptor = try openDescriptor()
            let count = message[sent...].withUnsafeBytes { bytes in
                // Without MSG_NOSIGNAL a service that has gone would end this process, send(2).
                Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                sent += count
            } else if errno == EAGAIN {
                try wait(for: POLLOUT, until: deadline, of: timeout)
            } else if errno == EPIPE {
                // A service that closes the connection may have said why before: that is still to be read, and then its end.
                return
            } else if errno != EINTR {
                throw failed("write to", errno)
            }
        }
    }

    /// Waits for the next reply.
    ///
    /// - Parameter duration: nil waits for ever.
    package func receive(within duration: Duration?) throws(VarlinkConnectionError) -> VarlinkReply {
        let deadline = Deadline(after: duration)
        while true {
            if let reply = try receiveAvailable() { return reply }
            try wait(for: POLLIN, until: deadline, of: duration)
        }
    }

    /// The next reply if it is already here, without waiting. To be asked until it returns nil before `descriptor` is
    /// waited for again: what was read may hold several.
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

    /// Reads what is there; false when there is nothing at the moment.
    private func read() throws(VarlinkConnectionError) -> Bool {
        let descriptor = try openDescriptor()
        // The error number is taken at once: giving the buffer back may change it.
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
            // Errors and hang-ups count as ready: reading or writing then says what happened.
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
