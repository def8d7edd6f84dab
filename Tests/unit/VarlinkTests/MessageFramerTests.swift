// SPDX-License-Identifier: MIT
import Testing
import Varlink

@Suite struct MessageFramerTests {
    private static let stream = Array("{\"a\":1}\0\0[]\0tail".utf8)
    private static let messages = ["{\"a\":1}", "", "[]"]

    @Test(arguments: 1...18) func messagesAreTheSameHoweverTheBytesArrive(_ step: Int) throws {
        var framer = MessageFramer()
        var received: [String] = []
        for start in stride(from: 0, to: Self.stream.count, by: step) {
            framer.append(Self.stream[start..<min(start + step, Self.stream.count)])
            while let message = try framer.next() { received.append(String(decoding: message, as: UTF8.self)) }
        }
        #expect(received == Self.messages)
        #expect(framer.bufferedBytes == 4)
    }

    @Test func allMessagesOfOneReadCanBeTakenLater() throws {
        var framer = MessageFramer()
        framer.append(Self.stream)
        framer.append([0])
        var received: [String] = []
        while let message = try framer.next() { received.append(String(decoding: message, as: UTF8.self)) }
        #expect(received == Self.messages + ["tail"])
        #expect(framer.bufferedBytes == 0)
    }

    @Test func aMessageOfTheLimitIsTakenAndOneLongerIsNot() throws {
        var framer = MessageFramer(limit: 4)
        framer.append(Array("1234\0".utf8))
        #expect(try framer.next() == Array("1234".utf8))
        framer.append(Array("12345\0".utf8))
        #expect(throws: FramingError(limit: 4)) { try framer.next() }
    }

    @Test func aMessageTooLongIsRefusedBeforeItEnds() throws {
        var framer = MessageFramer(limit: 4)
        framer.append(Array("1234".utf8))
        #expect(try framer.next() == nil)
        framer.append(Array("5".utf8))
        #expect(throws: FramingError(limit: 4)) { try framer.next() }
    }

    @Test func bytesOneAtATimeCostNoMoreThanTheirNumber() throws {
        var framer = MessageFramer()
        let count = 500_000
        var messages = 0
        let byte: [UInt8] = [0x78]
        for _ in 0..<count {
            framer.append(byte)
            if try framer.next() != nil { messages += 1 }
        }
        framer.append([0])
        #expect(try framer.next()?.count == count)
        #expect(messages == 0)
    }

    @Test func manySmallMessagesInOneReadCostNoMoreThanTheirBytes() throws {
        var framer = MessageFramer()
        let count = 200_000
        framer.append(Array(repeatElement([0x7B, 0x7D, 0x00] as [UInt8], count: count).joined()))
        var messages = 0
        while try framer.next() != nil {
            messages += 1
            framer.append([])
        }
        #expect(messages == count)
        #expect(framer.bufferedBytes == 0)
    }
}
