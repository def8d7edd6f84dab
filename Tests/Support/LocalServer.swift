// SPDX-License-Identifier: MIT
import Glibc
import Synchronization

/// A server on 127.0.0.1 that sends the bytes of a test, valid or not. It serves one connection after another on a thread of
/// its own, waits for a client at most ten seconds, and ends with the test.
package final class LocalServer {
    /// A request that the server has received.
    package struct Request: Sendable {
        package let method: String
        package let target: String
        package let lines: [String]
        package let body: [UInt8]

        /// The value of a header; nil if the request has none.
        package func header(_ name: String) -> String? {
            let start = "\(name.lowercased()):"
            return lines.first { $0.lowercased().hasPrefix(start) }
                .map { String($0.dropFirst(start.count).drop { $0 == " " }) }
        }
    }

    /// The server's end of a connection.
    package struct Peer {
        package let descriptor: Int32

        /// - Returns: false if the client has closed the connection.
        @discardableResult
        package func send(_ bytes: [UInt8]) -> Bool {
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }

        @discardableResult
        package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

        /// Sends a complete answer, which ends the connection.
        package func answer(_ status: String = "200 OK", _ headers: [String] = [], _ body: String = "") {
            let lines = ["HTTP/1.1 \(status)"] + headers + ["Content-Length: \(body.utf8.count)", "Connection: close"]
            send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
        }

        /// Waits until the client closes the connection.
        package func waitForEnd() {
            var byte: UInt8 = 0
            while recv(descriptor, &byte, 1, 0) > 0 {}
        }

        /// Reads a request; nil if it is none. The answer to TLS (22, a handshake) is an error.
        func receive() -> Request? {
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = recv(descriptor, &chunk, chunk.count, 0)
                guard count > 0 else { return nil }
                bytes += chunk[..<count]
                if bytes.first == 22 {
                    answer("400 Bad Request")
                    return nil
                }
                guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
                let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components("\r\n")
                let words = lines[0].split(separator: " ")
                guard words.count == 3 else { return nil }
                let request = Request(
                    method: String(words[0]), target: String(words[1]), lines: Array(lines.dropFirst()),
                    body: Array(bytes[end.upperBound...]))
                if request.body.count >= request.header("Content-Length").flatMap({ Int($0) }) ?? 0 { return request }
            }
        }
    }

    package typealias Service = @Sendable (Request, Peer) -> Void

    package let port: UInt16
    private let listener: Int32
    private var thread = pthread_t()
    private var isStopped = false
    private let record = Record()

    private final class Record: Sendable {
        let requests = Mutex<[Request]>([])
    }

    private final class Context {
        let listener: Int32
        let serve: Service

        init(_ listener: Int32, _ serve: @escaping Service) {
            self.listener = listener
            self.serve = serve
        }
    }

    /// Removes the proxies of the environment in which the tests run.
    package static let withoutProxy: Void = {
        let names = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"]
        for name in names { ProcessEnvironment.set([name: nil, name.uppercased(): nil]) }
        ProcessEnvironment.set(["no_proxy": "127.0.0.1,localhost"])
    }()

    package init(_ serve: @escaping Service) {
        Self.withoutProxy
        let (listener, port) = Self.listen()
        self.listener = listener
        self.port = port
        let record = record
        let context = Context(listener) { request, peer in
            record.requests.withLock { $0.append(request) }
            serve(request, peer)
        }
        pthread_create(
            &thread, nil,
            { context in
                context.map { LocalServer.run(Unmanaged<Context>.fromOpaque($0).takeRetainedValue()) }
                return nil
            }, Unmanaged.passRetained(context).toOpaque())
    }

    deinit { stop() }

    /// No connection is accepted any more.
    package func stop() {
        guard !isStopped else { return }
        isStopped = true
        shutdown(listener, Int32(SHUT_RDWR))
        pthread_join(thread, nil)
        close(listener)
    }

    /// All requests so far.
    package var requests: [Request] { record.requests.withLock { $0 } }

    package func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    private static func run(_ context: Context) {
        while case let descriptor = accept(context.listener, nil, nil), descriptor >= 0 {
            var limit = timeval(tv_sec: 10, tv_usec: 0)
            for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
                setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
            }
            let peer = Peer(descriptor: descriptor)
            if let request = peer.receive() { context.serve(request, peer) }
            close(descriptor)
        }
    }

    /// Listens at a port that the kernel chooses.
    package static func listen() -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && Glibc.listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        precondition(isListening, "cannot listen on 127.0.0.1: \(errno)")
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }
}

extension String {
    /// The parts between separators, empty ones included. It compares bytes, because CR LF is one character.
    fileprivate func components(_ separator: String) -> [String] {
        var parts: [String] = []
        var rest = Array(utf8)[...]
        while let range = rest.firstRange(of: Array(separator.utf8)) {
            parts.append(String(decoding: rest[..<range.lowerBound], as: UTF8.self))
            rest = rest[range.upperBound...]
        }
        return parts + [String(decoding: rest, as: UTF8.self)]
    }
}
