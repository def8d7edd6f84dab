// SPDX-License-Identifier: MIT
import Testing
import TodayModel
import Varlink

@testable import Formats

@Suite struct WidgetReplyTests {
    private func reply(_ update: String) throws -> VarlinkReply {
        try VarlinkReply(parsing: Array("{\"parameters\": {\"update\": \(update)}}".utf8))
    }

    private static let answers: [(update: String, answer: WidgetAnswer)] = [
        (#"{"result": "newData", "content": {"text": "a"}}"#, .newData(Content(text: "a"))),
        (#"{"result": "noData"}"#, .noData()),
        (#"{"result": "noData", "nextUpdate": "1h"}"#, .noData(wait: .hours(1))),
        (#"{"result": "noData", "nextUpdate": 60000000, "reason": null}"#, .noData(wait: .minutes(1))),
    ]

    @Test(arguments: 0..<4) func anUpdateIsAnAnswer(place: Int) throws {
        let (update, answer) = Self.answers[place]
        #expect(try WidgetReply.answer(in: try reply(update)) == answer)
    }

    private static let failures: [(update: String, reason: String, wait: TimeSpan?)] = [
        (#"{"result": "failed", "reason": "rate limited", "nextUpdate": "16min"}"#, "rate limited", .minutes(16)),
        (#"{"result": "failed", "reason": "rate limited", "nextUpdate": 2592000000000}"#, "rate limited", .days(30)),
        (#"{"result": "failed"}"#, "failed, and did not say why", nil),
        (
            #"{"result": "newData", "content": {"text": "a"}, "nextUpdate": "1h"}"#,
            "update.nextUpdate: goes with noData and failed; new content says it itself", nil
        ),
        (#"{"result": "noData", "nextUpdate": "30d"}"#, "update.nextUpdate: is not between 1s and 1w", nil),
        (#"{"result": "failed", "nextUpdate": "0"}"#, "update.nextUpdate: is not between 1s and 52w 2d", nil),
        (#"{"result": "noData", "content": {"text": "a"}}"#, "update.content: goes with newData only", nil),
        (#"{"result": "newData"}"#, "update.content: is missing", nil),
        (#"{"result": "newData", "content": {"text": ""}}"#, "update.content.text: is empty", nil),
    ]

    @Test(arguments: 0..<9) func aFailureIsToldWithItsWait(place: Int) throws {
        let (update, reason, wait) = Self.failures[place]
        let reply = try reply(update)
        #expect(throws: OutputError(reason, wait: wait)) { try WidgetReply.answer(in: reply) }
    }

    @Test func anErrorIsAFailure() {
        let error = VarlinkReply(VarlinkError(name: "org.example.Broken", parameters: [:]))
        #expect(throws: OutputError.self) { try WidgetReply.answer(in: error) }
        #expect(throws: OutputError("update: is missing")) { try WidgetReply.answer(in: VarlinkReply()) }
    }

    @Test func onlyContentIsAPlaceholder() throws {
        let content = try reply(#"{"result": "newData", "content": {"text": "--"}}"#)
        #expect(try WidgetReply.placeholder(in: content) == Content(text: "--"))
        let nothing = try reply(#"{"result": "noData"}"#)
        #expect(throws: OutputError("a reply that continues has to be newData")) {
            try WidgetReply.placeholder(in: nothing)
        }
        let wrong = try reply(#"{"result": "newData", "content": {"text": ""}}"#)
        #expect(throws: OutputError("update.content.text: is empty")) { try WidgetReply.placeholder(in: wrong) }
    }
}
