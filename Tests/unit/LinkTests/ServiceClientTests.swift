// SPDX-License-Identifier: MIT

import ClientTestSupport
import Glibc
import JSON
import Platform
import TestSupport
import Testing
import Varlink

@testable import Commands
@testable import Link

/// Errors of the connection and of the daemon, and identifiers that are completed.
@Suite struct ServiceClientTests {
    @Test func missingSocketSaysHowToStartTheDaemon() throws {
        let program = Program()
        let result = try program.run(["list"])
        #expect(result.code == .unreachable)
        #expect(result.errors.hasPrefix("todayctl: todayd is not running: nothing answers at \(program.socket)"))
    }

    @Test(arguments: [
        (DaemonSocket.Kind.user, "systemctl --user start"), (.system, "systemctl start"), (.given, "--socket /x"),
    ])
    func remedyFitsTheInstance(kind: DaemonSocket.Kind, words: String) {
        let error = ClientError(.noSocket(path: "/x"), at: DaemonSocket(path: "/x", kind: kind))
        #expect(error.code == .unreachable && error.description.contains(words))
    }

    @Test func abandonedSocketIsToldFromAMissingOne() throws {
        let program = Program()
        close(ScriptedService.listen(at: program.socket))
        let result = try program.run(["list"])
        #expect(result.code == .unreachable)
        #expect(result.errors.contains("left \(program.socket) behind"))
    }

    @Test func aFileThatIsNoSocketIsReported() throws {
        let directory = TemporaryDirectory()
        try directory.write("text", to: "file")
        let result = try Program().run(["--socket", directory("file"), "list"])
        #expect(result.code == .unreachable)
        #expect(result.errors.contains("\(directory("file")) is not a socket"))
    }

    @Test(arguments: [
        (VarlinkConnectionError.notPermitted(path: "/x"), ExitCode.notPermitted),
        (.timedOut(path: "/x", after: .seconds(45)), .timedOut), (.closedByService(path: "/x"), .unreachable),
        (.pathTooLong(path: "/x"), .unreachable),
    ])
    func connectionErrorsHaveTheirCodes(error: VarlinkConnectionError, code: ExitCode) {
        #expect(ClientError(error, at: DaemonSocket(path: "/x", kind: .given)).code == code)
    }

    @Test(arguments: [
        (VarlinkError.permissionDenied, ExitCode.notPermitted, "permission denied"),
        (VarlinkError(name: "org.todayd.Today.Refused", parameters: ["reason": "not now"]), .failed, "not now"),
        (
            VarlinkError(
                name: "org.todayd.Today.InvalidContent", parameters: ["field": "compact.value", "reason": "bad"]),
            .failed, "this is not content: compact.value: bad"
        ),
        (VarlinkError.methodNotFound("org.todayd.Today.X"), .failed, "different versions"),
        (VarlinkError(name: "org.example.New", parameters: ["a": 1]), .failed, "org.example.New"),
        (Wire.noSuchWidget("x"), .noSuchWidget, "'todayctl list' shows all"),
        (Wire.noSuchWidget("dsik", nearest: "org.a.disk"), .noSuchWidget, "did you mean org.a.disk?"),
        (
            Wire.noSuchWidget("disk", candidates: ["a.disk", "b.disk"]), .noSuchWidget,
            "any of these widgets:\n  a.disk\n  b.disk"
        ),
        (Wire.noSuchWidget("disk", candidates: ["disk"]), .noSuchWidget, "no widget 'disk'"),
    ])
    func errorsOfTheDaemonSayWhatToDo(error: VarlinkError, code: ExitCode, words: String) throws {
        let program = Program()
        program.serve(["Enable": [VarlinkReply(error)]])
        let result = try program.run(["enable", "disk"])
        #expect(result.code == code)
        #expect(result.errors.hasPrefix("todayctl: ") && result.errors.contains(words))
        #expect(result.output == "")
    }

    // MARK: Completed identifiers

    @Test func anUnambiguousEndOfAnIdentifierIsCompleted() throws {
        let program = Program()
        program.serve { peer in
            while let call = peer.receive() {
                let isKnown = call.parameters["id"] == "org.todayd.disk"
                peer.send(
                    isKnown
                        ? VarlinkReply([:]) : VarlinkReply(Wire.noSuchWidget("disk", candidates: ["org.todayd.disk"])))
            }
        }
        #expect(try program.run(["enable", "disk"]) == .init(code: .ok, output: "", errors: ""))
    }

    @Test(
        arguments: [
            (["id": "disk"], "disk", ["org.a.disk"], ["id": "org.a.disk"]),
            (["id": "org.a.x", "other": "disk"], "disk", ["org.a.disk"], ["id": "org.a.x", "other": "org.a.disk"]),
            (["ids": ["load", "disk"]], "disk", ["org.a.disk"], ["ids": ["load", "org.a.disk"]]),
            (["id": "disk"], "disk", [], nil), (["id": "disk"], "disk", ["a.disk", "b.disk"], nil),
            (["id": "disk"], "else", ["org.a.else"], nil), (["id": "org.a.disk"], "org.a.disk", ["org.a.disk"], nil),
        ] as [(JSONObject, String, [String], JSONObject?)])
    func aCallIsCorrectedOnlyWhereOneWidgetFits(
        parameters: JSONObject, typed: String, candidates: [String], corrected: JSONObject?
    ) {
        let call = ServiceCall("Move", parameters)
        #expect(call.corrected(after: Wire.noSuchWidget(typed, candidates: candidates))?.parameters == corrected)
        #expect(call.corrected(after: .permissionDenied) == nil)
    }

    /// polkit wants a password: the same call, once, with the user's consent to be asked.
    @Test func aCallIsRepeatedWithItsUser() throws {
        let needed = VarlinkError(name: "org.todayd.Today.InteractiveAuthenticationRequired")
        let call = ServiceCall("Reload")
        let repeated = try #require(call.corrected(after: needed))
        #expect(!call.isInteractive && repeated.isInteractive)
        #expect(repeated.parameters == ["allowInteractiveAuthentication": true])
        #expect(repeated.corrected(after: needed) == nil)
        #expect(ClientError(needed).code == .notPermitted && ClientError(needed).description.contains("sudo"))
    }

    /// Another program would draw over the screen of `watch`, and cannot ask where there is no terminal.
    @Test(arguments: [false, true]) func aPasswordIsAskedForInAFreeTerminalAlone(asks: Bool) {
        let socket = DaemonSocket(path: "/s", kind: .given)
        let service = ServiceClient(socket, environment: EnvironmentVariables { _ in nil })
        service.asksInTerminal = asks
        if asks {
            StandardInput.empty { #expect(service.passwordAgent() == nil) }
        } else {
            StandardInput.replaced {
                guard let terminal = Terminal() else { return }
                defer { terminal.release() }
                #expect(service.passwordAgent() == nil)
            }
        }
    }

    /// A view that is followed shows an error and goes on, and `watch` offers another name for an unknown widget.
    @Test func anErrorSaysWhatTheDaemonDid() {
        let refused = ClientError(VarlinkError(name: "org.todayd.Today.Refused", parameters: ["reason": "no"]))
        #expect(refused.isRefusal && refused.adding("!").isRefusal && refused.unknownWidget == nil)
        let unknown = ClientError(Wire.noSuchWidget("dsik", nearest: "org.a.disk"))
        #expect(!unknown.isRefusal && unknown.unknownWidget == "dsik" && unknown.adding("!").unknownWidget == "dsik")
    }

    /// pkttyagent(1) runs from the moment in which polkit wants a password until the answer, and not for anything else.
    @Test(arguments: [false, true]) func aPasswordAgentLivesUntilTheAnswer(streams: Bool) throws {
        let directory = TemporaryDirectory()
        let log = try directory.write("", to: "log")
        @Sendable func said(_ line: String) {
            let file = open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
            defer { close(file) }
            _ = "\(line)\n".withCString { write(file, $0, strlen($0)) }
        }
        try directory.script(
            """
            #!/bin/sh
            trap 'echo ends >>\(log); exit' TERM
            echo "begins $1" >>\(log)
            exec >&-
            while :; do sleep 0.01; done

            """, to: "pkttyagent")
        let program = Program()
        program.serve(connections: streams ? 3 : 1) { peer in
            while let call = peer.receive() {
                said(
                    "\(call.parameters["id"]?.stringValue ?? "") \(call.parameters["allowInteractiveAuthentication"] == true)"
                )
                if call.parameters["id"] == "disk" {
                    peer.send(VarlinkReply(Wire.noSuchWidget("disk", candidates: ["org.a.disk"])))
                } else if call.parameters["allowInteractiveAuthentication"] == nil {
                    peer.send(VarlinkReply(VarlinkError(name: ServiceCall.interactionNeeded)))
                } else {
                    peer.send(VarlinkReply([:]))
                }
            }
        }
        try StandardInput.replaced {
            guard let terminal = Terminal() else { return }
            defer { terminal.release() }
            let service = ServiceClient(
                DaemonSocket(path: program.socket, kind: .given), environment: EnvironmentVariables { _ in nil })
            service.agentPath = directory.path
            let call = ServiceCall("Update", ["id": "disk"])
            let stream = ReplyStream(call, of: service)
            if streams {
                for _ in 0..<4 where try !directory.read("log").hasSuffix("ends\n") {
                    _ = try stream.next(within: .seconds(20))
                }
            } else {
                _ = try service.call(call)
            }
            let lines = try directory.read("log")
            #expect(
                lines == """
                    disk false
                    org.a.disk false
                    begins --process
                    org.a.disk true
                    ends

                    """)
            // It would end with the stream, too.
            withExtendedLifetime(stream) {}
        }
    }

    @Test func aCallIsCorrectedAFewTimesOnly() throws {
        let program = Program()
        program.serve { peer in
            while let call = peer.receive() {
                let id = call.parameters["id"]?.stringValue ?? ""
                peer.send(VarlinkReply(Wire.noSuchWidget(id, candidates: ["x.\(id)"])))
            }
        }
        #expect(try program.run(["enable", "disk"]).code == .noSuchWidget)
    }

    /// Scripts compare these numbers.
    @Test func theExitStatusesAreThoseOfTheManual() {
        let all: [ExitCode] = [
            .ok, .no, .usage, .unreachable, .noSuchWidget, .updateFailed, .timedOut, .notPermitted, .failed,
        ]
        #expect(all.map(\.rawValue) == Array(0...8))
    }
}
