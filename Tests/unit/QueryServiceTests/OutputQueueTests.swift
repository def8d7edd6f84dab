// SPDX-License-Identifier: MIT
import Testing

@testable import QueryService

/// The bytes that wait to be written.
@Suite struct OutputQueueTests {
    private func frames(_ texts: String...) -> OutputQueue {
        var queue = OutputQueue()
        for text in texts { queue.append(Array(text.utf8)) }
        return queue
    }

    /// Writes the queue in pieces and returns the written text.
    private func drain(_ queue: inout OutputQueue, gathering limit: Int, accepting size: Int) -> String {
        var written: [UInt8] = []
        while let (bytes, offset) = queue.next(gathering: limit) {
            let count = min(size, bytes.count - offset)
            written += bytes[offset..<offset + count]
            queue.consume(count)
        }
        return String(decoding: written, as: UTF8.self)
    }

    @Test(arguments: [1, 2, 3, 5, 100], [1, 4, 100])
    func everythingIsWrittenOnceAndInOrder(size: Int, limit: Int) {
        var queue = frames("one", "two", "three", "f")
        #expect(queue.byteCount == 12)
        #expect(drain(&queue, gathering: limit, accepting: size) == "onetwothreef")
        #expect(queue.isEmpty)
        #expect(queue.byteCount == 0)
    }

    @Test func aSingleFrameIsNotCopied() {
        let frame: Frame = [1, 2, 3]
        var queue = OutputQueue()
        queue.append(frame)
        queue.consume(1)
        let next = queue.next(gathering: 100)
        #expect(next?.offset == 1)
        #expect(next?.bytes == frame)
    }

    @Test func gatheringStopsAtItsLimit() {
        let queue = frames("one", "two", "three")
        #expect(queue.next(gathering: 5)?.bytes.count == 6)
        #expect(queue.next(gathering: 6)?.bytes.count == 6)
        #expect(queue.next(gathering: 7)?.bytes.count == 11)
        #expect(queue.next(gathering: 100)?.bytes.count == 11)
    }

    @Test func whatIsEnoughByItselfIsNotGathered() {
        var queue = frames("four", "x", "y")
        #expect(queue.next(gathering: 4)?.bytes == Array("four".utf8))
        #expect(queue.next(gathering: 5)?.bytes == Array("fourx".utf8))
        queue.consume(1)
        #expect(queue.next(gathering: 3)?.bytes == Array("four".utf8))
        #expect(queue.next(gathering: 3)?.offset == 1)
        #expect(queue.next(gathering: 4)?.bytes == Array("ourx".utf8))
        #expect(queue.byteCount == 5)
    }
}
