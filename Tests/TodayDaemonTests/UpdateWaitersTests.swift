// SPDX-License-Identifier: MIT
import QueryService
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import TodayDaemon

@Suite struct UpdateWaitersTests {
    @LoopActor private final class Follower: UpdateListener {
        private(set) var answers: [UpdateAnswer.Answer] = []
        func take(_ answer: UpdateAnswer) { answers.append(answer.answer) }
    }

    private let widget: WidgetID

    init() throws {
        TestLoop.start()
        widget = try #require(WidgetID("org.example.disk"))
    }

    @Test @LoopActor func whoFollowsARunHearsOfItUntilItsEnd() {
        var waiters = UpdateWaiters()
        let (one, other) = (Follower(), Follower())
        waiters.add(run: 1, one)
        waiters.add(run: 2, other)
        waiters.started(run: 1, widget: widget)
        waiters.finished(run: 1, UpdateAnswer(id: widget, answer: .newData))
        waiters.finished(run: 1, UpdateAnswer(id: widget, answer: .failed))
        #expect(one.answers == [.started, .newData])
        #expect(other.answers == [])
        #expect(waiters.count == 1)
    }

    @Test @LoopActor func whoHasLeftIsForgotten() {
        var waiters = UpdateWaiters()
        let stays = Follower()
        waiters.add(run: 1, stays)
        for _ in 0..<100_000 { waiters.add(run: 1, Follower()) }
        #expect(waiters.count <= 65)
        waiters.finished(run: 1, UpdateAnswer(id: widget, answer: .noData))
        #expect(stays.answers == [.noData])
    }
}
