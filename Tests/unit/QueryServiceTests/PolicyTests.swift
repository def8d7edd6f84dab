// SPDX-License-Identifier: MIT
import Glibc
import JSON
import Reactor
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import QueryService

/// A call that is denied goes to the machine's policy.
@Suite struct PolicyTests {
    private func fixture(_ policy: (@Sendable (PolicyQuestion) -> PolicyAnswer?)?) async throws -> Fixture {
        let fixture = try await Fixture([.showing("a"), .showing("b", .load)])
        await fixture.with {
            $0.backend.mayChange = false
            $0.backend.policy = policy
        }
        return fixture
    }

    private static let answers: [(PolicyAnswer, VarlinkError?)] = [
        (.allowed, nil), (.denied, .permissionDenied),
        (.needsInteraction, VarlinkError(name: "org.todayd.Today.InteractiveAuthenticationRequired")),
    ]

    @Test(arguments: answers.indices) func itsAnswerIsTheAnswer(index: Int) async throws {
        let (answer, error) = Self.answers[index]
        let fixture = try await fixture { _ in answer }
        let client = try fixture.connect()
        let id = await fixture.backend.order[0].text
        func hide() throws {
            _ = try client.call("org.todayd.Today.SetHasContent", ["id": .string(id), "hasContent": false])
        }
        if let error { #expect(throws: error) { try hide() } } else { try hide() }
        #expect(await fixture.backend.requests.count == (error == nil ? 1 : 0))
        // The connection goes on.
        #expect(try client.today("Show").texts == ["a", "b"])
    }

    @Test func tooManyQuestionsAreALimit() async throws {
        let fixture = try await fixture { _ in .busy }
        let id = await fixture.backend.order[0].text
        let error = try fixture.connect().error(of: "org.todayd.Today.Update", ["id": .string(id)])
        #expect(error?.name == "org.todayd.Today.LimitReached")
    }

    @Test func itIsAskedOnlyAboutWhatWasDenied() async throws {
        let fixture = try await fixture { _ in .denied }
        let client = try fixture.connect()
        let id = JSON.string(await fixture.backend.order[0].text)
        _ = try client.today("Show")
        _ = try client.error(of: "org.todayd.Today.SetHasContent", ["id": "none", "hasContent": true])
        #expect(await fixture.backend.questions.isEmpty, "a widget that does not exist is nobody's")
        _ = try client.error(of: "org.todayd.Today.Update", ["id": id])
        let hide: JSONObject = ["id": id, "hasContent": true, "allowInteractiveAuthentication": true]
        _ = try client.error(of: "org.todayd.Today.SetHasContent", hide)
        let questions = await fixture.backend.questions
        #expect(questions.map(\.action) == [.update, .manageWidgets])
        #expect(questions.map(\.isInteractive) == [false, true] && questions[0].peer.pid == getpid())
        await fixture.with { $0.backend.mayChange = true }
        _ = try client.call("org.todayd.Today.SetHasContent", hide)
        #expect(await fixture.backend.questions.count == 2)
    }

    @Test func withoutAPolicyItIsDenied() async throws {
        let fixture = try await fixture(nil)
        let id = JSON.string(await fixture.backend.order[0].text)
        #expect(try fixture.connect().error(of: "org.todayd.Today.Update", ["id": id]) == .permissionDenied)
    }

    /// A client that leaves while its user is asked.
    @Test func theQuestionIsTakenBack() async throws {
        let fixture = try await fixture { _ in nil }
        var client: Client? = try fixture.connect()
        let id = JSON.string(await fixture.backend.order[0].text)
        try client?.send(VarlinkCall("org.todayd.Today.SetHasContent", ["id": id, "hasContent": true]))
        try await fixture.eventually("the question") { $0.backend.questions.count == 1 }
        client = nil
        try await fixture.eventually("its end") { $0.backend.questionsTakenBack == 1 }
        #expect(await fixture.backend.requests.isEmpty)
    }

    /// Whoever follows an update gets its answers as others do.
    @Test func anAllowedStreamGoesOn() async throws {
        let fixture = try await fixture { _ in .allowed }
        let client = try fixture.connect()
        let id = JSON.string(await fixture.backend.order[0].text)
        try client.send(VarlinkCall("org.todayd.Today.Update", ["id": id], more: true))
        let reply = try client.receive()
        #expect(reply.error == nil && reply.parameters["answers"]?.arrayValue?.count == 1)
    }
}
