// SPDX-License-Identifier: MIT

import ClientTestSupport
import Glibc
import JSON
import Platform
import Rendering
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import Commands
@testable import Link

@Suite struct DaemonSocketTests {
    static let user = "/run/user/1000/todayd/todayd.sock"
    static let system = "/run/todayd/todayd.sock"

    @Test(
        arguments: [
            ([], [:], 1000, [user, system], user), ([], [:], 1000, [system], system), ([], [:], 1000, [], user),
            ([], [:], 0, [], system),
            ([], [:], 0, ["/run/user/0/todayd/todayd.sock"], "/run/user/0/todayd/todayd.sock"),
            (["--user"], [:], 1000, [system], user), (["--system"], [:], 1000, [user], system),
            (["--socket", "/x"], ["TODAYD_SOCKET": "/y"], 1000, [user], "/x"),
            ([], ["TODAYD_SOCKET": "/y"], 1000, [user], "/y"), (["--user"], ["TODAYD_SOCKET": "/y"], 1000, [], user),
            ([], ["TODAY_SOCKET": "/z"], 1000, [user], "/z"),
            ([], ["TODAYD_SOCKET": "/y", "TODAY_SOCKET": "/z"], 1000, [user], "/y"),
            ([], ["TODAYD_SOCKET": "", "TODAY_SOCKET": "/z"], 1000, [user], "/z"),
            (["--system"], ["TODAY_SOCKET": "/z"], 1000, [user], system),
            (["--socket", "/x"], ["TODAY_SOCKET": "/z"], 1000, [user], "/x"),
            ([], ["XDG_RUNTIME_DIR": "/tmp/r"], 1000, [], "/tmp/r/todayd/todayd.sock"),
            ([], ["TODAYD_SOCKET": "", "XDG_RUNTIME_DIR": ""], 1000, [], user),
        ] as [([String], [String: String], UInt32, [String], String)])
    func optionsAndVariablesChooseTheSocket(
        arguments: [String], variables: [String: String], uid: UInt32, existing: [String], path: String
    ) throws {
        let socket = DaemonSocket(
            try TodayControl.command.parse(arguments), environment: EnvironmentVariables { variables[$0] }, uid: uid,
            exists: { existing.contains($0) })
        #expect(socket.path == path)
    }

    @Test(
        arguments: [
            ([], [:], 1000, [system], true), ([], [:], 1000, [user, system], false), ([], [:], 1000, [], false),
            ([], [:], 0, [system], false), (["--system"], [:], 1000, [system], false),
            (["--user"], [:], 1000, [system], false), ([], ["TODAYD_SOCKET": "/y"], 1000, [system], false),
        ] as [([String], [String: String], UInt32, [String], Bool)])
    func theSystemsDaemonInPlaceOfTheUsersIsAFallback(
        arguments: [String], variables: [String: String], uid: UInt32, existing: [String], isFallback: Bool
    ) throws {
        let socket = DaemonSocket(
            try TodayControl.command.parse(arguments), environment: EnvironmentVariables { variables[$0] }, uid: uid,
            exists: { existing.contains($0) })
        #expect(socket.isFallback == isFallback)
    }

    @Test func whetherASocketIsThereIsLookedUp() throws {
        let directory = TemporaryDirectory()
        try directory.write("", to: "todayd/todayd.sock")
        let environment = EnvironmentVariables(["XDG_RUNTIME_DIR": directory.path])
        let socket = DaemonSocket(try TodayControl.command.parse([]), environment: environment, uid: 0)
        #expect(socket.path == directory("todayd/todayd.sock"))
    }

    @Test func theFallbackIsReportedOnceAndOnlyAfterAnAnswer() throws {
        let program = Program()
        var socket = DaemonSocket(path: program.socket, kind: .system)
        socket.isFallback = true
        var count = 0
        func ask(opens: Bool) throws {
            let service = ServiceClient(socket, environment: EnvironmentVariables { _ in nil }) { count += 1 }
            for _ in 0..<2 {
                if opens {
                    try service.open(ServiceCall("Reload")).close()
                } else {
                    _ = try service.call(ServiceCall("Reload"))
                }
            }
        }
        #expect(throws: ClientError.self) { try ask(opens: false) }
        #expect(count == 0)
        program.serve(connections: 4) { peer in
            while peer.receive() != nil { peer.send(VarlinkReply([:])) }
        }
        try ask(opens: false)
        #expect(count == 1)
        try ask(opens: true)
        #expect(count == 2)
        socket.isFallback = false
        try ask(opens: false)
        #expect(count == 2)
    }

    @Test func theRemedyForAGuessedSocketNamesTheVariable() throws {
        let parsed = try TodayControl.command.parse(["--user"])
        let guessed = DaemonSocket(
            parsed, environment: EnvironmentVariables { _ in nil }, uid: 1000, exists: { _ in false })
        #expect(guessed.remedy.hasPrefix("XDG_RUNTIME_DIR is not set, so it was looked for at \(Self.user);"))
        let known = DaemonSocket(
            parsed, environment: EnvironmentVariables { $0 == "XDG_RUNTIME_DIR" ? "/r" : nil }, uid: 1000,
            exists: { _ in false })
        #expect(known.remedy == "systemctl --user start todayd.socket")
    }

    /// The listening process decides, not the spelling of the path.
    @Test(
        arguments: [
            (DaemonSocket.Kind.given, SocketListener(process: 7, user: 0), true),
            (.given, SocketListener(process: 1, user: 0), false), (.given, SocketListener(process: 0, user: 0), false),
            (.given, SocketListener(process: 7, user: 990), false), (.given, nil, false),
            (.system, SocketListener(process: 7, user: 0), false), (.user, SocketListener(process: 7, user: 0), false),
        ] as [(DaemonSocket.Kind, SocketListener?, Bool)])
    func onlyADaemonThatRootRunsIsStartedByRoot(
        kind: DaemonSocket.Kind, listener: SocketListener?, isStartedByRoot: Bool
    ) {
        #expect(DaemonSocket(path: "/run//todayd/todayd.sock", kind: kind).isStartedByRoot(listener) == isStartedByRoot)
    }
}
