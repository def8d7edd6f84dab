// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing

extension PageClient {
    /// Whether the other end has not closed a connection on which nothing comes.
    fileprivate var isOpen: Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) < 0 && errno == EAGAIN
    }
}

extension Integration {
    /// Streams of a page, and who has them.
    @Suite(.serialized) struct PageStreamsTests {
        private static let clock = "[Widget]\nDisplayName=Clock\n[Update]\nExecStart=/bin/echo tick\n"
        private static let request = "GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n"

        private static func daemon() throws -> PrivateDaemon {
            try PrivateDaemon(widgets: ["org.example.clock.widget": clock])
        }

        /// The kernel does not say whose a connection is that its client has closed, so that it would count for no user.
        @Test func aClientThatHasClosedItsEndGetsNoStream() throws {
            let server = try PageServer(of: try Self.daemon())
            #expect(try server.get("/").status == 200)
            server.program.signal(SIGSTOP)
            let client = try server.connect()
            try client.send(Self.request)
            shutdown(client.descriptor, Int32(SHUT_WR))
            server.program.signal(SIGCONT)
            #expect((try? client.answer().status) == nil, "its end is closed")
            let tab = try server.connect()
            try tab.send(Self.request)
            _ = try tab.read(until: "\"whole\":true")
        }

        /// A page that listens by itself at two addresses.
        private static func listening(_ daemon: PrivateDaemon) throws -> (program: BuiltProgram, ports: [UInt16]) {
            let command = ["-c", "exec \"$@\" 2>&1", "sh", "\(BuiltPrograms.directory)/today-page"]
            let options = ["--socket", daemon.socket, "--listen", "127.0.0.1:0", "--listen", "127.0.0.2:0"]
            let program = try BuiltProgram("/bin/sh", command + options)
            let line = try program.line()
            let ports = line.split(separator: " ").compactMap { word -> UInt16? in
                guard word.hasPrefix("http://") else { return nil }
                return word.split(separator: ":").last.flatMap { UInt16($0.prefix { $0 != "/" }) }
            }
            try #require(ports.count == 2, "\(line)")
            return (program, ports)
        }

        @Test func allListenersShareTheirPlaces() throws {
            let daemon = try Self.daemon()
            let (program, ports) = try Self.listening(daemon)
            let addresses = ["127.0.0.1", "127.0.0.2"]
            var tabs: [PageClient] = []
            for number in 0..<240 {
                let tab = try PageClient(ports[number % 2], address: addresses[number % 2])
                try tab.send(Self.request)
                _ = try tab.read(until: "HTTP/1.1 200 ")
                tabs.append(tab)
            }
            for end in 0..<2 {
                let tab = try PageClient(ports[end], address: addresses[end])
                try tab.send(Self.request)
                #expect(try tab.answer().status == 503)
            }
            // 512 connections at most: those that ask nothing make room for each other, at either address.
            var idle: [PageClient] = []
            for number in 0..<600 { idle.append(try PageClient(ports[number % 2], address: addresses[number % 2])) }
            let client = try PageClient(ports[1], address: addresses[1])
            try client.send("GET /page.css HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try client.answer().status == 200)
            var open = idle.count
            for _ in 0..<50 where open > 512 - 240 {
                usleep(100_000)
                open = idle.filter(\.isOpen).count
            }
            #expect(open <= 512 - 240, "\(open)")
            #expect(tabs.count == 240)
            program.signal(SIGTERM)
            #expect(try program.finish().status == 0)
        }

        @Test func tabsThatComeDoNotDelayThePulse() throws {
            let server = try PageServer(of: try Self.daemon())
            let tab = try server.connect()
            try tab.send(Self.request)
            _ = try tab.read(until: "\"whole\":true")
            var pulse: String?
            for _ in 0..<10 where pulse == nil {
                let other = try server.connect()
                try other.send(Self.request)
                _ = try other.read(until: "\"whole\":true")
                pulse = try? tab.read(until: ":\n\n", within: 3)
            }
            #expect(pulse != nil)
        }

        /// The page has said already that there is none, and todayd has answered.
        @Test func aWidgetThatIsMissingIsNotALoss() throws {
            let daemon = try Self.daemon()
            let server = try PageServer(of: daemon)
            let tab = try server.connect()
            try tab.send("GET /api/stream?widget=local.ci HTTP/1.1\r\nHost: localhost\r\n\r\n")
            // The next attempt is after 15 s, so that there is nothing but the opening, and then the card.
            _ = try tab.read(until: "retry:")
            #expect(throws: (any Error).self) { try tab.read(until: "event: lost", within: 3) }
            _ = try daemon.todayctl("push", "--create", "ci", "--text", "now")
            let card = try tab.read(until: "\"whole\":true", within: 30)
            #expect(card.contains("local.ci") && !card.contains("event: lost"), "\(card)")
        }
    }
}
