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

    let path: String
    let timeout: Duration?
    var framer: MessageFramer
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
        self.descriptor = try Self.connect(to: path, timeout: timeout)
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
        var patience = timeout
        var continues = true
        while continues {
            let reply = try receive(within: patience)
            continues = reply.continues
            patience = pause
            do {
                guard try onReply(try reply.result()) || !continues else { return close() }
            } catch {
                if continues { close() }
                throw error
            }
        }
    }
}
