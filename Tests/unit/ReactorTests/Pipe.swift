// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Testing

/// A non-blocking pipe, or the two ends of a connection, for tests.
final class Pipe {
    private(set) var reading: Int32
    private(set) var writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        (reading, writing) = (ends[0], ends[1])
        makeNonBlocking()
    }

    /// A connected pair of Unix stream sockets.
    init(sockets: Void) throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        (reading, writing) = (ends[0], ends[1])
        makeNonBlocking()
    }

    deinit {
        closeReading()
        closeWriting()
    }

    func write(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(Glibc.write(writing, bytes, bytes.count) == bytes.count)
    }

    func read() -> String {
        var buffer = [UInt8](repeating: 0, count: 1_024)
        let count = Glibc.read(reading, &buffer, buffer.count)
        return String(decoding: buffer[..<max(count, 0)], as: UTF8.self)
    }

    func closeReading() {
        if reading >= 0 { close(reading) }
        reading = -1
    }

    func closeWriting() {
        if writing >= 0 { close(writing) }
        writing = -1
    }

    private func makeNonBlocking() {
        for end in [reading, writing] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    }
}
