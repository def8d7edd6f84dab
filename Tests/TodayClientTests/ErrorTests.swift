// SPDX-License-Identifier: MIT

import Glibc
import JSON
import TestSupport
import Testing
import Varlink

@testable import TodayClient

@Suite struct ErrorTests {
    @Test func missingSocketSaysHowToStartTheDaemon() throws {
        let program = Program()
        let result = try program.run(["list"])
        #expect(result.code == .unreachable)
        #expect(result.errors.hasPrefix("todayctl: todayd is not running: nothing answers at \(program.socket)"))
    }

    @Test(arguments: [
        (Endpoint.Kind.user, "systemctl --user start"), (.system, "systemctl start"), (.given, "--socket /x"),
    ])
    func remedyFitsTheInstance(kind: Endpoint.Kind, words: String) {
        let error = ClientError(.noSocket(path: "/x"), at: Endpoint(path: "/x", kind: kind))
        #expect(error.code == .unreachable && error.description.contains(words))
    }

    @Test func abandonedSocketIsToldFromAMissingOne() throws {
        let program = Program()
        close(ScriptedService.listen(at: program.socket))
        let result = try program.run(["list"])
        #expect(result.code == .unreachable)
        #expect(result.errors.contains("left \(program.socket) behind"))
    }

    @Test func whatIsNoSocketIsSaidToBeNone() throws {
        let directory = TemporaryDirectory()
        try directory.write("text", to: "file")
        let result = try Program().run(["--socket", directory("file"), "list"])
        #expect(result.code == .unreachable)
        #expect(result.errors.contains("\(directory("file")) is no socket"))
    }

    @Test(arguments: [
        (VarlinkConnectionError.notPermitted(path: "/x"), ExitCode.notPermitted),
        (.timedOut(path: "/x", after: .seconds(45)), .timedOut), (.closedByService(path: "/x"), .unreachable),
        (.pathTooLong(path: "/x"), .unreachable),
    ])
    func connectionErrorsHaveTheirCodes(error: VarlinkConnectionError, code: ExitCode) {
        #expect(ClientError(error, at: Endpoint(path: "/x", kind: .given)).code == code)
    }

    @Test(arguments: [
        (VarlinkError.permissionDenied, ExitCode.notPermitted, "permission denied"),
        (VarlinkError(name: "org.todayd.Today.Refused", parameters: ["reason": "not now"]), .failed, "not now"),
        (
            VarlinkError(
                name: "org.todayd.Today.InvalidContent", parameters: ["field": "compact.value", "reason": "bad"]),
            .failed, "this is no content: compact.value: bad"
        ),
        (VarlinkError.methodNotFound("org.todayd.Today.X"), .failed, "different versions"),
        (VarlinkError(name: "org.example.New", parameters: ["a": 1]), .failed, "org.example.New"),
        (Wire.noSuchWidget("x"), .noSuchWidget, "'todayctl list' shows all"),
        (Wire.noSuchWidget("dsik", nearest: "org.a.disk"), .noSuchWidget, "did you mean org.a.disk?"),
        (
            Wire.noSuchWidget("disk", candidates: ["a.disk", "b.disk"]), .noSuchWidget,
            "any of these widgets:\n  a.disk\n  b.disk"
        ),
    ])
    func errorsOfTheDaemonSayWhatToDo(error: VarlinkError, code: ExitCode, words: String) throws {
        let program = Program()
        let service = program.service(["Enable": [VarlinkReply(error)]])
        defer { withExtendedLifetime(service) {} }
        let result = try program.run(["enable", "disk"])
        #expect(result.code == code)
        #expect(result.errors.hasPrefix("todayctl: ") && result.errors.contains(words))
        #expect(result.output == "")
    }

    private static let complaints: [JSON] = [
        "/c/todayd.conf:3: unknown key x=", "/w/temp.widget: rename it", "/w/other one.widget:7: rename that",
        "/p/mem.sh: is called plugin.mem as /p/mem.py is; left out",
    ]

    @Test(arguments: [
        ("temp", "no widget 'temp', as its file cannot be used:\n  /w/temp.widget: rename it\n"),
        ("temp.widget", "no widget 'temp.widget', as its file cannot be used:\n  /w/temp.widget: rename it\n"),
        (
            "mem.sh",
            "no widget 'mem.sh', as its file cannot be used:\n  /p/mem.sh: is called plugin.mem as /p/mem.py is; left out\n"
        ),
        ("emp", "no widget 'emp'; did you mean org.a.x?\n"),
    ])
    func aFileThatCannotBeAWidgetIsNamed(word: String, words: String) throws {
        let program = Program()
        let error = VarlinkReply(Wire.noSuchWidget(word, nearest: "org.a.x"))
        let status = VarlinkReply(["daemon": ["complaints": .array(Self.complaints)], "widgets": []])
        for command in ["show", "enable"] {
            let service = ScriptedService(at: program.socket) { peer in
                while let call = peer.receive() { peer.send(call.memberName == "Status" ? status : error) }
            }
            let result = try program.run([command, word])
            #expect(result.code == .noSuchWidget)
            #expect(result.errors == "todayctl: \(words)")
            withExtendedLifetime(service) {}
            unlink(program.socket)
        }
    }

    @Test func theListNamesFilesThatCannotBeWidgets() throws {
        let program = Program()
        let service = program.service([
            "List": [VarlinkReply(["widgets": [Wire.item("org.a.b")]])],
            "Status": [VarlinkReply(["daemon": ["complaints": .array(Self.complaints)], "widgets": []])],
        ])
        defer { withExtendedLifetime(service) {} }
        let result = try program.run(["list"])
        #expect(result.code == .ok)
        #expect(!result.output.contains("rename"))
        #expect(
            result.errors.hasPrefix("todayctl: /w/temp.widget: rename it\ntodayctl: /w/other one.widget:7: rename that")
        )
        #expect(result.errors.split(separator: "\n").count == 2)
    }

    @Test(arguments: ["--json", "--ids", "--quiet"]) func aProgramsListIsAlone(option: String) throws {
        let program = Program()
        let service = program.service([
            "List": [VarlinkReply(["widgets": [Wire.item("org.a.b")]])],
            "Status": [VarlinkReply(["daemon": ["complaints": .array(Self.complaints)], "widgets": []])],
        ])
        defer { withExtendedLifetime(service) {} }
        #expect(try program.run(["list", option]).errors == "")
    }

    @Test func unambiguousEndOfAnIdentifierIsCompleted() throws {
        let program = Program()
        let service = ScriptedService(at: program.socket) { peer in
            while let call = peer.receive() {
                let isKnown = call.parameters["id"] == "org.todayd.disk"
                peer.send(
                    isKnown
                        ? VarlinkReply([:]) : VarlinkReply(Wire.noSuchWidget("disk", candidates: ["org.todayd.disk"])))
            }
        }
        defer { withExtendedLifetime(service) {} }
        #expect(try program.run(["enable", "disk"]) == .init(code: .ok, output: "", errors: ""))
    }

    @Test(
        arguments: [
            (["id": "disk"], "disk", ["org.a.disk"], ["id": "org.a.disk"]),
            (["id": "org.a.x", "other": "disk"], "disk", ["org.a.disk"], ["id": "org.a.x", "other": "org.a.disk"]),
            (["id": "disk"], "disk", [], nil), (["id": "disk"], "disk", ["a.disk", "b.disk"], nil),
            (["id": "disk"], "else", ["org.a.else"], nil), (["id": "org.a.disk"], "org.a.disk", ["org.a.disk"], nil),
        ] as [(JSONObject, String, [String], JSONObject?)])
    func callIsCorrectedOnlyWhenOneWidgetIsMeant(
        parameters: JSONObject, typed: String, candidates: [String], corrected: JSONObject?
    ) {
        let call = ServiceCall("Move", parameters)
        #expect(call.corrected(after: Wire.noSuchWidget(typed, candidates: candidates))?.parameters == corrected)
        #expect(call.corrected(after: .permissionDenied) == nil)
    }

    @Test func serviceThatNeverAgreesIsNotAskedForEver() throws {
        let program = Program()
        let service = ScriptedService(at: program.socket) { peer in
            while let call = peer.receive() {
                let id = call.parameters["id"]?.stringValue ?? ""
                peer.send(VarlinkReply(Wire.noSuchWidget(id, candidates: ["x.\(id)"])))
            }
        }
        defer { withExtendedLifetime(service) {} }
        #expect(try program.run(["enable", "disk"]).code == .noSuchWidget)
    }

    @Test func whatTheDaemonSaysCannotDisturbTheTerminal() throws {
        let program = Program()
        let error = VarlinkError(name: "org.todayd.Today.Refused", parameters: ["reason": "a\u{1B}[2Jb"])
        let service = program.service(["Enable": [VarlinkReply(error)]])
        defer { withExtendedLifetime(service) {} }
        #expect(try program.run(["enable", "x"]).errors == "todayctl: a\u{FFFD}[2Jb\n")
    }
}
