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
        func receive(_ answer: UpdateAnswer) { answers.append(answer.answer) }
    }

    private let widget: WidgetID

    init() throws {
        TestLoop.start()
        widget = try #require(WidgetID("org.example.disk"))
    }

    @Test @LoopActor func whoFollowsARunHearsOfItUntilItsEnd() {
        let waiters = UpdateWaiters()
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

    /// The list is cleaned when it has 64 listeners, and then whenever it has doubled.
    @Test @LoopActor func whoHasLeftIsLookedForNowAndThen() {
        let waiters = UpdateWaiters()
        func leave(_ count: Int) { for _ in 0..<count { waiters.add(run: 1, Follower()) } }
        let stay = (0..<41).map { _ in Follower() }
        leave(24)
        for follower in stay.prefix(40) { waiters.add(run: 1, follower) }
        #expect(waiters.count == 64)
        waiters.add(run: 1, stay[40])
        #expect(waiters.count == 41)
        leave(39)
        #expect(waiters.count == 80)
        leave(1)
        #expect(waiters.count == 42)
    }

    @Test @LoopActor func aFewAreNotLookedThrough() {
        let waiters = UpdateWaiters()
        func leave(_ count: Int) { for _ in 0..<count { waiters.add(run: 1, Follower()) } }
        leave(64)
        leave(1)
        #expect(waiters.count == 1)
        leave(63)
        #expect(waiters.count == 64)
        leave(1)
        #expect(waiters.count == 1)
    }

    @Test @LoopActor func whoHasLeftIsForgotten() {
        let waiters = UpdateWaiters()
        let stays = Follower()
        waiters.add(run: 1, stays)
        for _ in 0..<100_000 { waiters.add(run: 1, Follower()) }
        #expect(waiters.count <= 65)
        waiters.finished(run: 1, UpdateAnswer(id: widget, answer: .noData))
        #expect(stays.answers == [.noData])
    }
}
