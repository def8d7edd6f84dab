// SPDX-License-Identifier: MIT

import JSON
import Testing
import TodayModel

@testable import Link

/// When a host connects, takes replies for news, waits, and gives up. Each table is a course: what happens, and what follows.
@Suite struct FollowTests {
    private static let start = AwakeTime(microseconds: 1_000_000)
    private static let news: JSONObject = ["items": [["id": "org.a.b"]], "removed": []]
    private static let nothing: JSONObject = ["items": [], "removed": []]
    private static let gone: JSONObject = ["items": [], "removed": ["org.a.b"]]

    /// An event, milliseconds after the one before, and what follows.
    private struct Step {
        let after: Int64
        let event: Follow.Event
        let actions: [Follow.Action]

        init(_ after: Int64, _ event: Follow.Event, _ actions: Follow.Action...) {
            (self.after, self.event, self.actions) = (after, event, actions)
        }
    }

    /// - Returns: how long the host then waits, in milliseconds.
    private func run(_ policy: Follow.Policy, _ steps: [Step]) -> Int64? {
        var follow = Follow(policy)
        var now = Self.start
        for (index, step) in steps.enumerated() {
            now = now + .milliseconds(step.after)
            #expect(follow.handle(step.event, at: now) == step.actions, "step \(index)")
        }
        return follow.wake.map { ($0 - now).microseconds / 1_000 }
    }

    private static let connected = Follow.Event.connected(patience: .seconds(10))
    private static func reply(_ reply: JSONObject, isLast: Bool = false) -> Follow.Event {
        .reply(reply, isLast: isLast)
    }

    private static let host = Follow.Policy(waitsFromStart: true)
    private static let command = Follow.Policy(endsWithStream: true)
    private static let page = Follow.Policy(waitsFromStart: true, pauseWhileMissing: .seconds(15))

    @Test func anEmptyReplyIsNewsOnlyAtFirst() {
        let wake = run(
            Self.host,
            [
                Step(0, .tick, .connect), Step(0, Self.connected), Step(5, .tick),
                Step(0, Self.reply(Self.nothing), .show(Self.nothing)), Step(9_000, Self.reply(Self.nothing)),
                Step(0, Self.reply(Self.news), .show(Self.news)), Step(0, Self.reply(Self.gone), .show(Self.gone)),
                Step(100, .tick),
            ])
        #expect(wake == 59_900, "todayd may be silent for two heartbeats")
    }

    @Test func aTodaydThatFallsSilentIsLostAndFoundAgain() {
        let wake = run(
            Self.host,
            [
                Step(0, .tick, .connect), Step(0, Self.connected), Step(0, Self.reply(Self.news), .show(Self.news)),
                Step(59_999, .tick), Step(1, .tick, .close, .lost(.silent(.seconds(60)))),
                Step(249, .tick), Step(1, .tick, .connect), Step(0, .failed(.absent), .close),
                Step(499, .tick), Step(1, .tick, .connect), Step(0, Self.connected),
                Step(10_000, .tick, .close),
                Step(1_000, .tick, .connect), Step(0, Self.connected),
                Step(0, Self.reply(Self.nothing), .show(Self.nothing)),
                Step(0, .failed(.absent), .close, .lost(.absent)),
            ])
        #expect(wake == 250, "an answer makes it hopeful again")
    }

    /// As after an upgrade of todayd alone.
    @Test func aTodaydThatIsNotUnderstoodIsAskedLessAndLess() {
        let news = Step(0, Self.reply(Self.news), .show(Self.news))
        let wake = run(
            Self.page,
            [
                Step(0, .tick, .connect), Step(0, Self.connected), news,
                Step(0, .failed(.notUnderstood), .close, .lost(.notUnderstood)),
                Step(250, .tick, .connect), Step(0, Self.connected), news,
                Step(0, .failed(.notUnderstood), .close, .lost(.notUnderstood)),
                Step(500, .tick, .connect), Step(0, Self.connected), news,
                Step(0, .failed(.notUnderstood), .close, .lost(.notUnderstood)),
            ])
        #expect(wake == 1_000)
    }

    @Test(arguments: [Follow.Failure.absent, .silent(.seconds(1))]) func aBarWaitsFromTheStart(failure: Follow.Failure)
    {
        #expect(run(Self.host, [Step(0, .tick, .connect), Step(0, .failed(failure), .close, .lost(failure))]) == 250)
    }

    @Test(arguments: [Follow.Failure.absent, .silent(.seconds(1))]) func aCommandEndsWithoutTodayd(
        failure: Follow.Failure
    ) {
        let steps = [
            Step(0, .tick, .connect), Step(0, .failed(failure), .close, .giveUp(failure)), Step(0, .tick),
            Step(0, Self.connected), Step(0, Self.reply(Self.news)), Step(0, .failed(.absent)),
        ]
        #expect(run(Self.command, steps) == nil)
    }

    /// It may be restarting, but one that accepts and never answers is an error.
    @Test func aCommandThatHasConnectedWaitsForAnEndAndNotForSilence() {
        let connected = [Step(0, .tick, .connect), Step(0, Self.connected)]
        #expect(run(Self.command, connected + [Step(0, .failed(.absent), .close, .lost(.absent))]) == 250)
        let silence = Follow.Failure.silent(.seconds(10))
        #expect(run(Self.command, connected + [Step(10_000, .tick, .close, .giveUp(silence))]) == nil)
        let answered = connected + [Step(0, Self.reply(Self.news), .show(Self.news))]
        let silent = Step(60_000, .tick, .close, .lost(.silent(.seconds(60))))
        #expect(run(Self.command, answered + [silent]) == 250)
    }

    @Test(arguments: [host, command]) func anUnknownWidgetIsAnErrorAndLaterALoss(policy: Follow.Policy) {
        let connected = [Step(0, .tick, .connect), Step(0, Self.connected)]
        let unknown = Follow.Failure.noSuchWidget
        #expect(run(policy, connected + [Step(0, .failed(unknown), .close, .giveUp(unknown))]) == nil)
        let answered = connected + [Step(0, Self.reply(Self.news), .show(Self.news))]
        #expect(run(policy, answered + [Step(0, .failed(unknown), .close, .lost(unknown))]) == 250)
    }

    @Test func aPageShowsThatAWidgetIsMissing() {
        let wake = run(
            Self.page,
            [
                Step(0, .tick, .connect), Step(0, Self.connected), Step(0, .failed(.noSuchWidget), .close, .missing),
                Step(14_999, .tick), Step(1, .tick, .connect), Step(0, .failed(.absent), .close, .lost(.absent)),
                Step(250, .tick, .connect), Step(0, Self.connected),
                Step(0, .failed(.noSuchWidget), .close, .missing),
            ])
        #expect(wake == 15_000)
    }

    /// A todayd that answers, even that the widget is missing, is there again: the next loss is tried again soon.
    @Test func aMissingWidgetEndsTheGrowthOfThePause() {
        let absent = Step(0, .failed(.absent), .close, .lost(.absent))
        let wake = run(
            Self.page,
            [
                Step(0, .tick, .connect), absent, Step(250, .tick, .connect), Step(0, .failed(.absent), .close),
                Step(500, .tick, .connect),
                Step(0, Self.connected), Step(0, .failed(.noSuchWidget), .close, .missing),
                Step(15_000, .tick, .connect), absent,
            ])
        #expect(wake == 250)
    }

    @Test func aStreamThatEndsEndsACommandAndABarAsksAgain() {
        let begin = [Step(0, .tick, .connect), Step(0, Self.connected)]
        let last = Self.reply(Self.nothing, isLast: true)
        #expect(run(Self.command, begin + [Step(0, last, .show(Self.nothing), .close, .end), Step(0, .tick)]) == nil)
        #expect(run(Self.host, begin + [Step(0, last, .show(Self.nothing), .close, .lost(.absent))]) == 250)
    }

    @Test func theCallAsksForTheHeartbeat() {
        #expect(Follow(Self.host).parameters(["id": "a"]) == ["id": "a", "heartbeat": 30])
    }
}
