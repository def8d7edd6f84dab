// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Reactor
import TestSupport
import Testing
import Varlink

@testable import Runner

/// Our end of a widget's socket, where the widget reads slowly or not at all.
@Suite struct CallConnectionTests {
    init() { TestLoop.start() }

    /// A connection, and the widget's end of it.
    @LoopActor private static func pair(
        _ onEvent: @escaping @LoopActor (CallConnection.Event) -> Void = { _ in }
    ) throws -> (CallConnection, Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(clinux_socket_pair(&ends) == 0)
        for end in ends { try #require(fcntl(end, F_SETFL, O_NONBLOCK) == 0) }
        let ours = OwnedDescriptor(adopting: ends[0])
        return (try CallConnection(ours, limit: 1_000, onEvent: onEvent), ends[1])
    }

    private static func received(_ end: Int32) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 10_000)
        let count = read(end, &buffer, buffer.count)
        return Array(buffer.prefix(max(0, count)))
    }

    @Test(arguments: [1, 3]) @LoopActor func longCallsArriveWhole(count: Int) async throws {
        let (connection, end) = try Self.pair()
        defer { close(end) }
        let calls = (0..<count).map {
            VarlinkCall("a.b.C", ["n": .int(Int64($0)), "text": .string(String(repeating: "x", count: 1_000_000))])
        }
        for call in calls { connection.send(call) }
        let expected = calls.flatMap { $0.encoded() }
        var bytes: [UInt8] = []
        try await eventually("all bytes") {
            bytes += Self.received(end)
            return bytes.count >= expected.count
        }
        #expect(bytes == expected)
        connection.close()
    }

    @Test(arguments: ["nonsense\0", "{\0", "{\"parameters\":1}\0", "[]\0"])
    @LoopActor func whatIsNoAnswerEndsIt(text: String) async throws {
        let arrivals = Arrivals<String>("event")
        let (connection, end) = try Self.pair { event in
            if case .broken(let reason) = event { arrivals.send(reason) } else { arrivals.send("another event") }
        }
        defer { close(end) }
        connection.send(VarlinkCall("a.b.C"))
        let bytes = Array(text.utf8)
        #expect(write(end, bytes, bytes.count) == bytes.count)
        #expect(try await arrivals.next().hasPrefix("its answer is "))
    }

    /// Oneway calls are sent while the program reads them; 16 KiB may wait.
    @Test @LoopActor func aWidgetThatDoesNotReadIsToldNoMore() async throws {
        let (connection, end) = try Self.pair()
        defer { close(end) }
        let notice = VarlinkCall("a.b.Appear", ["text": .string(String(repeating: "x", count: 1_000))], oneway: true)
        let size = notice.encoded().count
        for _ in 0..<2_000 { connection.send(notice) }
        var bytes = 0
        var isLastEmpty = false
        try await eventually("the end") {
            let count = Self.received(end).count
            bytes += count
            defer { isLastEmpty = count == 0 }
            return count == 0 && isLastEmpty
        }
        #expect(bytes < 1_000 * size && bytes > 16 << 10 && bytes % size == 0)
        connection.close()
    }
}
