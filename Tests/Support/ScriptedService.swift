// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Varlink

/// A service that a test scripts, for one connection after the other. It has a thread of its own, because the client blocks.
package final class ScriptedService {
    private var thread = pthread_t()
    private let listener: Int32

    /// The service's end of the connection.
    package struct Peer {
        package let descriptor: Int32
        private var framer = MessageFramer()

        package init(descriptor: Int32) { self.descriptor = descriptor }

        /// The next call; nil when the client has closed the connection.
        package mutating func receive() -> VarlinkCall? {
            var chunk = [UInt8](repeating: 0, count: 65536)
            while true {
                if let message = try? framer.next() { return try? VarlinkCall(parsing: message) }
                let count = recv(descriptor, &chunk, chunk.count, 0)
                guard count > 0 else { return nil }
                framer.append(chunk[..<count])
            }
        }

        package func send(_ bytes: [UInt8]) {
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                sent += count
            }
        }

        package func send(_ reply: VarlinkReply) { send(reply.encoded()) }
    }

    private final class Script {
        let listener: Int32
        let connections: Int
        let serve: @Sendable (inout Peer) -> Void

        init(_ listener: Int32, _ connections: Int, _ serve: @escaping @Sendable (inout Peer) -> Void) {
            self.listener = listener
            self.connections = connections
            self.serve = serve
        }

        func run() {
            for _ in 0..<connections {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { return }
                var peer = Peer(descriptor: descriptor)
                serve(&peer)
                close(descriptor)
            }
        }
    }

    /// Listens at once, so that a client can connect after the return.
    ///
    /// - Parameter connections: the number of connections that it serves before it ends.
    package init(at path: String, connections: Int = 1, _ serve: @escaping @Sendable (inout Peer) -> Void) {
        // The page waits a millisecond for a place: all clients of a test can wait for this thread.
        listener = Self.listen(at: path, backlog: Int32(connections))
        let script = Unmanaged.passRetained(Script(listener, connections, serve))
        pthread_create(
            &thread, nil,
            { context in
                context.map { Unmanaged<Script>.fromOpaque($0).takeRetainedValue().run() }
                return nil
            }, script.toOpaque())
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        pthread_join(thread, nil)
        close(listener)
    }

    package static func listen(at path: String, backlog: Int32 = 1) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let bound = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        precondition(bound == 0 && Glibc.listen(descriptor, backlog) == 0, "cannot listen at \(path)")
        return descriptor
    }
}
