// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Reactor

/// The service manager's end of $NOTIFY_SOCKET, from which a test learns, without sleeping, that a daemon is ready:
/// sd_notify(3).
package final class NotifySocket: Sendable {
    package let path: String
    private let socket: OwnedDescriptor

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package init(path: String) throws {
        self.path = path
        socket = OwnedDescriptor(
            adopting: Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let result = withUnsafePointer(to: address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket.number, address, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw Failure(description: "bind \(path): \(String(cString: strerror(errno)))") }
    }

    deinit { unlink(path) }

    /// The message that has arrived, as a list of assignments; nil when there is none.
    private func receive() -> [String]? {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = clinux_receive(socket.number, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The next message of the test process itself, whose loop goes on meanwhile.
    package func next(
        within limit: Duration = .seconds(10), isolation: isolated (any Actor)? = #isolation
    ) async throws -> [String] {
        var message: [String]?
        try await eventually("notification", within: limit) {
            message = receive()
            return message != nil
        }
        return message ?? []
    }

    /// Waits for a message that has this line, such as `READY=1`, as long as the process lives.
    package func await(_ line: String, from pid: pid_t, within seconds: Int = 20) throws {
        let process = pidfd_open(pid, 0)
        defer { close(process) }
        while true {
            var entries = [socket.number, process].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&entries, nfds_t(entries.count), Int32(seconds * 1_000)) > 0 else {
                throw Failure(description: "no \(line) within \(seconds) s")
            }
            guard entries[0].revents != 0 else { throw Failure(description: "the process ended without \(line)") }
            if receive()?.contains(line) == true { return }
        }
    }
}
