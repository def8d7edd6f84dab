// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing

extension Integration {
    /// today-page where other machines may ask.
    @Suite(.serialized) struct PageTokenTests {
        private static let token = "0123456789abcdef0123456789abcdef"
        private static let clock = "[Widget]\nDisplayName=Clock\n[Update]\nExecStart=/bin/echo tick\n"

        private let directory = TemporaryDirectory()

        private func server(_ options: String...) throws -> PageServer {
            let daemon = try PrivateDaemon(widgets: ["org.example.clock.widget": Self.clock])
            let file = try directory.write(Self.token + "\n", to: "token", mode: 0o600)
            return try PageServer(of: daemon, ["--token-file", file] + options)
        }

        @Test func everyRequestNeedsTheToken() throws {
            let server = try server("--allow-changes")
            for path in ["/", "/?widget=org.example.clock", "/page.css", "/api/list", "/api/stream", "/metrics", "/no"]
            {
                let answer = try server.get(path)
                #expect(answer.status == 401 && !answer.body.contains("Clock"), "\(path)")
                #expect(answer.header("WWW-Authenticate") == "Bearer realm=\"today-page\"")
            }
            let change = try server.post("/api/change/update", "{}", "Content-Type: application/json")
            #expect(change.status == 401 && change.body.contains("token"))
            #expect(try server.get("/", "Host: evil.example").status == 400)
            let bearer = "Authorization: Bearer \(Self.token)"
            #expect(try server.get("/api/list", bearer).body.contains("org.example.clock"))
            #expect(try server.get("/metrics", bearer).status == 200)
            #expect(try server.get("/api/list", bearer + "0").status == 401)
            #expect(try server.get("/api/list?token=\(Self.token)").status == 401)
        }

        @Test func aLinkLetsABrowserIn() throws {
            let server = try server()
            let link = try server.get("/?token=\(Self.token)&widget=org.example.clock")
            #expect(link.status == 303)
            #expect(link.header("Location") == "/?widget=org.example.clock")
            let cookie = try #require(link.header("Set-Cookie"))
            #expect(cookie.contains("; HttpOnly; SameSite=Strict; Path=/"))
            let pair = "Cookie: \(cookie.prefix { $0 != ";" })"
            #expect(try server.get("/?widget=org.example.clock", pair).body.contains("<title>Clock</title>"))
            #expect(try server.get("/?token=wrong").status == 401)
            let stream = try server.connect()
            try stream.send("GET /api/stream HTTP/1.1\r\nHost: localhost:\(server.port)\r\n\(pair)\r\n\r\n")
            _ = try stream.read(until: "\"whole\":true")
        }

        @Test func thereIsAnEndToGuessing() throws {
            let server = try server()
            var statuses: [Int] = []
            for number in 0..<12 {
                statuses.append(try server.get("/api/list", "Authorization: Bearer guess\(number)").status)
            }
            #expect(statuses == Array(repeating: 401, count: 10) + [429, 429])
            let client = try server.connect()
            try client.send("GET /?token=guess HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(client.rest()?.contains("429") == true)
        }

        /// This machine's address on a network; nil where it has none. Nothing is sent.
        private static let ownAddress: String? = {
            let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            defer { close(descriptor) }
            var place = sockaddr_in()
            place.sin_family = sa_family_t(AF_INET)
            place.sin_port = UInt16(9).bigEndian
            place.sin_addr.s_addr = UInt32(0xc000_0201).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isKnown = withUnsafeMutableBytes(of: &place) { bytes in
                let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
                return connect(descriptor, address, size) == 0 && getsockname(descriptor, address, &size) == 0
            }
            guard isKnown else { return nil }
            return withUnsafeBytes(of: &place.sin_addr) { $0.map(String.init).joined(separator: ".") }
        }()

        /// A page that listens by itself, and where it says that it is.
        private func listening(_ options: [String]) throws -> (program: BuiltProgram, port: UInt16) {
            let command = ["-c", "exec \"$@\" 2>&1", "sh", "\(BuiltPrograms.directory)/today-page"]
            let program = try BuiltProgram("/bin/sh", command + options)
            let line = try program.line()
            let port = line.split(separator: ":").last.flatMap { UInt16($0.prefix { $0 != "/" }) }
            return (program, try #require(port, "\(line)"))
        }

        @Test(.enabled(if: PageTokenTests.ownAddress != nil, "needs a network"))
        func itListensOnTheNetwork() throws {
            let address = try #require(Self.ownAddress)
            let file = try directory.write(Self.token, to: "token", mode: 0o600)
            let daemon = try PrivateDaemon(widgets: ["org.example.clock.widget": Self.clock])
            let (program, port) = try listening(
                [
                    "--socket", daemon.socket, "--listen", "0.0.0.0:0", "--token-file", file, "--host", "today.example",
                ])
            func status(_ host: String, _ header: String = "") throws -> Int {
                let client = try PageClient(port, address: address)
                try client.send("GET / HTTP/1.1\r\nHost: \(host)\r\n\(header)\r\n")
                return try client.answer().status
            }
            let bearer = "Authorization: Bearer \(Self.token)\r\n"
            #expect(try status("\(address):\(port)") == 401)
            #expect(try status("\(address):\(port)", bearer) == 200)
            #expect(try status("today.example", bearer) == 200)
            #expect(try status("evil.example", bearer) == 421)
            #expect(try status("192.0.2.1", bearer) == 421)
            #expect(try status("localhost") == 401)
            // On the network it is the token that counts, and not whose process asks.
            if getuid() == 0 {
                let script =
                    "exec 3<>/dev/tcp/\(address)/\(port)\nprintf 'GET / HTTP/1.1\\r\\nHost: \(address)\\r\\n"
                    + "Authorization: Bearer \(Self.token)\\r\\nConnection: close\\r\\n\\r\\n' >&3\ncat <&3\n"
                let other = try run(
                    "/usr/bin/setpriv", ["--reuid", "65534", "--clear-groups", "/bin/bash", "-c", script])
                #expect(other.output.hasPrefix("HTTP/1.1 200 "), "\(other.output)")
            }
            program.signal(SIGTERM)
            #expect(try program.finish().status == 0)
        }

        @Test func aNetworkWithoutATokenIsRefused() throws {
            for place in ["0.0.0.0:0", "192.0.2.1", "[::]:0"] {
                let result = try run("today-page", ["--listen", place])
                #expect(result.status == 2 && result.errors.contains("openssl rand -hex 32 > FILE"))
            }
            let open = try directory.write(Self.token, to: "open", mode: 0o644)
            chmod(open, 0o644)
            let result = try run("today-page", ["--listen", "0.0.0.0:0", "--token-file", open])
            #expect(result.status == 1 && result.errors.contains("others may read it"))
            let missing = try run("today-page", ["--listen", "0", "--token-file", directory("none")])
            #expect(missing.status == 1 && missing.errors.contains("No such file"))
        }

        /// As systemd passes it where ListenStream= is of the network.
        @Test func aPassedSocketOfTheNetworkNeedsAToken() throws {
            let listener = try ListeningSocket(address: 0)
            let command = ["-c", "export LISTEN_PID=$$; exec \"$@\"", "sh", "\(BuiltPrograms.directory)/today-page"]
            let program = try BuiltProgram(
                "/bin/sh", command, environment: ["LISTEN_FDS": "1"], passing: listener.descriptor)
            let result = try program.finish()
            #expect(result.status == 1)
            #expect(
                result.errors.contains("needs a token") || result.errors.contains("need a token"), "\(result.errors)")
        }

        /// Who has the token may look, whoever it is.
        @Test(.enabled(if: getuid() == 0, "needs root")) func otherUsersOfTheLoopbackNeedTheToken() throws {
            let server = try server()
            for (token, status) in [(Self.token, "200"), ("x" + Self.token.dropFirst(), "401")] {
                let script =
                    "exec 3<>/dev/tcp/127.0.0.1/\(server.port)\n"
                    + "printf 'GET / HTTP/1.1\\r\\nHost: localhost\\r\\nAuthorization: Bearer \(token)\\r\\n"
                    + "Connection: close\\r\\n\\r\\n' >&3\ncat <&3\n"
                let answer = try run(
                    "/usr/bin/setpriv", ["--reuid", "65534", "--clear-groups", "/bin/bash", "-c", script])
                #expect(answer.output.hasPrefix("HTTP/1.1 \(status) "), "\(answer.output)")
            }
        }
    }
}
