// SPDX-License-Identifier: MIT
import Glibc
import Reactor

/// The service manager's end of NOTIFY_SOCKET: what services say to it arrives as a list of assignments.
@LoopActor
package final class NotifySocket {
    package nonisolated let path: String
    package nonisolated let messages = Arrivals<[String]>("notification")
    private var source: IOSource?

    package init(in directory: TemporaryDirectory) throws {
        path = directory("notify")
        let socket = OwnedDescriptor(adopting: socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket.number, address, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw ReactorError("bind \(path)", code: errno) }
        source = try IOSource(owning: socket, events: .readable) { [messages] _ in
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = recv(socket.number, &buffer, buffer.count, 0)
            let text = String(decoding: buffer[..<max(count, 0)], as: UTF8.self)
            messages.send(text.split(separator: "\n").map(String.init))
        }
    }

    /// The next message, once it has arrived.
    package nonisolated func next(within limit: Duration = .seconds(10)) async throws -> [String] {
        try await messages.next(within: limit)
    }
}
