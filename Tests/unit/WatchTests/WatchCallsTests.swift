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

@testable import Link
@testable import Watch

/// What comes of the calls that keys make.
@Suite struct WatchCallsTests {
    private static func answer(_ answer: String, _ id: String = "org.a.b", open: String? = nil) -> JSON {
        var fields: JSONObject = ["id": .string(id), "answer": .string(answer)]
        fields["open"] = open.map(JSON.string)
        return .object(fields)
    }

    private static func reply(_ member: String, _ value: JSON, continues: Bool = false) -> VarlinkReply {
        VarlinkReply([member: value], continues: continues)
    }

    private func calls(_ program: Program, timeout: TimeSpan = .seconds(10)) -> WatchCalls {
        let socket = DaemonSocket(path: program.socket, kind: .given)
        return WatchCalls(ServiceClient(socket, environment: EnvironmentVariables { _ in nil }, timeout: timeout))
    }

    private func wait(_ calls: WatchCalls) -> [WatchCalls.Ended] {
        let end = AwakeTime.now + .seconds(10)
        while AwakeTime.now < end {
            let ended = calls.ended(WatchSamples.presentation())
            if !ended.isEmpty { return ended }
            var polls = calls.descriptors.map { pollfd(reading: $0) }
            let pause = calls.deadline.map { min($0 - .now, .milliseconds(100)) }
            poll(&polls, nfds_t(polls.count), TimeSpan.pollMilliseconds(pause))
        }
        return []
    }

    private static let ends: [(deed: WatchDeed, replies: [VarlinkReply], succeeded: Bool, said: String, url: String?)] =
        {
            guard let id = WidgetID("org.a.b") else { preconditionFailure() }
            let two: JSON = .array([answer("started"), answer("started", "org.a.c")])
            return [
                (.hide(id, .today), [VarlinkReply([:])], true, "", nil),
                (.update(id), [reply("answers", [answer("newData")])], true, "org.a.b: new content", nil),
                (
                    .update(nil),
                    [
                        reply("answers", two, continues: true), reply("answers", [answer("newData")], continues: true),
                        reply("answers", [answer("failed", "org.a.c")]),
                    ], false, "org.a.c: failed", nil
                ),
                // A widget that has failed is told of, whatever the others answer later.
                (
                    .update(nil),
                    [
                        reply("answers", [answer("failed", "org.a.c")], continues: true),
                        reply("answers", [answer("newData")]),
                    ],
                    false, "org.a.c: failed", nil
                ),
                // Of several successes, the last.
                (
                    .update(nil), [reply("answers", .array([answer("noData"), answer("newData", "org.a.c")]))], true,
                    "org.a.c: new content", nil
                ),
                (.press(id, action: "x"), [reply("answer", answer("noData"))], true, "org.a.b: nothing new", nil),
                (
                    .press(id, action: "x"), [reply("answer", answer("noData", open: "a://b"))], true,
                    "org.a.b: nothing new", "a://b"
                ),
                (.open(id, url: "https://a.example"), [VarlinkReply([:])], true, "", "https://a.example"),
                (
                    .open(id, url: "https://a.example"), [VarlinkReply(.permissionDenied)], false, "permission denied",
                    nil
                ),
            ]
        }()

    @Test(arguments: ends.indices) func aCallEndsWithItsLastReply(index: Int) throws {
        let (deed, replies, succeeded, said, url) = Self.ends[index]
        let program = Program()
        let call = try #require(deed.call())
        program.serve([call.member: replies])
        let calls = calls(program)
        try calls.start(deed, call)
        #expect(!calls.isEmpty && calls.descriptors.count == 1)
        let ended = try #require(wait(calls).first)
        #expect(ended.deed == deed && ended.succeeded == succeeded && ended.said.hasPrefix(said))
        #expect(said.isEmpty == ended.said.isEmpty)
        // What a refused call names is not opened.
        #expect((ended.succeeded ? ended.url : nil) == url)
        #expect(!ended.succeeded || ended.listener?.process == getpid())
        #expect(calls.isEmpty && calls.deadline == nil)
    }

    @Test func aCallThatIsNotAnsweredEnds() throws {
        let program = Program()
        program.serve { peer in while peer.receive() != nil {} }
        let calls = calls(program, timeout: .milliseconds(100))
        let deed = WatchDeed.hide(try WatchSamples.id("b"), .today)
        try calls.start(deed, try #require(deed.call()))
        let ended = try #require(wait(calls).first)
        #expect(!ended.succeeded && ended.said == "no answer within 100ms")
        // An update may wait for other runs.
        let update = WatchDeed.update(nil)
        try calls.start(update, try #require(update.call()))
        let deadline = try #require(calls.deadline)
        #expect(deadline - .now > .minutes(4))
    }

    /// A todayd that is stopped lets its queue run full. No key waits for it.
    @Test func aFullQueueIsSaidAtOnce() throws {
        let directory = TemporaryDirectory()
        let path = "\(directory.path)/full.sock"
        let listener = ScriptedService.listen(at: path)
        defer { close(listener) }
        // The queue of listen(2) is one longer than asked for; two fill it.
        let waiting = (0..<2).map { _ in try? VarlinkConnection(path: path, timeout: .seconds(20)) }
        let service = ServiceClient(
            DaemonSocket(path: path, kind: .given), environment: EnvironmentVariables { _ in nil },
            timeout: .seconds(30))
        let calls = WatchCalls(service)
        let deed = WatchDeed.hide(try WatchSamples.id("b"), .today)
        try withExtendedLifetime(waiting) {
            let call = try #require(deed.call())
            let start = AwakeTime.now
            #expect(throws: ClientError(.timedOut(path: path, after: .zero), at: service.socket)) {
                try calls.start(deed, call)
            }
            #expect(AwakeTime.now - start < .seconds(5) && calls.isEmpty)
        }
    }
}
