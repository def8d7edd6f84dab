// SPDX-License-Identifier: MIT
import JSON
import Testing

extension Integration {
    /// Messages that are wrong get a standard error, or end their own connection.
    @Suite struct HostileMessagesTests {
        enum Fate {
            case closed
            /// An error of org.varlink.service, with its parameter.
            case error(String, String? = nil)
            /// One reply, and the connection goes on.
            case answered
        }

        struct Message: CustomTestStringConvertible {
            let text: String
            let fate: Fate
            var testDescription: String { String(text.prefix(60)) }

            init(_ text: String, _ fate: Fate) {
                self.text = text
                self.fate = fate
            }
        }

        static let messages = [
            Message("", .closed),
            Message("nonsense", .closed),
            Message("[]", .closed),
            Message(#"{"method":"#, .closed),
            Message(#"{"method":"org.todayd.Today.List",}"#, .closed),
            Message(#"{"method":"org.todayd.Today.List"}{}"#, .closed),
            Message(#"{}"#, .closed),
            Message(#"{"method":1}"#, .closed),
            Message(#"{"method":"org.todayd.Today.List","parameters":[]}"#, .closed),
            Message(#"{"method":"org.todayd.Today.List","more":"yes"}"#, .closed),
            Message(#"{"method":"org.todayd.Today.List","oneway":true,"more":true}"#, .closed),
            Message(#"{"method":"org.todayd.Today.List","colour":"red"}"#, .closed),
            Message(#"{"method":"org.todayd.Today.Show","parameters":{"id":"\ud800"}}"#, .closed),
            Message(String(repeating: #"{"a":"#, count: 100_000), .closed),
            Message(String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000), .closed),

            Message(#"{"method":"List"}"#, .error("InvalidParameter", "method")),
            Message(#"{"method":""}"#, .error("InvalidParameter", "method")),
            Message(#"{"method":"org.example.Nothing.Do"}"#, .error("InterfaceNotFound", "org.example.Nothing")),
            Message(
                #"{"method":"org.todayd.Today.Explode"}"#, .error("MethodNotFound", "org.todayd.Today.Explode")),
            Message(
                #"{"method":"org.todayd.Today.list"}"#, .error("MethodNotFound", "org.todayd.Today.list")),
            Message(
                #"{"method":"org.todayd.Today.List","parameters":{"colour":"red"}}"#,
                .error("InvalidParameter", "colour")),
            Message(#"{"method":"org.todayd.Today.Enable"}"#, .error("InvalidParameter", "id")),
            Message(
                #"{"method":"org.todayd.Today.Enable","parameters":{"id":7}}"#, .error("InvalidParameter", "id")),
            Message(
                #"{"method":"org.todayd.Today.List","parameters":{"point":"moon"}}"#,
                .error("InvalidParameter", "point")),
            Message(
                #"{"method":"org.todayd.Today.SetHasContent","parameters":{"id":"org.test.good","hasContent":1}}"#,
                .error("InvalidParameter", "hasContent")),
            Message(
                #"{"method":"org.todayd.Today.Push","parameters":{"id":"org.test.good","ttl":-1}}"#,
                .error("InvalidParameter", "ttl")),
            Message(
                #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"x"}}"#,
                .error("InterfaceNotFound", "x")),
            Message(#"{"method":"org.todayd.Today.Monitor"}"#, .error("ExpectedMore")),
            Message(
                #"{"method":"org.todayd.Today.List","upgrade":true}"#,
                .error("MethodNotImplemented", "org.todayd.Today.List")),

            Message(#"{"method":"org.todayd.Today.List","more":true}"#, .answered),
            Message(#"{"method":"org.varlink.service.GetInfo","more":true}"#, .answered),
            Message(#"{"method":"org.todayd.Today.List","parameters":null,"more":false}"#, .answered),
            Message(#" { "method" : "org.todayd.Today.List" , "parameters" : { } } "#, .answered),
        ]

        @Test func eachMessageGetsItsErrorAndOtherConnectionsGoOn() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("good", "echo good"))
            let bystander = try daemon.connect()
            for message in Self.messages {
                let connection = try RawConnection(to: daemon.socket)
                try connection.sendMessage(message.text)
                try check(try connection.message(), message)
                if case .closed = message.fate {
                } else {
                    try connection.sendMessage(#"{"method":"org.todayd.Today.List"}"#)
                    #expect(
                        try connection.message()?["parameters"]?["widgets"] != nil, "after \(message.testDescription)")
                }
                #expect(try bystander.call("org.todayd.Today.List")["widgets"]?.arrayValue?.count == 1)
            }
            #expect(try daemon.stop() == 0)
            #expect(daemon.log.contains("closed a connection of process"))
        }

        private func check(_ reply: JSON?, _ message: Message) throws {
            let comment = Comment(rawValue: "\(message.testDescription) → \(reply?.text.prefix(200) ?? "closed")")
            switch message.fate {
            case .closed:
                #expect(reply == nil, comment)
            case .error(let name, let parameter):
                #expect(reply?["error"] == .string("org.varlink.service.\(name)"), comment)
                guard let parameter else { return }
                #expect(reply?["parameters"]?.objectValue?.map(\.1) == [.string(parameter)], comment)
            case .answered:
                #expect(reply?["error"] == nil, comment)
                #expect(reply?["continues"] == nil, comment)
                #expect(reply?["parameters"] != nil, comment)
            }
        }

        @Test func aOnewayCallIsCarriedOutAndNotAnswered() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("good", "echo good"))
            let connection = try RawConnection(to: daemon.socket)
            try connection.sendMessage(
                #"{"method":"org.todayd.Today.SetHasContent","parameters":{"id":"org.test.good","hasContent":false},"oneway":true}"#
            )
            try connection.sendMessage(#"{"method":"org.todayd.Today.Explode","oneway":true}"#)
            try connection.sendMessage(
                #"{"method":"org.todayd.Today.SetHasContent","parameters":{"id":"org.test.good","hasContent":false}}"#)
            try connection.sendMessage(#"{"method":"org.todayd.Today.HasContent","parameters":{"id":"org.test.good"}}"#)
            #expect(try connection.message() == ["parameters": [:]])
            #expect(try connection.message() == ["parameters": ["hasContent": false]])
        }

        @Test func aMessageMayComeInPieces() throws {
            let daemon = try PrivateDaemon()
            let connection = try RawConnection(to: daemon.socket)
            for byte in Array(#"{"method":"org.todayd.Today.List"}"#.utf8) + [0] { try connection.send([byte]) }
            #expect(try connection.message()?["parameters"]?["widgets"] == [])
        }

        @Test(arguments: [true, false]) func aMessageOf17MiBEndsItsConnection(isFinished: Bool) throws {
            let daemon = try PrivateDaemon()
            let bystander = try daemon.connect()
            _ = try bystander.call("org.todayd.Today.List")
            let before = try Processes.memory(.mostResident, of: daemon.pid)
            let connection = try RawConnection(to: daemon.socket)
            try connection.send(#"{"method":"org.todayd.Today.List","parameters":{"point":""#)
            let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
            var isOpen = true
            for _ in 0..<17 where isOpen { isOpen = try connection.send(piece) }
            if isOpen, isFinished { isOpen = try connection.send(#""}}"# + "\0") }
            if isOpen { #expect(try connection.message() == nil) }
            #expect(try Processes.memory(.mostResident, of: daemon.pid) - before < 32 << 10)
            #expect(try bystander.call("org.todayd.Today.List")["widgets"] == [])
        }
    }
}
