// SPDX-License-Identifier: MIT
import Reactor
import Testing

@testable import QueryService

/// What a connection does, event by event.
@Suite struct SessionStateTests {
    typealias Event = SessionState.Event
    typealias Step = SessionState.Step

    /// One line of a table: an event, and the step that follows.
    private enum Line {
        case on(Event, Step)
        /// The session answered a call.
        case reply
        case begin(SessionState.Work)
        case watches(IOEvents)
    }

    @discardableResult
    private func play(_ lines: [Line], _ start: SessionState = SessionState()) -> SessionState {
        var state = start
        for (number, line) in lines.enumerated() {
            switch line {
            case .on(let event, let expected):
                let step = state.handle(event)
                #expect(step == expected, "line \(number): \(event)")
            case .reply: _ = state.gather()
            case .begin(let work): state.begin(work)
            case .watches(let events): #expect(state.interest == events, "line \(number)")
            }
        }
        return state
    }

    private static let oneCall: [Line] = [
        .on(.readable(isBusy: false), .read), .on(.received, .take), .reply,
        .on(.tookAll, .write), .on(.wrote, .rest), .watches(.readable),
    ]
    /// A call whose reply comes later.
    private static func waiting(_ isStoppable: Bool = false) -> [Line] {
        [
            .on(.readable(isBusy: false), .read), .on(.received, .take), .begin(.reply(1, isStoppable: isStoppable)),
            .on(.tookAll, .rest), .watches(.readable),
        ]
    }
    private static let stream: [Line] = [
        .on(.readable(isBusy: false), .read), .on(.received, .take), .begin(.stream),
        .on(.tookAll, .tell), .reply, .on(.told(isFinished: false), .write),
        .on(.wrote, .rest), .watches(.readable),
    ]
    /// The client does not read, and sends another call.
    private static let blocked: [Line] = [
        .on(.readable(isBusy: false), .read), .on(.received, .take), .reply,
        .on(.took(isOver: true, isFull: false), .write), .on(.wroteSome, .rest), .watches(.writable),
    ]

    // MARK: Calls

    @Test func aCallIsReadAndAnswered() {
        #expect(play(Self.oneCall + Self.oneCall).hasCalled)
        #expect(!play([.on(.readable(isBusy: false), .read), .on(.receivedNothing, .rest)]).hasCalled)
    }

    @Test func repliesAreGatheredUntilAllIsTakenOrThereAreMany() {
        let two: [Line] = [
            .on(.readable(isBusy: false), .read), .on(.received, .take), .reply,
            .on(.took(isOver: false, isFull: false), .take), .reply,
        ]
        play(two + [.on(.took(isOver: false, isFull: false), .take), .on(.foundNoCall, .write)])
        play(
            two + [
                .on(.took(isOver: false, isFull: true), .write), .on(.wrote, .take), .reply,
                .on(.took(isOver: false, isFull: false), .take),
            ])
    }

    @Test func whenItsTurnIsOverTheSessionStandsInLine() {
        play([
            .on(.readable(isBusy: false), .read), .on(.received, .take), .reply,
            .on(.took(isOver: true, isFull: false), .write), .on(.wrote, .standInLine), .watches(.hangup),
            .on(.turn, .take), .on(.took(isOver: true, isFull: false), .standInLine),
            .on(.turn, .take), .on(.foundNoCall, .rest), .watches(.readable),
        ])
    }

    @Test func whileOthersWaitItWaitsForItsTurn() {
        play([
            .on(.readable(isBusy: true), .standInLine), .watches(.hangup),
            .on(.readable(isBusy: true), .rest),
            .on(.turn, .read), .on(.receivedNothing, .rest), .watches(.readable),
        ])
        play(
            Self.blocked + [
                .on(.writable(isBusy: true), .standInLine), .watches(.hangup), .on(.turn, .write), .on(.wrote, .take),
            ])
    }

    @Test func aClientThatDoesNotReadIsNotRead() {
        play(
            Self.blocked + [
                .on(.readable(isBusy: false), .rest), .on(.turn, .rest), .watches(.writable),
                .on(.writable(isBusy: false), .write), .on(.wroteSome, .rest), .watches(.writable),
                .on(.writable(isBusy: false), .write), .on(.wrote, .standInLine), .watches(.hangup), .on(.turn, .take),
            ])
        play([.on(.writable(isBusy: false), .rest)])
    }

    @Test func afterWhatNoClientMaySayTheRepliesAreOfferedOnce() {
        let begin: [Line] = [.on(.readable(isBusy: false), .read), .on(.received, .take)]
        play(begin + [.on(.violated, .close)])
        for event in [Event.wrote, .wroteSome, .failedToWrite(hasUnread: true)] {
            play(
                begin + [
                    .reply, .on(.took(isOver: false, isFull: false), .take), .on(.violated, .write), .on(event, .close),
                ])
        }
    }

    // MARK: Replies that come later

    @Test func theNextCallWaitsForTheReply() {
        let state = play(
            Self.waiting() + [.on(.readable(isBusy: false), .rest), .watches(.hangup), .on(.turn, .rest)])
        #expect(state.isAwaiting(1))
        #expect(!state.isAwaiting(2))
        let after = play(
            [
                .reply, .on(.replied, .standInLine), .on(.readable(isBusy: false), .rest), .on(.turn, .write),
                .on(.wrote, .rest), .watches(.readable),
            ], state)
        #expect(!after.isAwaiting(1))
    }

    @Test func aReplyBeforeIsWrittenWhileTheNextIsAwaited() {
        play([
            .on(.readable(isBusy: false), .read), .on(.received, .take), .reply,
            .on(.took(isOver: false, isFull: false), .take), .begin(.reply(1, isStoppable: false)),
            .on(.took(isOver: false, isFull: false), .write), .on(.wroteSome, .rest), .watches(.writable),
            .on(.writable(isBusy: false), .write), .on(.wrote, .rest), .watches(.readable),
        ])
    }

    @Test func aReplyThatIsThereAtOnceKeepsTheTurn() {
        play([
            .on(.readable(isBusy: false), .read), .on(.received, .take), .begin(.reply(1, isStoppable: false)), .reply,
            .on(.replied, .standInLine), .on(.took(isOver: false, isFull: false), .take), .on(.foundNoCall, .write),
            .on(.wrote, .rest), .on(.turn, .rest), .watches(.readable),
        ])
    }

    // MARK: Streams

    @Test func aSubscriberIsToldWhatIsNew() {
        play(
            Self.stream + [
                .on(.news, .tell), .on(.told(isFinished: false), .rest),
                .on(.news, .tell), .reply, .on(.told(isFinished: false), .write), .on(.wroteSome, .rest),
                .watches(.writable), .on(.news, .rest), .on(.writable(isBusy: false), .write), .on(.wrote, .tell),
                .on(.told(isFinished: false), .rest), .watches(.readable),
                .on(.readable(isBusy: false), .rest), .watches(.hangup),
            ])
        play(Self.oneCall + [.on(.news, .rest)])
    }

    @Test func afterAStreamTheNextCallIsTaken() {
        play([
            .on(.readable(isBusy: false), .read), .on(.received, .take), .begin(.stream),
            .on(.took(isOver: false, isFull: false), .tell), .reply, .on(.told(isFinished: false), .write),
            .on(.wrote, .rest), .on(.news, .tell), .reply, .on(.told(isFinished: true), .write),
            .on(.wrote, .standInLine), .on(.turn, .take), .on(.tookAll, .rest), .watches(.readable),
        ])
        play(Self.stream + [.on(.news, .tell), .on(.told(isFinished: true), .rest), .watches(.readable)])
    }

    // MARK: Clients that leave

    @Test func anIdleClientLeaves() {
        play([.on(.left(hasUnread: false), .close)])
        play(Self.oneCall + [.on(.left(hasUnread: false), .close)])
        play([.on(.readable(isBusy: false), .read), .on(.receivedEnd, .close)])
    }

    @Test func whatItSaidBeforeIsRead() {
        play([
            .on(.left(hasUnread: true), .standInLine), .watches([]),
            .on(.turn, .read), .on(.received, .take), .reply, .on(.took(isOver: false, isFull: false), .take),
            .on(.foundNoCall, .write), .on(.failedToWrite(hasUnread: true), .standInLine), .watches([]),
            .on(.turn, .read), .on(.received, .take), .on(.took(isOver: true, isFull: false), .standInLine),
            .watches([]), .on(.turn, .take), .on(.foundNoCall, .rest), .watches(.readable),
            .on(.readable(isBusy: false), .read), .on(.receivedEnd, .close),
        ])
    }

    @Test func repliesThatItCannotReadAreDropped() {
        let state = play(Self.blocked + [.on(.left(hasUnread: false), .standInLine), .watches([])])
        #expect(state.replies == .unwanted)
        var later = play([.on(.turn, .take)], state)
        #expect(later.gather() == false)
        later = play([.on(.took(isOver: false, isFull: false), .take), .on(.foundNoCall, .rest)], later)
        #expect(later.interest == .readable)
        play([.begin(.stream), .on(.took(isOver: false, isFull: false), .close)], play([.on(.turn, .take)], state))
    }

    @Test func ifNothingIsLeftToDoAWriteThatFailsCloses() {
        let before: [Line] = [
            .on(.readable(isBusy: false), .read), .on(.received, .take), .reply,
            .on(.took(isOver: false, isFull: false), .take), .on(.foundNoCall, .write),
        ]
        play(before + [.on(.failedToWrite(hasUnread: false), .close)])
        play(before + [.on(.failedToWrite(hasUnread: true), .standInLine), .watches(.hangup)])
        play(
            Self.stream + [.on(.news, .tell), .reply, .on(.told(isFinished: false), .write)]
                + [.on(.failedToWrite(hasUnread: true), .close)])
    }

    @Test func aChangeThatIsBeingMadeIsNotWaitedForUnlessMoreIsToBeDone() {
        play(Self.waiting() + [.on(.left(hasUnread: false), .close)])
        play(
            Self.waiting() + [
                .on(.left(hasUnread: true), .rest), .watches([]), .on(.replied, .standInLine), .on(.turn, .read),
            ])
        play([
            .on(.readable(isBusy: false), .read), .on(.received, .take), .begin(.reply(1, isStoppable: false)),
            .on(.took(isOver: false, isFull: false), .rest), .on(.left(hasUnread: false), .rest), .watches([]),
            .on(.replied, .standInLine), .on(.turn, .take), .on(.tookAll, .rest), .watches(.readable),
        ])
        play(Self.waiting(true) + [.on(.left(hasUnread: true), .close)])
        play(Self.stream + [.on(.left(hasUnread: true), .close)])
    }

    // MARK: The end

    @Test func anEndAnswersWhatHasArrived() {
        play(
            Self.oneCall + [
                .on(.ended(isSpared: true), .endInput), .on(.endedInput, .read), .on(.received, .take), .reply,
                .on(.took(isOver: false, isFull: false), .take), .on(.foundNoCall, .write), .on(.wrote, .rest),
                .watches(.readable), .on(.readable(isBusy: false), .read), .on(.receivedEnd, .close),
            ])
        play(Self.waiting() + [.on(.ended(isSpared: false), .endInput), .on(.endedInput, .rest)])
        play(Self.blocked + [.on(.ended(isSpared: false), .endInput), .on(.endedInput, .rest), .watches(.writable)])
        play([.on(.ended(isSpared: false), .endInput), .on(.endedInput, .read), .on(.receivedEnd, .close)])
    }

    @Test func aNewcomerIsSparedUntilItHasCalled() {
        play([
            .on(.ended(isSpared: true), .read), .on(.receivedNothing, .rest), .watches(.readable),
            .on(.readable(isBusy: false), .read), .on(.received, .take), .reply,
            .on(.took(isOver: false, isFull: false), .take), .on(.foundNoCall, .write), .on(.wrote, .endInput),
            .on(.endedInput, .read), .on(.receivedEnd, .close),
        ])
    }

    @Test func aStreamEndsWithItsLastNews() {
        play(Self.stream + [.on(.ended(isSpared: false), .tell), .on(.told(isFinished: false), .close)])
        for event in [Event.wrote, .wroteSome] {
            play(
                Self.stream + [
                    .on(.ended(isSpared: true), .tell), .reply, .on(.told(isFinished: false), .write),
                    .on(event, .close),
                ])
        }
    }

    @Test func nothingHappensToAClosedSession() {
        var state = play(Self.waiting() + [.on(.closed, .rest)])
        #expect(state.isClosed)
        #expect(!state.isAwaiting(1))
        #expect(state.gather() == false)
        for event in [Event.readable(isBusy: false), .turn, .replied, .news, .ended(isSpared: false), .wrote] {
            #expect(state.handle(event) == .rest)
        }
    }
}
