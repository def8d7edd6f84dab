// SPDX-License-Identifier: MIT
import JSON
import QueryService
import TestSupport
import Testing

/// Input that is not a call: the service closes that connection, and other clients are not affected.
@Suite struct ViolationTests {
    init() { TestLoop.start() }

    @Test(arguments: [
        "nonsense", "[]", "{}", "", #"{"method":3}"#, #"{"method":"org.todayd.Today.List","extra":1}"#,
        #"{"method":"org.todayd.Today.List","parameters":[]}"#,
        #"{"method":"org.todayd.Today.List","oneway":true,"more":true}"#,
        #"{"method":"org.todayd.Today.List""#, #"{"method":"org.todayd.Today.List","more":1}"#,
    ])
    func oneConnectionIsClosed(message: String) async throws {
        let fixture = try await Fixture()
        let other = try fixture.connect()
        try other.follow("Monitor")
        _ = try other.news(of: "Monitor")
        let client = try fixture.connect()
        try client.sendRaw(message + "\0")
        try client.awaitClosing()
        guard case .protocolViolation = try await fixture.troubles.next() else {
            Issue.record("reported something else")
            return
        }
        #expect(try fixture.connect().today("Show").texts == ["42 %"])
        await fixture.with { $0.service.announce(.init(time: .init(microseconds: 1), kind: .started, text: "e")) }
        #expect(try other.news(of: "Monitor")["events"]?.arrayValue?.count == 1)
    }

    @Test func callsBeforeAViolationAreAnswered() async throws {
        let client = try await Fixture().connect()
        try client.sendRaw(#"{"method":"org.todayd.Today.Show"}"# + "\0nonsense\0")
        #expect(try client.receive().result().texts == ["42 %"])
        try client.awaitClosing()
    }

    @Test func nullAndAbsentParametersAreTheSame() async throws {
        let client = try await Fixture().connect()
        for parameters in ["", #","parameters":null"#, #","parameters":{}"#, #","more":false,"oneway":false"#] {
            try client.sendRaw(#"{"method":"org.todayd.Today.Show"\#(parameters)}"# + "\0")
            #expect(try client.receive().result().texts == ["42 %"])
        }
    }

    @Test(arguments: [1_000, 100_000])
    func anOverLongCallEndsTheConnection(limit: Int) async throws {
        var limits = QueryLimits()
        limits.callBytes = limit
        let fixture = try await Fixture(limits: limits)
        // A complete call, and one without an end. The service may close before the client has sent everything.
        for end in ["\0", ""] {
            let client = try fixture.connect()
            let text = #"{"method":"\#(String(repeating: "x", count: 2 * limit))"}"# + end
            for start in stride(from: 0, to: text.utf8.count, by: 50_000) {
                let piece = String(
                    decoding: Array(text.utf8)[start..<min(start + 50_000, text.utf8.count)], as: UTF8.self)
                guard client.sendIfOpen(piece) else { break }
            }
            try client.awaitClosing()
        }
        #expect(try fixture.connect().today("Show").texts == ["42 %"])
    }
}
