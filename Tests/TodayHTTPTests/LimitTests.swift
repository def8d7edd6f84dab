// SPDX-License-Identifier: MIT
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import TodayHTTP

/// Too much of something.
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

    @Test func theLimitIsTheLastSizeThatIsTaken() async {
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

    @Test func whatSaysThatItIsTooLargeIsNotWaitedFor() async {
        let words = await failure { _, peer in
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nx")
            peer.waitForEnd()
        }
        #expect(words == Self.tooLarge)
    }

    @Test func anEndlessAnswerIsCutOff() async {
        let words = await failure { _, peer in
            peer.send("HTTP/1.1 200 OK\r\n\r\n")
            while peer.send([UInt8](repeating: 0x61, count: 65_536)) {}
        }
        #expect(words == Self.tooLarge)
    }

    @Test func anEndlessRedirectIsCutOff() async {
        let words = await failure { _, peer in
            peer.send("HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n")
            while peer.send([UInt8](repeating: 0x61, count: 65_536)) {}
        }
        #expect(words == Self.tooLarge)
    }

    private static let tooManyHeaders = "the headers of the answer have more than 64 KiB"

    @Test(arguments: [(65_536, true), (65_537, false)]) func headersMayHaveSoManyBytes(bytes: Int, isTaken: Bool) {
        var reception = Reception(sizeLimit: 10)
        let start = Array("HTTP/1.1 200 OK\r\n".utf8)
        _ = reception.take(line: start)
        let isLastTaken = reception.take(line: [UInt8](repeating: 0x61, count: bytes - start.count))
        #expect(isLastTaken == isTaken && (reception.failure == nil) == isTaken)
    }

    @Test func endlessHeadersAreCutOff() async {
        let words = await failure { _, peer in
            peer.send("HTTP/1.1 200 OK\r\n")
            while peer.send("X-Header: \(String(repeating: "x", count: 1000))\r\n") {}
        }
        #expect(words == Self.tooManyHeaders)
    }

    @Test func anEndlessHeaderLineIsCutOff() async {
        let words = await failure { _, peer in
            peer.send("HTTP/1.1 200 OK\r\nX-Header: ")
            while peer.send([UInt8](repeating: 0x61, count: 65_536)) {}
        }
        #expect(words == Self.tooManyHeaders)
    }

    @Test func endlessInterimAnswersAreCutOff() async {
        let words = await failure { _, peer in
            while peer.send("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n") {}
        }
        #expect(words == Self.tooManyHeaders)
    }

    /// Combining marks make one character of any length, which must cost no more than its bytes.
    @Test func strangeHeadersAreOnlyBytes() async throws {
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

    @Test func whatIsNotCompressedIsNotDecompressed() async {
        let server = compressedServer(Array("plain text".utf8))
        let words = "the answer is not compressed as its Content-Encoding says"
        #expect(await TodayHTTPTests.failure(of: server.request()) == words)
    }

    @Test func progressIsToldTenTimesASecondAtMost() async throws {
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
        // The first at once, and the last whenever it ends.
        #expect(reports.count >= 4 && reports.count <= tenths + 2, "\(reports.count) in \(tenths) tenths")
        #expect(reports.map(\.received) == reports.map(\.received).sorted())
        #expect(reports.allSatisfy { $0.expected == 60_000 })
        #expect(reports.last?.received == 60_000)
        #expect(reports.last?.fraction == 1)
    }

    @Test func progressOfACompressedAnswerHasNoEnd() async throws {
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

    @Test func progressIsOfTheAnswerOnly() async throws {
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
