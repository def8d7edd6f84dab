// SPDX-License-Identifier: MIT
import Reactor
import TestSupport
import Testing

@testable import QueryService

/// A model of a socket, a client and a service, with which a session's state takes random steps.
private struct Walk {
    enum Call { case atOnce, later, stoppable, stream, endlessStream }

    private(set) var state = SessionState()
    private var random: SeededNumbers
    /// The calls that the session has not read, and those that it has read and not taken.
    private var unread: [Call] = []
    private var read: [Call] = []
    /// How many more replies the socket takes.
    private var room = 2
    private var unwritten = 0
    private var standsInLine = false
    private var inputHasEnded = false
    private var hasBegunEnd = false
    private(set) var hasLeft = false
    private(set) var said = 0
    private(set) var taken = 0
    /// Whether a call kept the calls behind it from being carried out after the client left.
    private(set) var hasStopped = false
    private(set) var steps = 0
    private var number: UInt64 = 0
    private var takenInTurn = 0
    private var streamsEnd = false

    init(seed: UInt64) { random = SeededNumbers(seed: seed) }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func handle(_ event: SessionState.Event) {
        var step = state.handle(event)
        while let next = carryOut(step) {
            step = state.handle(next)
            steps += 1
            precondition(steps < 100_000, "no end of steps")
        }
        if !state.hasTurn { takenInTurn = 0 }
    }

    private mutating func carryOut(_ step: SessionState.Step) -> SessionState.StepResult? {
        switch step {
        case .read:
            #expect(state.work == .none && state.replies != .blocked)
            if unread.isEmpty { return inputHasEnded || hasLeft ? .receivedEnd : .receivedNothing }
            let count = Int.random(in: 1...unread.count, using: &random)
            read += unread.prefix(count)
            unread.removeFirst(count)
            return .received
        case .take:
            #expect(state.work == .none && state.replies != .blocked)
            guard !read.isEmpty else { return .foundNoCall }
            begin(read.removeFirst())
            return read.isEmpty ? .tookAll : .took(isOver: takenInTurn >= 2 || chance(20), isFull: chance(20))
        case .tell:
            #expect(state.work.isStream)
            if chance(70) { reply() }
            return .told(isFinished: streamsEnd && chance(50))
        case .write:
            if hasLeft { return .failedToWrite(hasUnread: !unread.isEmpty) }
            let count = min(room, unwritten)
            (room, unwritten) = (room - count, unwritten - count)
            return unwritten == 0 ? .wrote : .wroteSome
        case .endInput:
            inputHasEnded = true
            return .endedInput
        case .standInLine:
            #expect(!standsInLine)
            standsInLine = true
        case .close:
            if hasLeft || hasBegunEnd, state.work != .none { hasStopped = true }
            _ = state.handle(.closed)
        case .done: break
        }
        return nil
    }

    private mutating func begin(_ call: Call) {
        taken += 1
        takenInTurn += 1
        switch call {
        case .atOnce: if chance(80) { reply() }
        case .later, .stoppable:
            number += 1
            state.begin(.reply(number, isStoppable: call == .stoppable))
            if chance(20) { finishWait() }
        case .stream, .endlessStream:
            streamsEnd = call == .stream
            state.begin(.stream(hasNews: true))
        }
    }

    private mutating func reply() { if state.gather() { unwritten += 1 } }

    private mutating func finishWait() {
        guard state.isAwaiting(number) else { return }
        if chance(80) { reply() }
        handle(.replied)
    }

    /// What epoll(7) would report.
    private mutating func poll() {
        if state.interest.contains(.readable), !unread.isEmpty || hasLeft || inputHasEnded {
            handle(.readable(isBusy: chance(20)))
        } else if state.interest.contains(.writable), room > 0 || hasLeft {
            handle(.writable(isBusy: chance(20)))
        } else if !state.interest.isEmpty, hasLeft {
            handle(.left(hasUnread: !unread.isEmpty))
        }
    }

    private mutating func takeTurn() {
        guard standsInLine else { return }
        standsInLine = false
        handle(.turn)
    }

    mutating func say(_ calls: [Call]) {
        guard !hasLeft, !inputHasEnded else { return }
        unread.append(calls.randomElement(using: &random) ?? .atOnce)
        said += 1
    }

    /// Lets the client or the service take a random step.
    mutating func move(_ calls: [Call]) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0...2: say(calls)
        case 3: room = Int.random(in: room...3, using: &random)
        case 4: finishWait()
        case 5: handle(.news)
        case 6, 7: takeTurn()
        default: poll()
        }
    }

    mutating func leave() { hasLeft = true }

    mutating func end(isNew: Bool) {
        hasBegunEnd = true
        if state.work.isStream { hasStopped = true }
        handle(.ended(isNew: isNew))
    }

    /// Lets everything happen that can, with a client that reads.
    mutating func settle() {
        for _ in 0..<400 where !state.isClosed {
            room = 3
            finishWait()
            if state.work.isStream { handle(.news) }
            takeTurn()
            poll()
        }
    }
}

/// In every order of events, the session takes each call that the client sent, and closes when it has ended.
@Suite struct SessionWalkTests {
    private static let everyCall: [Walk.Call] = [.atOnce, .atOnce, .later, .stoppable, .stream]

    private func walk(_ seed: UInt64, _ calls: [Walk.Call]) -> Walk {
        var walk = Walk(seed: seed)
        for _ in 0..<Int(seed % 60) { walk.move(calls) }
        return walk
    }

    @Test func aClientThatReadsGetsAllItsCallsDone() {
        for seed in 0..<2_000 as Range<UInt64> {
            var walk = walk(seed, Self.everyCall)
            walk.settle()
            #expect(!walk.state.isClosed && walk.taken == walk.said, "seed \(seed)")
        }
    }

    @Test func aSessionWhoseClientHasLeftIsClosed() {
        for seed in 0..<2_000 as Range<UInt64> {
            var walk = walk(seed, Self.everyCall + [.endlessStream])
            walk.leave()
            walk.settle()
            #expect(walk.state.isClosed, "seed \(seed)")
            #expect(walk.hasStopped || walk.taken == walk.said, "seed \(seed)")
        }
    }

    @Test func callsThatAClientSentBeforeItLeftAreCarriedOut() {
        for seed in 0..<2_000 as Range<UInt64> {
            var walk = walk(seed, [.atOnce, .later])
            walk.leave()
            walk.settle()
            #expect(walk.state.isClosed && walk.taken == walk.said, "seed \(seed)")
        }
    }

    @Test(arguments: [true, false]) func aSessionThatEndsIsClosed(isNew: Bool) {
        for seed in 0..<2_000 as Range<UInt64> {
            var walk = walk(seed, Self.everyCall + [.endlessStream])
            let isNew = !walk.state.hasCalled
            walk.end(isNew: isNew)
            if isNew, isNew { walk.say([.atOnce]) }
            walk.settle()
            #expect(walk.state.isClosed, "seed \(seed)")
            #expect(walk.hasStopped || walk.taken == walk.said, "seed \(seed)")
        }
    }
}
