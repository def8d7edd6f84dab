// SPDX-License-Identifier: MIT
import JSON
import TestSupport
import Testing
import Varlink

@Suite struct VarlinkConnectionStreamTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory("socket") }
    private struct Enough: Error {}

    /// Answers every call with one to five, the last of which ends the stream.
    private func countingService() -> ScriptedService {
        ScriptedService(at: path) { peer in
            while let call = peer.receive() {
                guard call.more else {
                    peer.send(VarlinkReply(.expectedMore))
                    continue
                }
                for number in 1...5 { peer.send(VarlinkReply(["n": JSON(number)], continues: number < 5)) }
            }
        }
    }

    private func stream(upTo last: Int64, _ connection: VarlinkConnection) throws -> [Int64] {
        var numbers: [Int64] = []
        try connection.stream("a.b.Count") { parameters in
            numbers.append(parameters["n"]?.intValue ?? -1)
            return numbers.last != last
        }
        return numbers
    }

    @Test func everyReplyIsHandedOnUntilTheLast() throws {
        let service = countingService()
        try withExtendedLifetime(service) {
            let connection = try VarlinkConnection(path: path, timeout: .seconds(20))
            #expect(try stream(upTo: 99, connection) == [1, 2, 3, 4, 5])
            #expect(try stream(upTo: 5, connection) == [1, 2, 3, 4, 5], "the connection is as usable as before")
        }
    }

    @Test func stoppingClosesTheConnection() throws {
        let service = countingService()
        try withExtendedLifetime(service) {
            let connection = try VarlinkConnection(path: path, timeout: .seconds(20))
            #expect(try stream(upTo: 2, connection) == [1, 2])
            #expect(throws: VarlinkConnectionError.closed(path: path)) { try connection.call("a.b.C") }
        }
    }

    @Test func anErrorOfTheReceiverIsPassedOnAndCloses() throws {
        let service = countingService()
        try withExtendedLifetime(service) {
            let connection = try VarlinkConnection(path: path, timeout: .seconds(20))
            #expect(throws: Enough.self) { try connection.stream("a.b.Count") { _ in throw Enough() } }
            #expect(throws: VarlinkConnectionError.closed(path: path)) { try connection.call("a.b.C") }
        }
    }

    @Test func aCallWithoutMoreIsToldSo() throws {
        let service = countingService()
        try withExtendedLifetime(service) {
            let connection = try VarlinkConnection(path: path, timeout: .seconds(20))
            #expect(throws: VarlinkError.expectedMore) { try connection.call("a.b.Count") }
        }
    }

    @Test func anErrorEndsTheStream() throws {
        let service = ScriptedService(at: path) { peer in
            _ = peer.receive()
            peer.send(VarlinkReply(["n": 1], continues: true))
            peer.send(VarlinkReply(.permissionDenied))
            _ = peer.receive()
        }
        try withExtendedLifetime(service) {
            let connection = try VarlinkConnection(path: path, timeout: .seconds(20))
            #expect(throws: VarlinkError.permissionDenied) { _ = try stream(upTo: 99, connection) }
            #expect(connection.descriptor >= 0)
        }
    }

    @Test func aPauseIsBoundedOnlyWhenAsked() throws {
        let service = ScriptedService(at: path) { peer in
            _ = peer.receive()
            peer.send(VarlinkReply(continues: true))
            _ = peer.receive()
        }
        try withExtendedLifetime(service) {
            let connection = try VarlinkConnection(path: path, timeout: .seconds(20))
            #expect(throws: VarlinkConnectionError.timedOut(path: path, after: .milliseconds(20))) {
                try connection.stream("a.b.C", pause: .milliseconds(20)) { _ in true }
            }
        }
    }
}
