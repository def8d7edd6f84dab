// SPDX-License-Identifier: MIT
import Glibc
import JSON

/// Why a service cannot be reached, or cannot be talked to any longer.
package enum VarlinkConnectionError: Error, Equatable, CustomStringConvertible {
    /// There is no file of this name (ENOENT, ENOTDIR): the service was never started, or is somewhere else.
    case noSocket(path: String)
    /// The file is there, but no process listens (ECONNREFUSED): the service ended without removing it.
    case noListener(path: String)
    case notPermitted(path: String)
    case pathTooLong(path: String)
    case timedOut(path: String, after: Duration)
    case closedByService(path: String)
    /// The connection was given up before, on this side.
    case closed(path: String)
    /// What came is not the protocol.
    case violation(VarlinkProtocolError, path: String)
    case system(operation: String, errno: Int32, path: String)

    package var description: String {
        switch self {
        case .noSocket(let path): "cannot connect to \(path): there is no such socket"
        case .noListener(let path): "cannot connect to \(path): nothing listens on this socket"
        case .notPermitted(let path): "cannot connect to \(path): permission denied"
        case .pathTooLong(let path):
            "cannot connect to \(path): a socket's path cannot be longer than \(UnixSocketAddress.longestPath) bytes"
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

/// A message that is no call or no reply: the receiver closes the connection.
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
