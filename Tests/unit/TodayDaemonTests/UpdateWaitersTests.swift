// SPDX-License-Identifier: MIT
import QueryService
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import TodayDaemon

@Suite struct UpdateWaitersTests {
    private let widget: WidgetID

    init() throws {
        TestLoop.start()
        widget = try #require(WidgetID("org.example.disk"))
    }

    @Test @LoopActor func aListenerIsToldUntilTheEndOfItsRun() {
        var waiters = UpdateWaiters()
        let (one, other) = (RecordingListener(), RecordingListener())
        waiters.add(run: 1, one)
        waiters.add(run: 2, other)
        waiters.started(run: 1, widget: widget)
        waiters.finished(run: 1, UpdateAnswer(id: widget, answer: .newData))
        waiters.finished(run: 1, UpdateAnswer(id: widget, answer: .failed))
        #expect(one.answers.map(\.answer) == [.started, .newData])
        #expect(other.answers.map(\.answer) == [])
        #expect(waiters.count == 1)
    }

    /// The list is cleaned when it has 64 listeners, and then whenever it has doubled.
    @Test @LoopActor func listenersThatHaveLeftAreRemovedWhenTheirNumberDoubles() {
        var waiters = UpdateWaiters()
        func leave(_ count: Int) { for _ in 0..<count { waiters.add(run: 1, RecordingListener()) } }
        let stay = (0..<41).map { _ in RecordingListener() }
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

    @Test @LoopActor func fewListenersAreNotSearched() {
        var waiters = UpdateWaiters()
        func leave(_ count: Int) { for _ in 0..<count { waiters.add(run: 1, RecordingListener()) } }
        leave(64)
        leave(1)
        #expect(waiters.count == 1)
        leave(63)
        #expect(waiters.count == 64)
        leave(1)
        #expect(waiters.count == 1)
    }

    @Test @LoopActor func theNumberOfListenersThatHaveLeftIsLimited() {
        var waiters = UpdateWaiters()
        let stays = RecordingListener()
        waiters.add(run: 1, stays)
        for _ in 0..<100_000 { waiters.add(run: 1, RecordingListener()) }
        #expect(waiters.count <= 65)
        waiters.finished(run: 1, UpdateAnswer(id: widget, answer: .noData))
        #expect(stays.answers.map(\.answer) == [.noData])
    }
}
