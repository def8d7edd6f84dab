// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import QueryService

/// The status of all widgets: one report at a time, in parts, and never one that began before the call.
@Suite struct AllWidgetsReportTests {
    init() { TestLoop.start() }

    /// The version of the daemon and the names of the widgets, as clients get them.
    private static func texts(_ parameters: [UInt8]) throws -> [String] {
        let reply = VarlinkReply.encode(parametersBytes: parameters, continues: false)
        let object = try VarlinkReply(parsing: reply.dropLast()).parameters
        let widgets = object["widgets"]?.arrayValue?.map { $0["name"]?.stringValue ?? "?" } ?? []
        return [object["daemon"]?["version"]?.stringValue ?? "?"] + widgets
    }

    @LoopActor
    private final class Subject {
        let backend = MemoryBackend()
        var reports = AllWidgetsReports()
        /// What each reader was sent.
        var told: [String: [String]] = [:]
        private var asked: [String] = []
        let past = BootTime(microseconds: 0)
        let future = BootTime(microseconds: .max)

        init(widgets: Int) {
            for number in 0..<widgets { backend.put(.showing("a", .numbered(number))) }
        }

        func ask(_ name: String, version: String = "1") {
            var daemon = backend.daemonStatus()
            daemon.version = version
            reports.ask(daemon) { [unowned self] _ in asked.append(name) }
        }

        /// Returns whether a report was completed.
        func advance(until end: BootTime) throws -> Bool {
            guard let (parameters, readers) = reports.advance(until: end, backend) else { return false }
            asked = []
            for reader in readers { reader(parameters) }
            for name in asked { told[name] = try AllWidgetsReportTests.texts(parameters) }
            return true
        }
    }

    @Test @LoopActor func aReportIsMadeWidgetByWidget() throws {
        let subject = Subject(widgets: 3)
        #expect(subject.reports.isEmpty)
        #expect(try !subject.advance(until: subject.future))
        subject.ask("a")
        for count in 1...2 {
            #expect(try !subject.advance(until: subject.past))
            #expect(subject.backend.statusQuestions.count == count && !subject.reports.isEmpty)
        }
        #expect(try subject.advance(until: subject.past))
        #expect(subject.told == ["a": ["1", "N", "N", "N"]])
        #expect(subject.reports.isEmpty)
        #expect(try !subject.advance(until: subject.future))
    }

    @Test @LoopActor func aReportIsMadeAtOnceIfThereIsTime() throws {
        for widgets in [0, 1, 5] {
            let subject = Subject(widgets: widgets)
            subject.ask("a")
            #expect(try subject.advance(until: widgets == 0 ? subject.past : subject.future))
            #expect(subject.told["a"]?.count == 1 + widgets)
        }
    }

    /// A client that asks while a report is being made may have changed something that is already in it.
    @Test @LoopActor func aLaterClientGetsTheNextReport() throws {
        let subject = Subject(widgets: 2)
        subject.ask("a", version: "1")
        subject.ask("b", version: "2")
        #expect(try !subject.advance(until: subject.past))
        subject.backend.displayName = "M"
        subject.ask("c", version: "3")
        subject.ask("d", version: "4")
        #expect(try subject.advance(until: subject.past))
        #expect(subject.told == ["a": ["2", "N", "M"], "b": ["2", "N", "M"]])
        #expect(!subject.reports.isEmpty)
        #expect(try subject.advance(until: subject.future))
        #expect(subject.told["c"] == ["4", "M", "M"] && subject.told["d"] == ["4", "M", "M"])
        #expect(subject.told.count == 4 && subject.backend.statusQuestions.count == 4)
    }

    @Test(arguments: [[0], [1], [2], [0, 1], [0, 2], [0, 1, 2]])
    @LoopActor func whatGoesInTheMeantimeIsLeftOut(gone: [Int]) throws {
        let subject = Subject(widgets: 3)
        subject.ask("a")
        subject.backend.onStatusQuestion = { [unowned subject] in
            subject.backend.order.removeAll { id in gone.contains { id == .numbered($0) } }
        }
        #expect(try subject.advance(until: subject.future))
        #expect(subject.told["a"]?.count == 1 + 3 - gone.count)
    }

    /// On the socket: a client that asks for all widgets delays a client that asks for one, and its own next call.
    @Test(arguments: [1, 2, 40])
    func othersAreAnsweredInBetween(widgets: Int) async throws {
        var limits = QueryLimits()
        limits.timePerTurn = .milliseconds(-1)
        let fixture = try await Fixture((0..<widgets).map { .showing("\($0)", .numbered($0)) }, limits: limits)
        let clients = try await fixture.admit([Arriver(pid: 1), Arriver(pid: 2), Arriver(pid: 3)])
        let looks = await fixture.with { fixture in
            let looks = Looks()
            let backend = fixture.backend
            backend.onStatusQuestion = { [unowned backend] in looks.before.append(backend.looks.count) }
            return looks
        }
        let (status, show) = (#"{"method":"org.todayd.Today.Status"}"#, #"{"method":"org.todayd.Today.Show"}"#)
        try await fixture.say([
            (clients[0], status + "\0" + show + "\0"), (clients[1], show + "\0"), (clients[2], status + "\0"),
        ])
        #expect(try clients[1].receive().result().texts.count == widgets)
        for client in [clients[0], clients[2]] {
            let status = try client.receive().result()
            #expect(status["widgets"]?.arrayValue?.count == widgets && status["daemon"]?["connections"] == 3)
        }
        #expect(try clients[0].receive().result().texts.count == widgets)
        let before = await looks.before
        #expect(before.count == (widgets == 1 ? 2 : 2 * widgets))
        if widgets == 40 { #expect(before.first == 0 && before[39] > 0) }
    }

    @LoopActor private final class Looks: Sendable {
        var before: [Int] = []
    }

    /// A client that wants no reply gets none, and the service answers its next call.
    @Test func aReportThatIsNotWantedIsNotSent() async throws {
        let client = try await Fixture().connect()
        try client.sendRaw(#"{"method":"org.todayd.Today.Status","oneway":true}"# + "\0")
        #expect(try client.today("Show").texts == ["42 %"])
    }

    @Test func aClientMayLeaveBeforeItsReportIsMade() async throws {
        var limits = QueryLimits()
        limits.timePerTurn = .milliseconds(-1)
        let fixture = try await Fixture((0..<300).map { .showing("", .numbered($0)) }, limits: limits)
        let client = try await fixture.admit()
        try client.sendRaw(#"{"method":"org.todayd.Today.Status"}"# + "\0")
        client.connection.close()
        try await fixture.eventually("the report") { $0.backend.statusQuestions.count == 300 }
        try await fixture.eventually("the end") { $0.service.connectionCount == 0 }
    }
}
