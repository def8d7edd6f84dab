// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import QueryService

/// The answers to one update, in every order.
@Suite struct UpdateProgressTests {
    init() { TestLoop.start() }

    @LoopActor private final class Listener {
        let progress = UpdateProgress()
        var told: [UpdateAnswer.Answer] = []

        func begin(_ answers: [UpdateAnswer]) { progress.begin(with: answers) { self.told.append($0.answer) } }
        func receive(_ answer: UpdateAnswer.Answer, _ id: WidgetID = .disk) {
            progress.receive(UpdateAnswer(id: id, answer: answer))
        }
        var answers: [UpdateAnswer.Answer] { progress.answers.map(\.answer) }
    }

    @Test @LoopActor func answersReplaceEachOtherUpToTheFinalOne() {
        let listener = Listener()
        #expect(!listener.progress.isFinished)
        listener.begin([UpdateAnswer(id: .disk, answer: .deferred), UpdateAnswer(id: .load, answer: .started)])
        listener.receive(.started)
        listener.receive(.started)
        #expect(!listener.progress.isFinished)
        listener.receive(.failed, .load)
        #expect(!listener.progress.isFinished)
        listener.receive(.newData)
        #expect(listener.progress.isFinished)
        // No answer follows a final one.
        listener.receive(.failed)
        listener.receive(.started, .load)
        #expect(listener.answers == [.newData, .failed])
        #expect(listener.told == [.started, .failed, .newData])
        #expect(listener.progress.isFinished)
    }

    /// A program that stays may answer before `update` returns.
    @Test @LoopActor func anAnswerThatComesBeforeTheBeginningIsNewer() {
        let listener = Listener()
        listener.receive(.newData)
        #expect(!listener.progress.isFinished)
        listener.begin([UpdateAnswer(id: .disk, answer: .started)])
        #expect(listener.progress.isFinished)
        #expect(listener.answers == [.newData])
    }

    @Test @LoopActor func anEndedProgressIsToldNothing() {
        let listener = Listener()
        listener.begin([UpdateAnswer(id: .disk, answer: .started)])
        listener.progress.end()
        listener.receive(.newData)
        #expect(listener.told.isEmpty)
    }

    @Test @LoopActor func aWaitEndsOnceAndNotAfterItWasCancelled() async throws {
        let ended = Arrivals<Int>("end")
        let progress = UpdateProgress()
        let waits = (0..<3).map { number in
            UpdateWait(for: progress, patience: .milliseconds(20)) { ended.send(number) }
        }
        waits[0].end()
        waits[0].end()
        waits[1].cancel()
        waits[1].end()
        #expect(try await ended.next(2) == [0, 2])
        try await Task.sleep(for: .milliseconds(40))
        #expect(ended.taken().isEmpty)
    }

    @Test func anAnswerThatCameFirstIsTheReply() async throws {
        let fixture = try await Fixture()
        await fixture.with { $0.backend.earlyAnswers = [UpdateAnswer(id: .disk, answer: .newData)] }
        let client = try fixture.connect()
        for more in [false, true] {
            try client.send(VarlinkCall("org.todayd.Today.Update", more: more))
            let reply = try client.receive()
            #expect(!reply.continues)
            #expect(try reply.result()["answers"]?.arrayValue?.map { $0["answer"] } == ["newData"])
        }
        let action = try client.today("PerformAction", ["id": "org.example.disk", "action": "a"])
        #expect(action["answer"]?["answer"] == "newData")
    }

    /// An answer is not sent again with the answer of another widget.
    @Test func eachAnswerIsToldOnce() async throws {
        let fixture = try await Fixture([.showing("a"), .showing("b", .load)])
        let client = try fixture.connect()
        try client.follow("Update")
        #expect(try client.news(of: "Update")["answers"]?.arrayValue?.count == 2)
        for (id, answer) in [(.disk, .joined), (.load, .joined), (.disk, .deferred)]
            as [(WidgetID, UpdateAnswer.Answer)]
        {
            await fixture.with { $0.backend.listener?.receive(UpdateAnswer(id: id, answer: answer)) }
            let answers = try client.news(of: "Update")["answers"]?.arrayValue ?? []
            #expect(answers.map { $0["id"]?.stringValue } == [id.text])
        }
    }

    @Test func aCallWithoutReplyLeavesNoListener() async throws {
        let fixture = try await Fixture()
        let client = try fixture.connect()
        for method in ["Update", "PerformAction"] {
            var parameters: JSONObject = ["id": "org.example.disk"]
            if method == "PerformAction" { parameters["action"] = "a" }
            try client.send(VarlinkCall("org.todayd.Today.\(method)", parameters, oneway: true))
        }
        #expect(try client.today("Show").texts == ["42 %"])
        #expect(await fixture.backend.listened == 0)
        #expect(await fixture.backend.interactions == [.action("a")])
    }
}
