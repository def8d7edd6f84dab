// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing

extension Integration {
    /// Requests that no browser sends, and browsers that do not read.
    @Suite(.serialized) struct HostileBrowsersTests {
        private static let clock = "[Widget]\nDisplayName=Clock\n[Update]\nExecStart=/bin/echo tick\n"

        private static func daemon() throws -> PrivateDaemon {
            try PrivateDaemon(widgets: ["org.example.clock.widget": clock])
        }

        /// Each has one answer, of the library or of RequestShape, and then the connection ends.
        private static let smuggled: [(request: String, status: Int)] = [
            (
                "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                411
            ),
            ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411),
            ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nContent-Length: 44\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\r\n", 413),
            ("GET /page.css?a b HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: localhost\r\nX-Other: a\nContent-Length: 5\r\n\r\nabcde", 400),
            ("GET / HTTP/1.1\r\nHost: localhost\r\nCookie: a=b\nX-Other: a\r\n\r\n", 400),
            ("GET / HTTP/1.1\nHost: localhost\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: localhost\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: localhost\r\n\n", 400),
            ("GET / HTTP/1.1\r\nHost: localhost\r\nX-Other: a\r\n b\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nX-Other: a\r\n\tb\r\nHost: localhost\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: localhost\r\nX-Other: a\0b\r\nX-More: a\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: localhost\r\n\0X-Other: a\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length : 5\r\n\r\nabcde", 400),
            ("GET / HTTP/1.1\r\nHost: localhost\r\nX-Other: a\rContent-Length: 5\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\n X: a\r\nHost: localhost\r\n\r\n", 400),
            ("GET /page.css%00.html HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
            ("GET /?widget=org.example.clock%00x HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        ]

        @Test(arguments: smuggled.indices) func aSecondRequestIsNotSmuggled(_ index: Int) throws {
            let row = Self.smuggled[index]
            let server = try PageServer(of: try Self.daemon())
            let client = try server.connect()
            try client.send(row.request + "GET /page.js HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let all = try #require(client.rest())
            // Newer libraries see some of these mistakes themselves.
            let isRefused = all.hasPrefix("HTTP/1.1 \(row.status) ") || all.hasPrefix("HTTP/1.1 400 ")
            #expect(isRefused, "\(all.prefix(200))")
            #expect(Self.heads(in: all) == 1, "\(all)")
            #expect(!all.contains("EventSource"))
            #expect(try server.get("/page.js").status == 200)
        }

        /// The text of an answer may name the protocol, too.
        private static func heads(in text: String) -> Int {
            let ends = text.ranges(of: "HTTP/1.1 ").map { $0.upperBound }
            return ends.filter { $0 < text.endIndex && text[$0].isNumber }.count
        }

        /// libmicrohttpd before 1.0 writes the head of this refusal twice.
        @Test(arguments: ["-1", "0x10", "5 5", "12345678901234567890123"]) func aLengthIsANumber(_ length: String)
            throws
        {
            let server = try PageServer(of: try Self.daemon())
            let client = try server.connect()
            try client.send(
                "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(length)\r\n\r\n"
                    + "GET /page.js HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let all = try #require(client.rest())
            let line = all.prefix { $0 != "\r\n" }
            #expect(["HTTP/1.1 400 ", "HTTP/1.1 413 "].contains { line.hasPrefix($0) }, "\(all)")
            #expect(Self.heads(in: all) == all.ranges(of: line).count && Self.heads(in: all) <= 2, "\(all)")
            #expect(!all.contains("EventSource"))
        }

        @Test func headersMayHaveSpacesAroundTheirTextAndComeInPieces() throws {
            let server = try PageServer(of: try Self.daemon())
            let client = try server.connect()
            for _ in 0..<3 {
                try client.send("\r\nGET /page.css?a=b&c=d HTTP/1.1\r\nHost:localhost\r\nX-Empty:\r\nX-Sp")
                usleep(20_000)
                try client.send("aces: \t a b \t\r\nCookie: a=b; c=d\r\nCookie: e=f\r\n")
                for number in 0..<5 {
                    try client.send("X-Long\(number): \(String(repeating: "a", count: 3_000))\r\n")
                    usleep(20_000)
                }
                try client.send("X-Last: \r\n\r\n")
                #expect(try client.answer().status == 200)
            }
        }

        @Test func anotherNameIsRefused() throws {
            let server = try PageServer(of: try Self.daemon())
            let client = try server.connect()
            try client.send("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try client.answer().status == 421)
            #expect(try client.answer().status == 200)
            #expect(try server.get("/", "Origin: http://evil.example").status == 403)
        }

        @Test func requestsInOnePieceAreAnsweredInOrder() throws {
            let server = try PageServer(of: try Self.daemon())
            let client = try server.connect()
            let one = "GET /api/list HTTP/1.1\r\nHost: localhost\r\n\r\n"
            let other = "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n"
            try client.send(String(repeating: one + other, count: 50))
            for _ in 0..<50 {
                #expect(try client.answer().status == 200)
                #expect(try client.answer().status == 404)
            }
        }

        @Test func longHeadersEndTheConnectionOnly() throws {
            let server = try PageServer(of: try Self.daemon())
            let client = try server.connect()
            try client.send("GET / HTTP/1.1\r\nHost: localhost\r\n")
            let line = "X-Long: \(String(repeating: "a", count: 4_000))\r\n"
            for _ in 0..<100 { guard try client.send(line) else { break } }
            let all = client.rest() ?? ""
            #expect(all.isEmpty || all.hasPrefix("HTTP/1.1 4"), "\(all.prefix(100))")
            #expect(try server.get("/").status == 200)
        }

        /// The library has no room for them, and would let the connection wait.
        @Test func aThousandWordsEndTheConnection() throws {
            let server = try PageServer(of: try Self.daemon())
            for count in [100, 1_000, 5_000] {
                let client = try server.connect()
                let words = (0..<count).map { "a\($0)=b" }.joined(separator: "&")
                try client.send("GET /?\(words)&z HTTP/1.1\r\nHost: localhost\r\n\r\n")
                let all = try #require(client.rest(within: 5))
                #expect(all.isEmpty || all.hasPrefix("HTTP/1.1 4"), "\(all.prefix(100))")
            }
            #expect(try server.get("/?" + (0..<90).map { "a\($0)=b" }.joined(separator: "&")).status == 200)
        }

        @Test(arguments: [
            "OPTIONS /", "OPTIONS *", "TRACE /", "CONNECT localhost:80", "PUT /", "DELETE /api/list", "get /",
            "GET http://evil.example/", "GET /../../etc/passwd", "GET /%2e%2e/%2e%2e/etc/passwd", "GET //page.js",
            "GET /page.js/", "GET /%zz%f", "GET /%ff",
        ]) func whatIsNotHere(_ line: String) throws {
            let server = try PageServer(of: try Self.daemon())
            let client = try server.connect()
            try client.send("\(line) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let answer = try client.answer()
            #expect((400..<500).contains(answer.status) && !answer.body.contains("root:"), "\(line)")
        }

        @Test func aHeadHasNoBody() throws {
            let server = try PageServer(of: try Self.daemon())
            let client = try server.connect()
            try client.send("HEAD /page.js HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            let all = try #require(client.rest())
            #expect(all.hasPrefix("HTTP/1.1 200 ") && all.hasSuffix("\r\n\r\n"))
        }

        @Test func bytesThatAreNoRequest() throws {
            let server = try PageServer(of: try Self.daemon())
            for text in [
                "\r\n\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
                "\0\0\0\0\r\n\r\n",
            ] {
                let client = try server.connect()
                try client.send(text)
                #expect(try server.get("/").status == 200)
            }
        }

        /// A request that arrives byte by byte has 15 s for its headers, and as many for its body.
        @Test func aSlowRequestHoldsNobodyUp() throws {
            let server = try PageServer(of: try Self.daemon())
            let slow = try server.connect()
            try slow.send("GET / HTTP/1.1\r\nHost: loc")
            let body = try server.connect()
            try body.send("POST /api/change/update HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n")
            var (seconds, bodySeconds) = (0, 0)
            while seconds < 25, try slow.send("a") {
                sleep(1)
                seconds += 1
                if try body.send("a") { bodySeconds += 1 }
                if seconds == 3 { #expect(try server.get("/").status == 200) }
            }
            #expect((13...20).contains(seconds), "\(seconds) s")
            #expect((13...20).contains(bodySeconds), "\(bodySeconds) s")
        }

        @Test func twoHundredTabsAndNoneReads() throws {
            let daemon = try Self.daemon()
            let server = try PageServer(of: daemon)
            _ = try server.get("/")
            let before = try Processes.memory(.resident, of: server.program.pid)
            var tabs: [PageClient] = []
            for _ in 0..<200 {
                let tab = try server.connect()
                try tab.send("GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
                tabs.append(tab)
            }
            for tab in tabs { _ = try tab.read(until: "\"whole\":true") }
            let text = String(repeating: "x", count: 20_000)
            for number in 0..<100 {
                _ = try daemon.todayctl("push", "org.example.clock", "--text", "\(number) \(text)")
            }
            #expect(try server.get("/").status == 200)
            let after = try Processes.memory(.resident, of: server.program.pid)
            #expect(after - before < 60_000, "\(before) KiB, then \(after) KiB")
            // The daemon has one connection for all tabs.
            let status = try daemon.call("Status")["daemon"]
            #expect((status?["subscribers"]?.intValue ?? 99) <= 1)
            tabs = []
            var subscribers: Int64 = 1
            for _ in 0..<40 where subscribers > 0 {
                _ = try daemon.todayctl("push", "org.example.clock", "--text", "again")
                usleep(500_000)
                subscribers = try daemon.call("Status")["daemon"]?["subscribers"]?.intValue ?? 99
            }
            #expect(subscribers == 0)
        }

        @Test func oneUserHasThreeQuartersOfTheStreams() throws {
            let daemon = try Self.daemon()
            let server = try PageServer(of: daemon)
            var tabs: [PageClient] = []
            for _ in 0..<240 {
                let tab = try server.connect()
                try tab.send("GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
                _ = try tab.read(until: "\"whole\":true")
                tabs.append(tab)
            }
            #expect(try server.get("/api/stream?point=status-bar").status == 503)
            // What was refused is not followed.
            #expect(try daemon.call("Status")["daemon"]?["subscribers"]?.intValue == 1)
            #expect(try server.get("/").status == 200)
            #expect(tabs.count == 240)
        }

        /// Another user's silent connections wait for nothing: they are closed before the library sees them.
        @Test(.enabled(if: getuid() == 0, "needs root")) func silentConnectionsOfOthersHoldNobodyUp() throws {
            let server = try PageServer(of: try Self.daemon())
            let script = """
                import socket, time
                held = []
                end = time.monotonic() + 4
                while time.monotonic() < end:
                    try: held.append(socket.create_connection(('127.0.0.1', \(server.port)), 1))
                    except OSError: held.clear()
                    if len(held) > 800: held.clear()
                """
            let directory = TemporaryDirectory()
            let path = try directory.write(script, to: "flood.py")
            chmod(directory.path, 0o755)
            let flood = try BuiltProgram(
                "/usr/bin/setpriv", ["--reuid", "65534", "--clear-groups", "/usr/bin/python3", path])
            var times: [Duration] = []
            for _ in 0..<40 {
                let start = ContinuousClock.now
                #expect(try server.get("/").status == 200)
                times.append(ContinuousClock.now - start)
                usleep(50_000)
            }
            flood.signal(SIGKILL)
            times.sort()
            // If the flood fills the queue, the kernel drops the first packet of a connection, and sends it again after a
            // second (tcp(7), listen(2)).
            #expect(times[38] < .seconds(1) && times[39] < .seconds(2), "\(times)")
        }

        /// The kernel lists connections for a minute after their end; what a new one costs does not grow with them.
        @Test func connectionsThatComeAndGoHoldNobodyUp() throws {
            let server = try PageServer(of: try Self.daemon())
            let start = ContinuousClock.now
            for _ in 0..<3_000 { _ = try server.connect() }
            #expect(try server.get("/").status == 200)
            let took = ContinuousClock.now - start
            #expect(took < .seconds(15), "\(took)")
        }

        @Test func thereIsAnEndToTheConnections() throws {
            let server = try PageServer(of: try Self.daemon())
            var idle: [PageClient] = []
            for _ in 0..<600 { idle.append(try server.connect()) }
            #expect(try server.get("/").status == 200)
            #expect(idle.count == 600)
        }
    }
}
