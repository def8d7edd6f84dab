// SPDX-License-Identifier: MIT
import Glibc

/// Sending and receiving single messages, for callers that wait for other things as well.
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
