// SPDX-License-Identifier: MIT
import Reactor
import Testing

@testable import QueryService

/// What a connection does, event by event.
@Suite struct SessionStateTests {
    typealias Event = SessionState.Event
    typealias Step = SessionState.Step

    /// One line of a table.
    private enum Line {
        /// An event, and the step that follows.
        case on(Event, Step)
        /// The result of that step, and the next step.
        case then(SessionState.StepResult, Step)
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
            case .then(let result, let expected):
                let step = state.handle(result)
                #expect(step == expected, "line \(number): \(result)")
            case .reply: _ = state.gather()
            case .begin(let work): state.begin(work)
            case .watches(let events): #expect(state.interest == events, "line \(number)")
            }
        }
        return state
    }

    private static let oneCall: [Line] = [
        .on(.readable(isBusy: false), .read), .then(.received, .take), .reply,
        .then(.tookAll, .write), .then(.wrote, .done), .watches(.readable),
    ]
    /// A call whose reply comes later.
    private static func waiting(_ isStoppable: Bool = false) -> [Line] {
        [
            .on(.readable(isBusy: false), .read), .then(.received, .take), .begin(.reply(1, isStoppable: isStoppable)),
            .then(.tookAll, .done), .watches(.readable),
        ]
    }
    private static let stream: [Line] = [
        .on(.readable(isBusy: false), .read), .then(.received, .take), .begin(.stream(hasNews: true)),
        .then(.tookAll, .tell), .reply, .then(.told(isFinished: false), .write),
        .then(.wrote, .done), .watches(.readable),
    ]
    /// The client does not read, and sends another call.
    private static let blocked: [Line] = [
        .on(.readable(isBusy: false), .read), .then(.received, .take), .reply,
        .then(.took(isOver: true, isFull: false), .write), .then(.wroteSome, .done), .watches(.writable),
    ]

    // MARK: Calls

    @Test func aCallIsReadAndAnswered() {
        #expect(play(Self.oneCall + Self.oneCall).hasCalled)
        #expect(!play([.on(.readable(isBusy: false), .read), .then(.receivedNothing, .done)]).hasCalled)
    }

    @Test func repliesAreGatheredUntilAllIsTakenOrThereAreMany() {
        let two: [Line] = [
            .on(.readable(isBusy: false), .read), .then(.received, .take), .reply,
            .then(.took(isOver: false, isFull: false), .take), .reply,
        ]
        play(two + [.then(.took(isOver: false, isFull: false), .take), .then(.foundNoCall, .write)])
        play(
            two + [
                .then(.took(isOver: false, isFull: true), .write), .then(.wrote, .take), .reply,
                .then(.took(isOver: false, isFull: false), .take),
            ])
    }

    @Test func whenItsTurnIsOverTheSessionStandsInLine() {
        play([
            .on(.readable(isBusy: false), .read), .then(.received, .take), .reply,
            .then(.took(isOver: true, isFull: false), .write), .then(.wrote, .standInLine), .watches(.hangup),
            .on(.turn, .take), .then(.took(isOver: true, isFull: false), .standInLine),
            .on(.turn, .take), .then(.foundNoCall, .done), .watches(.readable),
        ])
    }

    @Test func whileOthersWaitTheSessionWaitsForItsTurn() {
        play([
            .on(.readable(isBusy: true), .standInLine), .watches(.hangup),
            .on(.readable(isBusy: true), .done),
            .on(.turn, .read), .then(.receivedNothing, .done), .watches(.readable),
        ])
        play(
            Self.blocked + [
                .on(.writable(isBusy: true), .standInLine), .watches(.hangup), .on(.turn, .write), .then(.wrote, .take),
            ])
    }

    @Test func aClientThatDoesNotReadIsNotRead() {
        play(
            Self.blocked + [
                .on(.readable(isBusy: false), .done), .on(.turn, .done), .watches(.writable),
                .on(.writable(isBusy: false), .write), .then(.wroteSome, .done), .watches(.writable),
                .on(.writable(isBusy: false), .write), .then(.wrote, .standInLine), .watches(.hangup),
                .on(.turn, .take),
            ])
        play([.on(.writable(isBusy: false), .done)])
    }

    @Test func aReplyForAClientThatDoesNotReadIsNotOfferedToTheSocket() {
        var state = play(Self.blocked)
        #expect(state.replies == .blocked)
        let isWanted = state.gather()
        #expect(isWanted && state.replies == .blocked)
    }

    @Test func afterAViolationTheRepliesAreOfferedOnce() {
        let begin: [Line] = [.on(.readable(isBusy: false), .read), .then(.received, .take)]
        play(begin + [.then(.violated, .close)])
        for result in [SessionState.StepResult.wrote, .wroteSome, .failedToWrite(hasUnread: true)] {
            play(
                begin + [
                    .reply, .then(.took(isOver: false, isFull: false), .take), .then(.violated, .write),
                    .then(result, .close),
                ])
        }
    }

    // MARK: Replies that come later

    @Test func theNextCallWaitsForTheReply() {
        let state = play(
            Self.waiting() + [.on(.readable(isBusy: false), .done), .watches(.hangup), .on(.turn, .done)])
        #expect(state.isAwaiting(1))
        #expect(!state.isAwaiting(2))
        let after = play(
            [
                .reply, .on(.replied, .standInLine), .on(.readable(isBusy: false), .done), .on(.turn, .write),
                .then(.wrote, .done), .watches(.readable),
            ], state)
        #expect(!after.isAwaiting(1))
    }

    @Test func aReplyIsWrittenWhileTheNextIsAwaited() {
        play([
            .on(.readable(isBusy: false), .read), .then(.received, .take), .reply,
            .then(.took(isOver: false, isFull: false), .take), .begin(.reply(1, isStoppable: false)),
            .then(.took(isOver: false, isFull: false), .write), .then(.wroteSome, .done), .watches(.writable),
            .on(.writable(isBusy: false), .write), .then(.wrote, .done), .watches(.readable),
        ])
    }

    @Test func aReplyThatComesAtOnceKeepsTheTurn() {
        play([
            .on(.readable(isBusy: false), .read), .then(.received, .take), .begin(.reply(1, isStoppable: false)),
            .reply,
            .on(.replied, .standInLine), .then(.took(isOver: false, isFull: false), .take), .then(.foundNoCall, .write),
            .then(.wrote, .done), .on(.turn, .done), .watches(.readable),
        ])
    }

    // MARK: Streams

    @Test func aSubscriberIsSentNews() {
        play(
            Self.stream + [
                .on(.news, .tell), .then(.told(isFinished: false), .done),
                .on(.news, .tell), .reply, .then(.told(isFinished: false), .write), .then(.wroteSome, .done),
                .watches(.writable), .on(.news, .done), .on(.writable(isBusy: false), .write), .then(.wrote, .tell),
                .then(.told(isFinished: false), .done), .watches(.readable),
                .on(.readable(isBusy: false), .done), .watches(.hangup),
            ])
        play(Self.oneCall + [.on(.news, .done)])
    }

    @Test func afterAStreamTheNextCallIsTaken() {
        play([
            .on(.readable(isBusy: false), .read), .then(.received, .take), .begin(.stream(hasNews: true)),
            .then(.took(isOver: false, isFull: false), .tell), .reply, .then(.told(isFinished: false), .write),
            .then(.wrote, .done), .on(.news, .tell), .reply, .then(.told(isFinished: true), .write),
            .then(.wrote, .standInLine), .on(.turn, .take), .then(.tookAll, .done), .watches(.readable),
        ])
        play(Self.stream + [.on(.news, .tell), .then(.told(isFinished: true), .done), .watches(.readable)])
    }

    // MARK: Clients that leave

    @Test func anIdleClientLeaves() {
        play([.on(.left(hasUnread: false), .close)])
        play(Self.oneCall + [.on(.left(hasUnread: false), .close)])
        play([.on(.readable(isBusy: false), .read), .then(.receivedEnd, .close)])
    }

    @Test func callsThatAClientSentBeforeItLeftAreRead() {
        play([
            .on(.left(hasUnread: true), .standInLine), .watches([]),
            .on(.turn, .read), .then(.received, .take), .reply, .then(.took(isOver: false, isFull: false), .take),
            .then(.foundNoCall, .write), .then(.failedToWrite(hasUnread: true), .standInLine), .watches([]),
            .on(.turn, .read), .then(.received, .take), .then(.took(isOver: true, isFull: false), .standInLine),
            .watches([]), .on(.turn, .take), .then(.foundNoCall, .done), .watches(.readable),
            .on(.readable(isBusy: false), .read), .then(.receivedEnd, .close),
        ])
    }

    @Test func repliesThatAClientCannotReadAreDropped() {
        let state = play(Self.blocked + [.on(.left(hasUnread: false), .standInLine), .watches([])])
        #expect(state.replies == .unwanted)
        var later = play([.on(.turn, .take)], state)
        #expect(later.gather() == false)
        later = play([.then(.took(isOver: false, isFull: false), .take), .then(.foundNoCall, .done)], later)
        #expect(later.interest == .readable)
        play(
            [.begin(.stream(hasNews: true)), .then(.took(isOver: false, isFull: false), .close)],
            play([.on(.turn, .take)], state))
    }

    @Test func aFailedWriteClosesIfNoCallIsLeft() {
        let before: [Line] = [
            .on(.readable(isBusy: false), .read), .then(.received, .take), .reply,
            .then(.took(isOver: false, isFull: false), .take), .then(.foundNoCall, .write),
        ]
        play(before + [.then(.failedToWrite(hasUnread: false), .close)])
        play(before + [.then(.failedToWrite(hasUnread: true), .standInLine), .watches(.hangup)])
        play(
            Self.stream + [.on(.news, .tell), .reply, .then(.told(isFinished: false), .write)]
                + [.then(.failedToWrite(hasUnread: true), .close)])
    }

    @Test func aClientThatLeavesIsAwaitedOnlyIfItSentMoreCalls() {
        play(Self.waiting() + [.on(.left(hasUnread: false), .close)])
        play(
            Self.waiting() + [
                .on(.left(hasUnread: true), .done), .watches([]), .on(.replied, .standInLine), .on(.turn, .read),
            ])
        play([
            .on(.readable(isBusy: false), .read), .then(.received, .take), .begin(.reply(1, isStoppable: false)),
            .then(.took(isOver: false, isFull: false), .done), .on(.left(hasUnread: false), .done), .watches([]),
            .on(.replied, .standInLine), .on(.turn, .take), .then(.tookAll, .done), .watches(.readable),
        ])
        play(Self.waiting(true) + [.on(.left(hasUnread: true), .close)])
        play(Self.stream + [.on(.left(hasUnread: true), .close)])
    }

    // MARK: The end

    @Test func anEndAnswersWhatHasArrived() {
        play(
            Self.oneCall + [
                .on(.ended(isNew: true), .endInput), .then(.endedInput, .read), .then(.received, .take), .reply,
                .then(.took(isOver: false, isFull: false), .take), .then(.foundNoCall, .write), .then(.wrote, .done),
                .watches(.readable), .on(.readable(isBusy: false), .read), .then(.receivedEnd, .close),
            ])
        play(Self.waiting() + [.on(.ended(isNew: false), .endInput), .then(.endedInput, .done)])
        play(Self.blocked + [.on(.ended(isNew: false), .endInput), .then(.endedInput, .done), .watches(.writable)])
        play([.on(.ended(isNew: false), .endInput), .then(.endedInput, .read), .then(.receivedEnd, .close)])
    }

    @Test func aNewClientMayStillSendItsFirstCall() {
        play([
            .on(.ended(isNew: true), .read), .then(.receivedNothing, .done), .watches(.readable),
            .on(.readable(isBusy: false), .read), .then(.received, .take), .reply,
            .then(.took(isOver: false, isFull: false), .take), .then(.foundNoCall, .write), .then(.wrote, .endInput),
            .then(.endedInput, .read), .then(.receivedEnd, .close),
        ])
    }

    @Test func aStreamEndsWithItsLastNews() {
        play(Self.stream + [.on(.ended(isNew: false), .tell), .then(.told(isFinished: false), .close)])
        for result in [SessionState.StepResult.wrote, .wroteSome] {
            play(
                Self.stream + [
                    .on(.ended(isNew: true), .tell), .reply, .then(.told(isFinished: false), .write),
                    .then(result, .close),
                ])
        }
    }

    @Test func nothingHappensToAClosedSession() {
        var state = play(Self.waiting() + [.on(.closed, .done)])
        #expect(state.isClosed)
        #expect(!state.isAwaiting(1))
        #expect(state.gather() == false)
        for event in [Event.readable(isBusy: false), .turn, .replied, .news, .ended(isNew: false)] {
            let step = state.handle(event)
            #expect(step == .done)
        }
        let step = state.handle(SessionState.StepResult.wrote)
        #expect(step == .done)
    }
}
