// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel
import Varlink
import VarlinkInterface

@testable import TodayKit

/// Calls of org.todayd.Widget, and what is none of them.
@MainActor @Suite(.serialized) struct WidgetServerTests {
    final class Plain: TodayWidget {
        func widgetPerformUpdate() async -> NCUpdateResult { .newData }
        var body: some TodayKit.View { Text("x") }
    }

    private let server = WidgetServer(WidgetHost<Plain>(WidgetRequest()))
    private static let request: JSON = ["reason": "boot", "mode": "expanded", "columns": 50, "rows": 12]

    @Test func answersAreWhatTheInterfaceDeclares() async {
        let interface = InterfaceDescription(constant: Interfaces.widget)
        for method in interface.methods {
            var parameters: JSONObject = [:]
            if method.input.contains(where: { $0.name == "request" }) { parameters["request"] = Self.request }
            if method.input.contains(where: { $0.name == "action" }) { parameters["action"] = "go" }
            let reply = await server.answer(VarlinkCall("org.todayd.Widget.\(method.name)", parameters))
            #expect(reply.error == nil, "\(method.name)")
            #expect(interface.check(reply.parameters, against: .output(of: method.name)) == nil, "\(method.name)")
        }
    }

    @Test func mistakesAreTheStandardErrors() async {
        let table: [(VarlinkCall, String, JSONObject)] = [
            (.init("org.todayd.Widget.Nothing"), "MethodNotFound", ["method": "org.todayd.Widget.Nothing"]),
            (.init("org.example.Widget.X"), "InterfaceNotFound", ["interface": "org.example.Widget"]),
            (.init("org.todayd.Widget.PerformUpdate"), "InvalidParameter", ["parameter": "request"]),
            (
                .init("org.todayd.Widget.PerformUpdate", ["request": ["reason": "x"]]), "InvalidParameter",
                ["parameter": "request.reason"]
            ),
            (
                .init(
                    "org.todayd.Widget.PerformUpdate",
                    ["request": ["reason": "boot", "mode": "compact", "columns": 0, "rows": 1]]), "InvalidParameter",
                ["parameter": "request.columns"]
            ),
            (
                .init("org.todayd.Widget.PerformAction", ["request": Self.request]), "InvalidParameter",
                ["parameter": "action"]
            ),
            (
                .init("org.todayd.Widget.PerformUpdate", upgrade: true), "MethodNotImplemented",
                ["method": "org.todayd.Widget.PerformUpdate"]
            ),
        ]
        for (call, name, parameters) in table {
            let reply = await server.answer(call)
            #expect(reply.error == "org.varlink.service.\(name)")
            #expect(reply.parameters == parameters)
        }
    }

    // MARK: Hosts that look

    static var log: [String] = []

    final class Watched: TodayWidget {
        func viewWillAppear() { log.append("will appear") }
        func viewWillDisappear() { log.append("will disappear") }
        func widgetPerformUpdate() async -> NCUpdateResult { .newData }
        var body: some TodayKit.View { Text("x") }
    }

    @Test func onewayCallsAreHeardAndNotAnswered() async throws {
        Self.log = []
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        let parameters: JSONObject = ["request": Self.request]
        for (name, isOneway) in [("Appear", true), ("Disappear", true), ("Dance", true), ("PerformUpdate", false)] {
            let call = VarlinkCall("org.todayd.Widget.\(name)", parameters, oneway: isOneway)
            #expect(MessageReader.send(call.encoded(), to: ends[0]))
        }
        shutdown(ends[0], Int32(SHUT_WR))
        let status = await WidgetServer(WidgetHost<Watched>(WidgetRequest())).run(on: ends[1])
        shutdown(ends[1], Int32(SHUT_WR))
        #expect(status == 0)
        #expect(Self.log == ["will appear", "will disappear"])
        var answers: [String] = []
        for await event in MessageReader.events(from: ends[0]) {
            guard case .message(let bytes) = event else { break }
            let reply = try VarlinkReply(parsing: bytes)
            answers.append(reply.parameters["update"]?["result"]?.stringValue ?? reply.error ?? "{}")
        }
        #expect(answers == ["newData"])
    }

    @Test func theServiceDescribesItself() async throws {
        let call = VarlinkCall("org.varlink.service.GetInterfaceDescription", ["interface": "org.todayd.Widget"])
        #expect(await server.answer(call).parameters["description"]?.stringValue == Interfaces.widget)
    }

    @Test func failureAndNoDataSayWhenToComeAgain() {
        let interface = InterfaceDescription(constant: Interfaces.widget)
        let table: [(WidgetOutcome, String)] = [
            (.noData(), #"{"result":"noData"}"#),
            (.noData(nextUpdate: .minutes(1)), #"{"result":"noData","nextUpdate":60000000}"#),
            (.failed("x"), #"{"result":"failed","reason":"x"}"#),
            (.failed("x", retryAfter: .minutes(1)), #"{"result":"failed","reason":"x","nextUpdate":60000000}"#),
        ]
        for (outcome, text) in table {
            #expect(outcome.json.text == text)
            #expect(interface.check(["update": outcome.json], against: .output(of: "PerformUpdate")) == nil)
        }
    }

    // MARK: What the program is

    @Test func theEnvironmentSaysWhatTheProgramIs() {
        let table: [([String: String], Invocation)] = [
            ([:], .development),
            (["TODAYD": "1"], .oneShot),
            (["TODAYD": "0"], .development),
            (["TODAYD": "1", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "varlink"], .service(widget: 3, context: nil)),
            (["LISTEN_FDS": "2", "LISTEN_FDNAMES": "varlink:context"], .service(widget: 3, context: 4)),
            (["LISTEN_FDS": "2", "LISTEN_FDNAMES": "context:varlink"], .service(widget: 4, context: 3)),
            (["LISTEN_FDS": "1", "LISTEN_FDNAMES": "varlink:context"], .service(widget: 3, context: nil)),
            (["LISTEN_FDS": "1", "LISTEN_FDNAMES": "varlink", "LISTEN_PID": "7"], .service(widget: 3, context: nil)),
            (["LISTEN_FDS": "1", "LISTEN_FDNAMES": "varlink", "LISTEN_PID": "8"], .development),
            (["LISTEN_FDS": "1", "LISTEN_FDNAMES": "http"], .development),
            (["LISTEN_FDS": "x", "LISTEN_FDNAMES": "varlink"], .development),
            (["LISTEN_FDS": "0", "LISTEN_FDNAMES": "varlink"], .development),
        ]
        for (variables, invocation) in table { #expect(Invocation(Variables(variables), pid: 7) == invocation) }
    }

    @Test func theEnvironmentIsARequest() {
        let variables = Variables([
            "TODAY_REASON": "wake", "TODAY_DISPLAY_MODE": "expanded", "TODAY_MAX_COLUMNS": "44", "TODAY_MAX_ROWS": "-1",
        ])
        #expect(
            WidgetRequest(variables)
                == WidgetRequest(reason: .wake, mode: .expanded, size: WidgetSize(columns: 44, rows: 16)))
        #expect(WidgetRequest(Variables([:])) == WidgetRequest())
        #expect(WidgetRequest(Variables([:])).isKnown)
        #expect(WidgetRequest(Variables(["TODAY_KNOWN": "1"])).isKnown)
        #expect(!WidgetRequest(Variables(["TODAY_KNOWN": "0"])).isKnown)
    }

    @Test func theEnvironmentSaysWhereEditingStands() {
        let table: [(String, WidgetCall, Bool)] = [
            ("begin", .beginEditing, true), ("continue", .performUpdate, true),
            ("end", .endEditing(isCancelled: false), false), ("cancel", .endEditing(isCancelled: true), false),
        ]
        for (word, call, isEditing) in table {
            let variables = Variables(["TODAY_EDITING": word])
            #expect(WidgetCall(variables) == call)
            #expect(WidgetRequest(variables).isEditing == isEditing)
        }
        let press = Variables(["TODAY_EDITING": "continue", "TODAY_ACTION": "yen"])
        #expect(WidgetCall(press) == .performAction("yen"))
        #expect(WidgetRequest(press).isEditing)
    }

    @Test func aCallSaysWhatIsKnown() throws {
        var request = Self.request
        #expect(try WidgetRequest(JSONField(root: request)).isKnown)
        #expect(try !WidgetRequest(JSONField(root: request)).isEditing)
        request = [
            "reason": "boot", "mode": "expanded", "columns": 50, "rows": 12, "known": false, "editing": true,
        ]
        #expect(try !WidgetRequest(JSONField(root: request)).isKnown)
        #expect(try WidgetRequest(JSONField(root: request)).isEditing)
    }
}
