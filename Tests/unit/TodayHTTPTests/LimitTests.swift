// SPDX-License-Identifier: MIT
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import TodayHTTP

/// Limits of size, and reports of progress.
@Suite(.serialized) struct LimitTests {
    private func failure(
        sizeLimit: Int = 1 << 20, _ serve: @escaping LocalServer.Service
    ) async -> String? {
        let server = LocalServer(serve)
        var request = server.request()
        request.sizeLimit = sizeLimit
        return await TodayHTTPTests.failure(of: request)
    }

    private static let tooLarge = "the answer has more than 1 MiB, the limit of the request (sizeLimit)"

    @Test func anAnswerMayBeAsLargeAsTheLimit() async {
        let body = String(repeating: "x", count: 1000)
        #expect(await failure(sizeLimit: 1000) { _, peer in peer.answer("200 OK", [], body) } == nil)
        #expect(
            await failure(sizeLimit: 999) { _, peer in peer.answer("200 OK", [], body) }
                == "the answer has more than 999 bytes, the limit of the request (sizeLimit)")
        #expect(
            await failure(sizeLimit: 0) { _, peer in peer.answer("200 OK", [], "x") }
                == "the answer has more than 0 bytes, the limit of the request (sizeLimit)")
        #expect(await failure(sizeLimit: 0) { _, peer in peer.answer() } == nil)
    }

    @Test func anAnnouncedSizeBeyondTheLimitFailsAtOnce() async {
        let words = await failure { _, peer in
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nx")
            peer.waitForEnd()
        }
        #expect(words == Self.tooLarge)
    }

    private static let tooManyHeaders = "the headers of the answer have more than 64 KiB"

    @Test(arguments: [(65_536, true), (65_537, false)]) func headersMayHave64KiB(bytes: Int, isTaken: Bool) {
        var reader = AnswerReader(sizeLimit: 10)
        let start = Array("HTTP/1.1 200 OK\r\n".utf8)
        _ = reader.count(line: start)
        let isLastTaken = reader.count(line: [UInt8](repeating: 0x61, count: bytes - start.count))
        #expect(isLastTaken == isTaken && (reader.failure == nil) == isTaken)
    }

    @Test func headersMayHave5000Lines() {
        var reader = AnswerReader(sizeLimit: 10)
        for line in 1...5_001 {
            #expect(reader.count(line: Array("a:\r\n".utf8)) == (line <= 5_000))
            #expect((reader.failure == nil) == (line <= 5_000))
        }
    }

    /// How an answer begins, what it repeats without end, and the error.
    static let endless: [(start: String, piece: String, error: String)] = [
        ("HTTP/1.1 200 OK\r\n\r\n", longPiece, tooLarge),
        ("HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n", longPiece, tooLarge),
        ("HTTP/1.1 200 OK\r\n", "X-Header: \(longPiece.prefix(1000))\r\n", tooManyHeaders),
        ("HTTP/1.1 200 OK\r\nX-Header: ", longPiece, tooManyHeaders),
        ("", "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", tooManyHeaders),
    ]
    private static let longPiece = String(repeating: "a", count: 65_536)

    @Test(arguments: LimitTests.endless.indices) func anEndlessAnswerIsCutOff(row: Int) async {
        let (start, piece, error) = Self.endless[row]
        let failure = await failure { _, peer in
            peer.send(start)
            while peer.send(piece) {}
        }
        #expect(failure == error)
    }

    /// Combining marks make one character of any length, so headers are compared by their bytes.
    @Test func headersOfCombiningMarksTakeLittleTime() async throws {
        let marks = String(repeating: "\u{301}\u{316}", count: 7000)
        let server = LocalServer { _, peer in
            peer.send("HTTP/1.1 200 OK\r\nX-\(marks): e\(marks)\r\nContent-Length: 1\r\n\r\nx")
        }
        let start = ContinuousClock.now
        let response = try await server.request().send()
        #expect(response.text == "x")
        #expect(response.headers["Content-Length"] == "1")
        #expect(response.headers["x-\(marks)"]?.utf8.count == 1 + marks.utf8.count)
        #expect(ContinuousClock.now - start < .seconds(5))
    }

    /// The first line, the empty one and that of the length are lines, too.
    @Test(arguments: [(4997, true), (4998, false)]) func headersMayHave5000Lines(count: Int, isTaken: Bool) async {
        let lines = String(repeating: "a:\r\n", count: count)
        let start = ContinuousClock.now
        let error = await failure { _, peer in
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n" + lines + "\r\nx")
        }
        #expect(error == (isTaken ? nil : "the headers of the answer have more than 5000 lines"))
        #expect(ContinuousClock.now - start < .seconds(5))
    }

    private func compressed(_ count: Int) throws -> [UInt8] {
        guard let stream = popen("head -c \(count) /dev/zero | gzip -9", "r") else { return [] }
        var bytes: [UInt8] = []
        while case let byte = getc(stream), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        #expect(pclose(stream) == 0)
        return bytes
    }

    private func compressedServer(_ bytes: [UInt8], encoding: String = "gzip") -> LocalServer {
        LocalServer { _, peer in
            peer.send("HTTP/1.1 200 OK\r\nContent-Encoding: \(encoding)\r\nContent-Length: \(bytes.count)\r\n\r\n")
            peer.send(bytes)
        }
    }

    @Test func compressedAnswersAreDecompressed() async throws {
        let bytes = try compressed(100_000)
        #expect(bytes.count < 1000)
        let server = compressedServer(bytes)
        #expect(try await server.request().send().body == [UInt8](repeating: 0, count: 100_000))
    }

    @Test func theLimitCountsWhatIsDecompressed() async throws {
        let bytes = try compressed(200 << 20)
        #expect(bytes.count < 1 << 20)
        let server = compressedServer(bytes)
        #expect(await TodayHTTPTests.failure(of: server.request()) == Self.tooLarge)
    }

    @Test func aWrongContentEncodingIsReported() async {
        let server = compressedServer(Array("plain text".utf8))
        let words = "the answer is not compressed as its Content-Encoding says"
        #expect(await TodayHTTPTests.failure(of: server.request()) == words)
    }

    @Test func progressIsReportedTenTimesASecondAtMost() async throws {
        let server = LocalServer { _, peer in
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 60000\r\nConnection: close\r\n\r\n")
            for _ in 0..<60 {
                peer.send([UInt8](repeating: 0x61, count: 1000))
                usleep(10_000)
            }
        }
        let told = Arrivals<HTTPProgress>()
        var request = server.request()
        request.onProgress = { told.send($0) }
        let start = ContinuousClock.now
        _ = try await request.send()
        let tenths = Int((ContinuousClock.now - start) / .milliseconds(100))
        let reports = told.taken()
        // The first report comes at once, and the last at the end.
        #expect(reports.count >= 4 && reports.count <= tenths + 2, "\(reports.count) in \(tenths) tenths")
        #expect(reports.map(\.received) == reports.map(\.received).sorted())
        #expect(reports.allSatisfy { $0.expected == 60_000 })
        #expect(reports.last?.received == 60_000)
        #expect(reports.last?.fraction == 1)
    }

    /// Other suites open descriptors too, so only a leak of one for each request counts.
    @Test func aRequestLeavesNoDescriptorOpen() async throws {
        let server = LocalServer { _, peer in peer.answer("200 OK", [], "x") }
        _ = try await server.request().send()
        let before = try openDescriptors()
        for _ in 0..<40 { _ = try await server.request().send() }
        let after = try openDescriptors()
        #expect(after - before < 40, "\(before) before, \(after) after")
    }

    private func openDescriptors() throws -> Int {
        let directory = try #require(opendir("/proc/self/fd"))
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        return count
    }

    @Test func progressOfACompressedAnswerHasNoSize() async throws {
        let server = compressedServer(try compressed(100_000))
        let told = Arrivals<HTTPProgress>()
        var request = server.request()
        request.onProgress = { told.send($0) }
        _ = try await request.send()
        let last = try #require(told.taken().last)
        #expect(last.received == 100_000)
        #expect(last.expected == nil)
        #expect(last.fraction == nil)
    }

    @Test func progressIgnoresRedirects() async throws {
        let server = LocalServer { request, peer in
            if request.target == "/" {
                peer.answer("302 Found", ["Location: /there"], "moved")
            } else {
                peer.answer("200 OK", [], "here it is")
            }
        }
        let told = Arrivals<HTTPProgress>()
        var request = server.request()
        request.onProgress = { told.send($0) }
        _ = try await request.send()
        #expect(told.taken().map(\.received) == [10])
    }
}
