// SPDX-License-Identifier: MIT
import Glibc

/// The process that has made a socket listen.
package struct SocketListener: Hashable, Sendable {
    package let process: pid_t
    package let user: uid_t

    package init(process: pid_t, user: uid_t) {
        self.process = process
        self.user = user
    }
}

extension VarlinkConnection {
    /// The process at the other end, as it was when it began to listen: unix(7), SO_PEERCRED.
    package var listener: SocketListener? {
        // struct ucred, which Swift's Glibc lacks.
        var credentials: (process: pid_t, user: uid_t, group: gid_t) = (0, 0, 0)
        var size = socklen_t(MemoryLayout.size(ofValue: credentials))
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return nil }
        return SocketListener(process: credentials.process, user: credentials.user)
    }

    /// A connected, non-blocking socket.
    static func connect(to path: String, timeout: Duration?) throws(VarlinkConnectionError) -> Int32 {
        guard let address = UnixSocketAddress(path: path) else { throw .pathTooLong(path: path) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system(operation: "open a socket for", errno: errno, path: path) }
        do throws(VarlinkConnectionError) {
            try connect(descriptor, to: address, path: path, timeout: timeout)
            guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
                throw .system(operation: "configure the socket for", errno: errno, path: path)
            }
        } catch {
            _ = Glibc.close(descriptor)
            throw error
        }
        return descriptor
    }

    /// A Unix socket connects at once, or waits until the service has accepted earlier clients. The waiting must be
    /// the kernel's, bounded by SO_SNDTIMEO: a non-blocking connect(2) fails with EAGAIN then and poll(2) cannot tell
    /// when to try again, unix(7).
    private static func connect(
        _ descriptor: Int32, to address: UnixSocketAddress, path: String, timeout: Duration?
    ) throws(VarlinkConnectionError) {
        let deadline = Deadline(after: timeout)
        while true {
            // Zero would mean for ever; so a deadline that has just passed waits for one more millisecond.
            let milliseconds = timeout == nil ? 0 : max(1, Int(deadline.remainingMilliseconds))
            var limit = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
            setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            let result = address.withSocketAddress { Glibc.connect(descriptor, $0, $1) }
            if result == 0 { return }
            switch errno {
            case EINTR: continue
            case ENOENT, ENOTDIR: throw .noSocket(path: path)
            case ECONNREFUSED: throw .nobodyListens(path: path)
            case EACCES, EPERM: throw .notPermitted(path: path)
            case EAGAIN, ETIMEDOUT: throw .timedOut(path: path, after: timeout ?? .zero)
            default: throw .system(operation: "connect to", errno: errno, path: path)
            }
        }
    }
}
