// SPDX-License-Identifier: MIT
import Glibc
import JSON
import Platform
import TestSupport
import Testing
import TodayModel
import Varlink
import VarlinkInterface

@testable import TodayKit

/// The calls of org.todayd.Widget, valid and invalid.
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

    @Test func invalidCallsGetStandardErrors() async {
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

    // MARK: Calls without a reply

    static var log: [String] = []

    final class Watched: TodayWidget {
        func viewWillAppear() { log.append("will appear") }
        func viewWillDisappear() { log.append("will disappear") }
        func widgetPerformUpdate() async -> NCUpdateResult { .newData }
        var body: some TodayKit.View { Text("x") }
    }

    @Test func onewayCallsArePerformedWithoutAReply() async throws {
        Self.log = []
        let ends = try #require(Self.pair())
        defer { for end in [ends.0, ends.1] { close(end) } }
        let parameters: JSONObject = ["request": Self.request]
        for (name, isOneway) in [("Appear", true), ("Disappear", true), ("Dance", true), ("PerformUpdate", false)] {
            let call = VarlinkCall("org.todayd.Widget.\(name)", parameters, oneway: isOneway)
            #expect(Descriptor.sendAll(call.encoded(), to: ends.0))
        }
        shutdown(ends.0, Int32(SHUT_WR))
        let status = await WidgetServer(WidgetHost<Watched>(WidgetRequest())).run(on: ends.1)
        shutdown(ends.1, Int32(SHUT_WR))
        #expect(status == 0)
        #expect(Self.log == ["will appear", "will disappear"])
        var answers: [String] = []
        for await event in MessageReader.events(from: ends.0) {
            guard case .message(let bytes) = event else { break }
            let reply = try VarlinkReply(parsing: bytes)
            answers.append(reply.parameters["update"]?["result"]?.stringValue ?? reply.error ?? "{}")
        }
        #expect(answers == ["newData"])
    }

    final class Prepared: TodayWidget {
        private var isUpdated = false
        func widgetPerformUpdate() async -> NCUpdateResult {
            isUpdated = true
            return .newData
        }
        var body: some TodayKit.View { Text(isUpdated ? "now" : "soon") }
    }

    @Test func aCallForMoreGetsThePlaceholderFirst() async throws {
        let ends = try #require(Self.pair())
        defer { for end in [ends.0, ends.1] { close(end) } }
        let request: JSON = ["reason": "boot", "mode": "expanded", "columns": 50, "rows": 12, "known": false]
        let call = VarlinkCall("org.todayd.Widget.PerformUpdate", ["request": request], more: true)
        #expect(Descriptor.sendAll(call.encoded(), to: ends.0))
        shutdown(ends.0, Int32(SHUT_WR))
        #expect(await WidgetServer(WidgetHost<Prepared>(WidgetRequest())).run(on: ends.1) == 0)
        shutdown(ends.1, Int32(SHUT_WR))
        var replies: [VarlinkReply] = []
        for await event in MessageReader.events(from: ends.0) {
            if case .message(let bytes) = event { replies.append(try VarlinkReply(parsing: bytes)) }
        }
        #expect(replies.map(\.continues) == [true, false])
        #expect(replies.map { JSON.object($0.parameters).text.contains("soon") } == [true, false])
    }

    @Test func aWidgetWhoseTodaydIsGoneEnds() async throws {
        Self.log = []
        let ends = try #require(Self.pair())
        defer { close(ends.1) }
        let call = VarlinkCall("org.todayd.Widget.PerformUpdate", ["request": Self.request])
        #expect(Descriptor.sendAll(call.encoded(), to: ends.0))
        close(ends.0)
        #expect(await WidgetServer(WidgetHost<Watched>(WidgetRequest())).run(on: ends.1) == 0)
        #expect(Self.log == ["will appear", "will disappear"])
    }

    @Test func aSocketThatCannotBeReadEndsTheProgram() async throws {
        let directory = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(directory) }
        for await event in MessageReader.events(from: directory) {
            guard case .end(let reason?) = event else {
                Issue.record("\(event)")
                continue
            }
            #expect(reason == "cannot read: Is a directory")
        }
        #expect(await WidgetServer(WidgetHost<Plain>(WidgetRequest())).run(on: directory) == 1)
    }

    private static func pair() -> (Int32, Int32)? {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        return socketpair(AF_UNIX, type, 0, &ends) == 0 ? (ends[0], ends[1]) : nil
    }

    @Test func theServiceDescribesItself() async throws {
        let call = VarlinkCall("org.varlink.service.GetInterfaceDescription", ["interface": "org.todayd.Widget"])
        #expect(await server.answer(call).parameters["description"]?.stringValue == Interfaces.widget)
    }
}
