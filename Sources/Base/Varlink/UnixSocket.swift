// SPDX-License-Identifier: MIT
import Glibc
import Platform

/// A client's end of a Unix stream socket.
enum UnixSocket {
    /// Connects to the socket at a path.
    ///
    /// - Parameter timeout: nil waits without a limit.
    /// - Returns: a connected, non-blocking descriptor.
    static func connected(to path: String, timeout: Duration?) throws(VarlinkConnectionError) -> Int32 {
        guard let address = UnixSocketAddress(path: path) else { throw .pathTooLong(path: path) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system(operation: "open a socket for", errno: errno, path: path) }
        do throws(VarlinkConnectionError) {
            try connect(descriptor, to: address, path: path, timeout: timeout)
            guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
                throw .system(operation: "configure the socket for", errno: errno, path: path)
            }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Connects while the socket still blocks. The service may have a full backlog, and then only the kernel can wait:
    /// a non-blocking connect(2) fails with EAGAIN, and poll(2) does not report when to try again (unix(7)). SO_SNDTIMEO
    /// limits the wait.
    private static func connect(
        _ descriptor: Int32, to address: UnixSocketAddress, path: String, timeout: Duration?
    ) throws(VarlinkConnectionError) {
        let deadline = Deadline(after: timeout)
        while true {
            // Zero means no limit (socket(7)), so a deadline that has just passed waits one more millisecond.
            let milliseconds = timeout == nil ? 0 : max(1, Int(deadline.remainingMilliseconds))
            var limit = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
            setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            let result = address.withSocketAddress { Glibc.connect(descriptor, $0, $1) }
            if result == 0 { return }
            switch errno {
            case EINTR: continue
            case ENOENT, ENOTDIR: throw .noSocket(path: path)
            case ECONNREFUSED: throw .noListener(path: path)
            case EACCES, EPERM: throw .notPermitted(path: path)
            case EAGAIN, ETIMEDOUT: throw .timedOut(path: path, after: timeout ?? .zero)
            default: throw .system(operation: "connect to", errno: errno, path: path)
            }
        }
    }
}

/// The process that has made a socket listen.
package struct SocketListener: Hashable, Sendable {
    package let process: pid_t
    package let user: uid_t

    package init(process: pid_t, user: uid_t) {
        self.process = process
        self.user = user
    }

    /// The process at the other end of a connection, as it was when it called listen(2): SO_PEERCRED of unix(7).
    init?(of descriptor: Int32) {
        // struct ucred, which Swift's Glibc lacks.
        var credentials: (process: pid_t, user: uid_t, group: gid_t) = (0, 0, 0)
        var size = socklen_t(MemoryLayout.size(ofValue: credentials))
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return nil }
        self.init(process: credentials.process, user: credentials.user)
    }
}

/// The address of a Unix socket in the file system: unix(7).
package struct UnixSocketAddress {
    private var address = sockaddr_un()

    /// `sun_path` must also hold the NUL.
    static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// Nil when the path does not fit.
    package init?(path: String) {
        let bytes = Array(path.utf8)
        guard bytes.count <= Self.longestPath else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        // Swift imports C's array as a tuple, so only its memory can be filled. The length was checked above.
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    }

    /// Calls a function of socket(7)'s family. All of them take the address as another type.
    package func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// The end of a time-out, on the clock that stops while the machine sleeps: a service cannot answer while it sleeps.
struct Deadline {
    private let nanoseconds: Int64?

    /// - Parameter duration: nil means no time-out.
    init(after duration: Duration?) {
        nanoseconds = duration.map { duration in
            let (seconds, attoseconds) = duration.components
            // A limit of a century, so that the sum cannot overflow.
            return SystemClock.monotonic.nanoseconds + min(max(seconds, 0), 3_000_000_000) * 1_000_000_000
                + attoseconds / 1_000_000_000
        }
    }

    /// The remaining time as poll(2) takes it: rounded up, 0 when the deadline has passed, -1 for no time-out.
    var remainingMilliseconds: Int32 {
        guard let nanoseconds else { return -1 }
        return Int32(clamping: max(0, (nanoseconds - SystemClock.monotonic.nanoseconds + 999_999) / 1_000_000))
    }
}
