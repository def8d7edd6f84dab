// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import JSON
import Varlink

/// A connection that sends any bytes, and reads only on request.
final class RawConnection {
    private(set) var descriptor: Int32
    private var framer = MessageFramer()

    init(to path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw BuiltProgram.Failure(description: "socket: \(errno)") }
        let result = path.withCString { clinux_connect_unix(descriptor, $0, path.utf8.count) }
        guard result == 0 else {
            Glibc.close(descriptor)
            throw BuiltProgram.Failure(description: "connect \(path): \(String(cString: strerror(-result)))")
        }
    }

    deinit { close() }

    func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }

    /// Sends all bytes; false when the other end has closed the connection.
    @discardableResult
    func send(_ bytes: [UInt8], within seconds: Int32 = 20) throws -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = sendAvailable(rest)
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count == 0 {
                guard wait(for: POLLOUT, seconds) else {
                    throw BuiltProgram.Failure(description: "the other end does not read")
                }
            } else {
                return false
            }
        }
        return true
    }

    @discardableResult
    func send(_ text: String) throws -> Bool { try send(Array(text.utf8)) }

    /// A message with its NUL.
    @discardableResult
    func sendMessage(_ text: String) throws -> Bool { try send(Array(text.utf8) + [0]) }

    /// Sends as many bytes as the socket takes now. Returns their number, 0 when the socket is full, -1 when the other end
    /// has closed it.
    func sendAvailable(_ bytes: ArraySlice<UInt8>) -> Int {
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        let count = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, flags) }
        if count >= 0 { return count }
        return errno == EAGAIN ? 0 : -1
    }

    /// The next message as JSON; nil when the other end has closed the connection.
    func message(within seconds: Int32 = 20) throws -> JSON? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            if let bytes = try framer.next() { return try JSON.parse(bytes) }
            guard wait(for: POLLIN, seconds) else {
                throw BuiltProgram.Failure(description: "no answer in \(seconds) s")
            }
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            framer.append(buffer[..<count])
        }
    }

    var hasSomethingToRead: Bool { wait(for: POLLIN, 0) }

    private func wait(for events: Int32, _ seconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        return poll(&entry, 1, seconds * 1_000) > 0
    }
}
