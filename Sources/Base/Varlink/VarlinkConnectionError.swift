// SPDX-License-Identifier: MIT
import Glibc
import JSON

/// Why a service cannot be reached, or why a connection ended.
package enum VarlinkConnectionError: Error, Equatable, CustomStringConvertible {
    /// There is no such file (ENOENT, ENOTDIR): the service was never started, or uses another path.
    case noSocket(path: String)
    /// The file exists, but no process listens (ECONNREFUSED): the service ended without removing it.
    case noListener(path: String)
    case notPermitted(path: String)
    case pathTooLong(path: String)
    case timedOut(path: String, after: Duration)
    case closedByService(path: String)
    /// This process has closed the connection before.
    case closed(path: String)
    /// The service sent bytes that are not Varlink.
    case violation(VarlinkProtocolError, path: String)
    case system(operation: String, errno: Int32, path: String)

    package var description: String {
        switch self {
        case .noSocket(let path): "cannot connect to \(path): there is no such socket"
        case .noListener(let path): "cannot connect to \(path): nothing listens on this socket"
        case .notPermitted(let path): "cannot connect to \(path): permission denied"
        case .pathTooLong(let path):
            "cannot connect to \(path): a socket's path cannot be longer than \(UnixSocketAddress.longestPath) bytes"
        case .timedOut(let path, .zero): "\(path) accepts no connection: its queue is full"
        case .timedOut(let path, let duration): "no answer from \(path) within \(Self.words(for: duration))"
        case .closedByService(let path): "the service at \(path) closed the connection"
        case .closed(let path): "the connection to \(path) is closed"
        case .violation(let error, let path): "the service at \(path) sent \(error)"
        case .system(let operation, let errno, let path):
            "cannot \(operation) \(path): \(String(cString: strerror(errno)))"
        }
    }

    private static func words(for duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        return attoseconds == 0 ? "\(seconds) s" : "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000) ms"
    }
}

/// A message that is not a call or not a reply. The receiver closes the connection.
package enum VarlinkProtocolError: Error, Equatable, CustomStringConvertible {
    case tooLong(FramingError)
    case malformed(JSONSyntaxError)
    case invalid(JSONMismatch)

    package var description: String {
        switch self {
        case .tooLong(let error): error.description
        case .malformed(let error): "not JSON: \(error)"
        case .invalid(let mismatch): "not a Varlink message: \(mismatch)"
        }
    }
}

extension JSONField {
    /// The root of a message.
    init(message: [UInt8], maxValues: Int = .max) throws(VarlinkProtocolError) {
        do throws(JSONSyntaxError) {
            self.init(root: try JSON.parse(message, maxValues: maxValues))
        } catch {
            throw .malformed(error)
        }
    }

    /// Absent, null and empty parameters are the same (sd-varlink(3)).
    func parameters() throws(JSONMismatch) -> JSONObject {
        try optional("parameters")?.object() ?? [:]
    }

    func flag(_ key: String) throws(JSONMismatch) -> Bool {
        try optional(key)?.bool() ?? false
    }
}
