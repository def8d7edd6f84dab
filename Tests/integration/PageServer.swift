// SPDX-License-Identifier: MIT
import Glibc
import TestSupport

/// A real today-page of a private todayd, on a port of its own.
final class PageServer {
    let port: UInt16
    let program: BuiltProgram
    /// Runs as long as the page.
    private let daemon: PrivateDaemon

    convenience init(of daemon: PrivateDaemon, _ options: String...) throws {
        try self.init(of: daemon, options)
    }

    init(of daemon: PrivateDaemon, _ options: [String]) throws {
        let listener = try ListeningSocket()
        port = listener.port
        self.daemon = daemon
        // LISTEN_PID is the program's own number, which only a shell in the same process knows.
        let command = ["-c", "export LISTEN_PID=$$; exec \"$@\"", "sh", "\(BuiltPrograms.directory)/today-page"]
        program = try BuiltProgram(
            "/bin/sh", command + ["--socket", daemon.socket] + options, environment: ["LISTEN_FDS": "1"],
            passing: listener.descriptor)
    }

    func connect() throws -> PageClient { try PageClient(port) }

    /// One request on a connection of its own.
    func get(_ target: String, _ headers: String...) throws -> PageClient.Answer { try get(target, headers) }

    func get(_ target: String, _ headers: [String]) throws -> PageClient.Answer {
        let client = try connect()
        try client.send(
            "GET \(target) HTTP/1.1\r\nHost: localhost:\(port)\r\n" + headers.map { "\($0)\r\n" }.joined() + "\r\n")
        return try client.answer()
    }

    func post(_ target: String, _ body: String, _ headers: String...) throws -> PageClient.Answer {
        let client = try connect()
        try client.send(
            "POST \(target) HTTP/1.1\r\nHost: localhost:\(port)\r\nContent-Length: \(body.utf8.count)\r\n"
                + headers.map { "\($0)\r\n" }.joined() + "\r\n\(body)")
        return try client.answer()
    }

    /// Ends it by SIGTERM.
    func stop() throws -> BuiltProgram.Result {
        program.signal(SIGTERM)
        return try program.finish()
    }
}

/// A TCP connection that sends any bytes and reads answers one by one.
final class PageClient {
    struct Answer {
        let status: Int
        /// The lines, without the status line.
        let head: String
        let body: String

        func header(_ name: String) -> String? {
            for line in head.split(separator: "\r\n") where line.lowercased().hasPrefix(name.lowercased() + ":") {
                return String(line.dropFirst(name.count + 1).drop { $0 == " " })
            }
            return nil
        }
    }

    let descriptor: Int32
    private var received: [UInt8] = []

    init(_ port: UInt16, address host: String = "127.0.0.1") throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeBytes(of: &address) {
            Glibc.connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, size)
        }
        guard result == 0 else { throw BuiltProgram.Failure(description: "connect: \(errno)") }
    }

    deinit { close(descriptor) }

    /// False when the other end has closed the connection.
    @discardableResult
    func send(_ text: String) throws -> Bool {
        let bytes = Array(text.utf8)
        return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// Reads what comes; nil when the connection has ended, and when nothing came in time.
    private func more(within seconds: Int32) -> Int? {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, seconds * 1_000) > 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        received += buffer[..<count]
        return count
    }

    private func text() -> String { String(decoding: received, as: UTF8.self) }

    /// The next answer, of the stated length.
    func answer(within seconds: Int32 = 20) throws -> Answer {
        var end: Int?
        while true {
            end = received.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound
            if end != nil { break }
            guard more(within: seconds) != nil else { throw BuiltProgram.Failure(description: "no answer: \(text())") }
        }
        let start = end ?? 0
        let head = String(decoding: received[..<start], as: UTF8.self)
        received.removeFirst(start)
        let status = Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0
        let lines = head.split(separator: "\r\n").dropFirst().joined(separator: "\r\n")
        let length = Answer(status: status, head: lines, body: "").header("Content-Length").flatMap { Int($0) } ?? 0
        while received.count < length {
            guard more(within: seconds) != nil else {
                throw BuiltProgram.Failure(description: "half an answer: \(text())")
            }
        }
        let body = String(decoding: received[..<length], as: UTF8.self)
        received.removeFirst(length)
        return Answer(status: status, head: lines, body: body)
    }

    /// Reads until a text has come.
    func read(until words: String, within seconds: Int32 = 20) throws -> String {
        while !text().contains(words) {
            guard more(within: seconds) != nil else {
                throw BuiltProgram.Failure(description: "no \(words): \(text())")
            }
        }
        defer { received = [] }
        return text()
    }

    /// Everything until the other end closes the connection; nil where it does not.
    func rest(within seconds: Int32 = 20) -> String? {
        while more(within: seconds) != nil {}
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT))
        guard count == 0 || count < 0 && errno != EAGAIN else { return nil }
        return text()
    }
}
