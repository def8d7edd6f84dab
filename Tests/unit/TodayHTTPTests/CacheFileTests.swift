// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing
import TodayHTTP

/// The files of the cache: their names, their number, damage, and where they are.
@Suite(.serialized) struct CacheFileTests {
    let directory = TemporaryDirectory()
    private var cache: HTTPCache { HTTPCache(directory: directory("http")) }
    private var cacheWithBodies: HTTPCache { HTTPCache(directory: directory("http"), keepsBodies: true) }

    private func files() throws -> [String] { try directory.names(in: "http") }

    /// The name of a file is a hash of its URL. Two URLs may have the same hash, so the file contains the URL.
    @Test func aFileOfAnotherURLIsIgnored() async throws {
        let server = LocalServer.steady(["ETag: \"v1\""])
        _ = try await server.request(cacheWithBodies, "/one").send()
        let one = try #require(try files().first)
        _ = try await server.request(cacheWithBodies, "/two").send()
        let two = try #require(try files().first { $0 != one })
        try directory.write(directory.bytes(of: "http/\(one)"), to: "http/\(two)", mode: 0o600)
        let answer = try await server.request(cacheWithBodies, "/two").send()
        #expect(answer.status == 200 && !answer.isUnchanged)
        #expect(server.requests.last?.header("If-None-Match") == nil)
    }

    @Test func damagedFilesAreIgnoredAndReplaced() async throws {
        let server = LocalServer.steady(["ETag: \"v1\""])
        _ = try await server.request(cache).send()
        let name = "http/\(try #require(try files().first))"
        let sound = try directory.bytes(of: name)
        var flipped = sound
        flipped[sound.count - 4] ^= 1
        let longer = sound + [0x0a]
        let damages: [[UInt8]] = [
            [], Array(sound.dropLast()), longer, flipped, [0xff, 0x0a], [UInt8](repeating: 0, count: 100_000),
        ]
        for damage in damages {
            try directory.write(damage, to: name)
            #expect(try await server.request(cache).send().status == 200)
            #expect(try await server.request(cache).send().status == 304, "the damage was not repaired")
        }
        try directory.delete(name)
        try directory.makeDirectory(name)
        #expect(try await server.request(cache).send().status == 200)
        try directory.delete(name)
        try directory.makePipe(name)
        #expect(try await server.request(cache).send().status == 200)
    }

    @Test func requestsWorkWithoutADirectory() async throws {
        let server = LocalServer.steady(["ETag: \"v1\""])
        let nowhere = HTTPCache(directory: directory("no/such/directory"))
        #expect(try await server.request(nowhere).send().status == 200)
        #expect(try await server.request(nowhere).send().status == 200)
    }

    @Test func filesAreFewPrivateAndWhole() async throws {
        let server = LocalServer.steady(["ETag: \"v1\""])
        let small = HTTPCache(directory: directory("http"), fileLimit: 3)
        try directory.write("not ours", to: "http/readme")
        try directory.write("left by a killed writer", to: "http/0123456789abcdef.http.0123456789abcdef")
        for number in 0..<5 {
            _ = try await server.request(small, "/\(number)").send()
            // The first file is used each time, so the cache keeps it.
            #expect(try await server.request(small, "/0").send().isUnchanged)
        }
        #expect(try files().count == 4)
        #expect(try files().contains("readme"))
        #expect(try files().allSatisfy { $0 == "readme" || $0.hasSuffix(".http") })
        #expect(try await server.request(small, "/4").send().isUnchanged)
        #expect(try await !server.request(small, "/1").send().isUnchanged)
        var status = stat()
        for name in try files() where name != "readme" {
            #expect(stat(directory("http/\(name)"), &status) == 0 && status.st_mode & 0o777 == 0o600, "\(name)")
        }
    }

    /// The cache removes the files first that were used longest ago. An answer that fails uses none.
    @Test func onlyAnUnchangedAnswerUsesAFile() async throws {
        let server = LocalServer { request, peer in
            let isKnown = request.header("If-None-Match") != nil
            if request.header("X-Fail") != nil {
                peer.answer("500 Broken", [], "no")
            } else {
                peer.answer(isKnown ? "304 Not Modified" : "200 OK", ["ETag: \"v1\""])
            }
        }
        _ = try await server.request(cache).send()
        let file = directory("http/\(try #require(try files().first))")
        var times = [timespec(tv_sec: 1000, tv_nsec: 0), timespec(tv_sec: 1000, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, file, &times, 0) == 0)
        var failing = server.request(cache)
        failing.headers["X-Fail"] = "1"
        #expect(await failure(of: failing) != nil)
        #expect(modificationTime(file) == 1000)
        #expect(try await server.request(cache).send().isUnchanged)
        #expect(modificationTime(file) > 1000)
    }

    /// What has neither a validator nor a time to wait needs no file, and what the server takes back is forgotten.
    @Test func onlyWhatIsUsefulIsKept() async throws {
        let server = LocalServer { request, peer in
            switch request.target {
            case "/plain": peer.answer("200 OK", [], "content")
            default:
                let isFirst = request.header("If-None-Match") == nil
                peer.answer("200 OK", isFirst ? ["ETag: \"v1\""] : [], "content")
            }
        }
        _ = try await server.request(cache, "/plain").send()
        #expect(!directory.exists("http"))
        _ = try await server.request(cache, "/changes").send()
        #expect(try files().count == 1)
        _ = try await server.request(cache, "/changes").send()
        _ = try await server.request(cache, "/changes").send()
        #expect(server.requests.map { $0.header("If-None-Match") } == [nil, nil, "\"v1\"", nil])
    }

    private func modificationTime(_ path: String) -> Int {
        var information = stat()
        return stat(path, &information) == 0 ? information.st_mtim.tv_sec : -1
    }

    @Test(arguments: [nil, "", "/container"]) func aWidgetsCacheIsInItsContainer(container: String?) {
        ProcessEnvironment.set(["TODAY_STATE_DIRECTORY": container])
        defer { ProcessEnvironment.set(["TODAY_STATE_DIRECTORY": nil]) }
        let directory = container?.isEmpty == false ? "/container/http" : nil
        #expect(HTTPCache.ofWidget?.directory == directory && HTTPCache.ofWidgetWithBodies?.directory == directory)
        #expect(HTTPCache.ofWidgetWithBodies?.keepsBodies != false && HTTPCache.ofWidget?.keepsBodies != true)
    }
}
