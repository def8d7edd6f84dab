// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel

extension Integration {
    /// Clients that speak the protocol and behave badly: they cost bounded memory, and the daemon serves other clients.
    @Suite struct HostileClientsTests {
        private static let list = Array(#"{"method":"org.todayd.Today.List"}"#.utf8) + [0]
        /// The growth of the daemon in KiB that a test allows.
        private static let allowance = 96 << 10

        /// Content of 200 KB, which the daemon would keep for a client that does not read.
        private static func largeContent(_ number: Int) -> JSON {
            let line: JSON = ["type": "text", "text": .string(String(repeating: "x", count: 10_000))]
            return [
                "text": .string("\(number)"),
                "expanded": ["type": "vstack", "children": .array(Array(repeating: line, count: 20))],
            ]
        }

        private func daemonWithLargeContent() throws -> PrivateDaemon {
            let daemon = try PrivateDaemon(widgets: [
                "org.test.large.widget":
                    "[Widget]\nDisplayName=Large\nLargestDisplayMode=expanded\n[Update]\nProtocol=push\n"
            ])
            try daemon.call("Push", ["id": "org.test.large", "content": Self.largeContent(0)])
            return daemon
        }

        @Test func aClientThatNeverReadsDelaysOnlyItself() throws {
            let daemon = try daemonWithLargeContent()
            let before = try Processes.memory(.mostResident, of: daemon.pid)
            let greedy = try RawConnection(to: daemon.socket)
            var calls = 0
            // Sends until the daemon stops reading. Each answer has 200 KB.
            for _ in 0..<200_000 {
                guard greedy.sendAvailable(Self.list[...]) == Self.list.count else { break }
                calls += 1
                if calls % 100 == 0 { #expect(try daemon.item("large").content?.text == "0") }
            }
            #expect(calls > 10)
            #expect(calls < 200_000)
            #expect(try Processes.memory(.mostResident, of: daemon.pid) - before < Self.allowance)
            // The client still gets all answers, complete.
            for _ in 0..<10 {
                #expect(try greedy.message()?["parameters"]?["widgets"]?.arrayValue?.count == 1)
            }
        }

        @Test func aSlowReaderGetsTheNewestStateAndNotEveryState() throws {
            let daemon = try daemonWithLargeContent()
            let before = try Processes.memory(.mostResident, of: daemon.pid)
            let slow = try RawConnection(to: daemon.socket)
            try slow.sendMessage(#"{"method":"org.todayd.Today.Show","more":true}"#)
            _ = try slow.message()
            let writer = try daemon.connect()
            let last = 100
            for number in 1...last {
                _ = try writer.call(
                    "org.todayd.Today.Push", ["id": "org.test.large", "content": Self.largeContent(number)])
            }
            #expect(try Processes.memory(.mostResident, of: daemon.pid) - before < Self.allowance)
            var replies = 0
            var shown: String?
            while shown != "\(last)" {
                let reply = try #require(try slow.message())
                replies += 1
                shown = reply["parameters"]?["items"]?.arrayValue?.first?["content"]?["text"]?.stringValue
            }
            // These are the states in the socket's buffers, and the newest state.
            #expect(replies < 20)
        }

        /// A hundred connections of this process fill their sockets with calls, of which only the last wants a reply. Calls
        /// of another process, which come later, are answered before most of these.
        @Test func aProcessWithManyCallsDelaysOnlyItself() throws {
            let daemon = try PrivateDaemon()
            let call = Array(#"{"method":"org.todayd.Today.Status","oneway":true}"#.utf8) + [0]
            let last = Array(#"{"method":"org.varlink.service.GetInfo"}"#.utf8) + [0]
            let many = Array(repeatElement(call, count: 800).joined())
            let busy = try (0..<100).map { _ in
                let connection = try RawConnection(to: daemon.socket)
                let sent = connection.sendAvailable(many[...])
                // The rest of the call that was cut, and the last call.
                try connection.send(Array(many[sent..<((sent + call.count - 1) / call.count * call.count)]) + last)
                return connection
            }
            for _ in 0..<5 { #expect(try daemon.todayctl("list").status == 0) }
            let finished = busy.filter { $0.hasSomethingToRead }.count
            #expect(finished < busy.count / 2)
            for connection in busy { #expect(try connection.message(within: 60)?["parameters"]?["product"] != nil) }
        }

        /// The client sends only calls without replies, and closes its connection.
        @Test func callsOfAClientThatHasLeftAreCarriedOut() async throws {
            let daemon = try PrivateDaemon(widgets: [
                "org.test.pushed.widget": "[Widget]\nAppGroups=group.org.test\n[Update]\nProtocol=push\n"
            ])
            let connection = try RawConnection(to: daemon.socket)
            let count = 200
            let calls = (0..<count).map { number in
                #"{"method":"org.todayd.Today.SetDefaults","oneway":true,"parameters":{"group":"group.org.test","#
                    + #""key":"k\#(number)","value":{"value":1}}}"# + "\0"
            }
            try connection.send(calls.joined())
            connection.close()
            try await eventually("all of them") {
                try daemon.call("GetDefaults", ["group": "group.org.test"])["values"]?.objectValue?.count == count
            }
            try await eventually("the end of the connection") { try daemon.daemonStatus().connections == 1 }
        }

        @Test func clientsThatLeaveDuringAReplyLeaveNothing() async throws {
            let daemon = try daemonWithLargeContent()
            let before = try Processes.memory(.resident, of: daemon.pid)
            for number in 0..<300 {
                let connection = try RawConnection(to: daemon.socket)
                switch number % 4 {
                case 0: try connection.send(Self.list)
                case 1: try connection.sendMessage(#"{"method":"org.todayd.Today.Show","more":true}"#)
                case 2: try connection.send(Array(Self.list.prefix(20)))
                default: for _ in 0..<20 { try connection.send(Self.list) }
                }
                // Some clients read the first byte of a reply.
                if number % 3 == 0, number % 4 != 2 {
                    var byte: UInt8 = 0
                    #expect(recv(connection.descriptor, &byte, 1, 0) == 1)
                }
            }
            // The daemon carries out their calls, and then closes their connections.
            try await eventually("the end of the connections") { try daemon.daemonStatus().connections == 1 }
            #expect(try daemon.daemonStatus().subscribers == 0)
            #expect(try Processes.memory(.resident, of: daemon.pid) - before < Self.allowance)
        }

        @Test func aRunContinuesWhenItsClientLeaves() throws {
            let daemon = try PrivateDaemon(
                widgets: Widgets.script("slow", "[ -e ../../go ] || { echo first; exit; }; read x <../../go; echo $x"))
            try daemon.follow("slow") { $0.state == .ready }
            try daemon.directory.makePipe("state/go")
            let impatient = try RawConnection(to: daemon.socket)
            try impatient.sendMessage(
                #"{"method":"org.todayd.Today.Update","parameters":{"id":"org.test.slow"},"more":true}"#)
            #expect(try impatient.message()?["parameters"]?["answers"]?.arrayValue?.first?["answer"] == "started")
            impatient.close()
            // The run goes on without the client.
            let pipe = open(daemon.directory("state/go"), O_WRONLY | O_CLOEXEC)
            #expect(write(pipe, "second\n", 7) == 7)
            close(pipe)
            try daemon.follow("slow") { $0.content?.text == "second" }
        }
    }
}
