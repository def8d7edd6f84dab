// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// The receiving end of $NOTIFY_SOCKET: how a test knows that a daemon is ready, without sleeping. sd_notify(3)
final class NotifySocket {
    let path: String
    private let descriptor: Int32

    init(path: String) throws {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        guard result == 0 else { throw Program.Failure(description: "bind \(path): \(errno)") }
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// Waits for a message that has this line, such as `READY=1`, as long as the process lives.
    func await(_ line: String, from pid: pid_t, within seconds: Int = 20) throws {
        let process = pidfd_open(pid, 0)
        defer { close(process) }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            var entries = [descriptor, process].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&entries, nfds_t(entries.count), Int32(seconds * 1_000)) > 0 else {
                throw Program.Failure(description: "no \(line) within \(seconds) s")
            }
            guard entries[0].revents != 0 else {
                throw Program.Failure(description: "the process ended without \(line)")
            }
            let count = recv(descriptor, &buffer, buffer.count, 0)
            let lines = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
            if lines.contains(where: { $0 == line }) { return }
        }
    }
}
