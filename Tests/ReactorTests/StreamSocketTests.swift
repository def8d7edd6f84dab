// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import Testing

/// Reading and writing without waiting.
@Suite struct StreamSocketTests {
    /// Two connected sockets, closed with the test.
    private final class Pair {
        let near: Int32
        private(set) var far: Int32

        init() throws {
            var descriptors: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &descriptors) == 0)
            (near, far) = (descriptors[0], descriptors[1])
        }

        deinit {
            close(near)
            closeFar()
        }

        func closeFar() {
            if far >= 0 { close(far) }
            far = -1
        }
    }

    private func receive(_ pair: Pair, size: Int = 8) -> (StreamSocket.Received, [UInt8]) {
        var buffer = [UInt8](repeating: 0, count: size)
        return (StreamSocket.receive(from: pair.near, into: &buffer), buffer)
    }

    @Test func whatWasSentIsReceived() throws {
        let pair = try Pair()
        #expect(receive(pair).0 == .nothing)
        #expect(StreamSocket.send([1, 2, 3, 4], from: 1, to: pair.far) == .bytes(3))
        let (received, buffer) = receive(pair)
        #expect(received == .bytes(3))
        #expect(buffer[..<3] == [2, 3, 4])
    }

    @Test func theEndIsTold() throws {
        let pair = try Pair()
        #expect(StreamSocket.send([1], to: pair.far) == .bytes(1))
        pair.closeFar()
        #expect(receive(pair).0 == .bytes(1))
        #expect(receive(pair).0 == .end)
    }

    @Test func aFullSocketTakesNoMore() throws {
        let pair = try Pair()
        let bytes = [UInt8](repeating: 7, count: 1 << 20)
        guard case .bytes(let count) = StreamSocket.send(bytes, to: pair.near) else {
            Issue.record("nothing sent")
            return
        }
        #expect(count > 0 && count < bytes.count)
        #expect(StreamSocket.send(bytes, to: pair.near) == .bytes(0))
    }

    @Test func aPeerThatHasGoneIsAnErrorAndNoSignal() throws {
        let pair = try Pair()
        pair.closeFar()
        #expect(StreamSocket.send([1], to: pair.near) == .failed(errno: EPIPE))
    }

    @Test func aClosedDescriptorIsAnError() {
        var buffer: [UInt8] = [0]
        #expect(StreamSocket.receive(from: -1, into: &buffer) == .failed(errno: EBADF))
        #expect(StreamSocket.send([1], to: -1) == .failed(errno: EBADF))
    }
}
