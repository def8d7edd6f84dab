// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import Testing

/// Reading and writing without waiting.
@Suite struct StreamSocketTests {
    private func receive(_ pair: Pipe, size: Int = 8) -> (StreamSocket.Received, [UInt8]) {
        var buffer = [UInt8](repeating: 0, count: size)
        return (StreamSocket.receive(from: pair.reading, into: &buffer), buffer)
    }

    @Test func whatWasSentIsReceived() throws {
        let pair = try Pipe(sockets: ())
        #expect(receive(pair).0 == .nothing)
        #expect(StreamSocket.send([1, 2, 3, 4], from: 1, to: pair.writing) == .bytes(3))
        let (received, buffer) = receive(pair)
        #expect(received == .bytes(3))
        #expect(buffer[..<3] == [2, 3, 4])
    }

    @Test func whatWaitsToBeReadIsKnown() throws {
        let pair = try Pipe(sockets: ())
        #expect(!StreamSocket.hasUnread(pair.reading))
        #expect(StreamSocket.send([1], to: pair.writing) == .bytes(1))
        #expect(StreamSocket.hasUnread(pair.reading) && !StreamSocket.hasUnread(-1))
        _ = receive(pair)
        #expect(!StreamSocket.hasUnread(pair.reading))
    }

    @Test func theEndIsTold() throws {
        let pair = try Pipe(sockets: ())
        #expect(StreamSocket.send([1], to: pair.writing) == .bytes(1))
        pair.closeWriting()
        #expect(receive(pair).0 == .bytes(1))
        #expect(receive(pair).0 == .end)
    }

    @Test func aFullSocketTakesNoMore() throws {
        let pair = try Pipe(sockets: ())
        let bytes = [UInt8](repeating: 7, count: 1 << 20)
        guard case .bytes(let count) = StreamSocket.send(bytes, to: pair.reading) else {
            Issue.record("nothing sent")
            return
        }
        #expect(count > 0 && count < bytes.count)
        #expect(StreamSocket.send(bytes, to: pair.reading) == .bytes(0))
    }

    @Test func aPeerThatHasGoneIsAnErrorAndNoSignal() throws {
        let pair = try Pipe(sockets: ())
        pair.closeWriting()
        #expect(StreamSocket.send([1], to: pair.reading) == .failed(errno: EPIPE))
    }

    @Test func aClosedDescriptorIsAnError() {
        var buffer: [UInt8] = [0]
        #expect(StreamSocket.receive(from: -1, into: &buffer) == .failed(errno: EBADF))
        #expect(StreamSocket.send([1], to: -1) == .failed(errno: EBADF))
    }
}
