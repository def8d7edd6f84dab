// SPDX-License-Identifier: MIT
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

    /// Waits for a message that has this line, such as `READY=1`.
    func await(_ line: String, within seconds: Int = 20) throws {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, Int32(seconds * 1_000)) > 0 else {
                throw Program.Failure(description: "no \(line) within \(seconds) s")
            }
            let count = recv(descriptor, &buffer, buffer.count, 0)
            let lines = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
            if lines.contains(where: { $0 == line }) { return }
        }
    }
}
