// SPDX-License-Identifier: MIT
import Reactor
import TestSupport
import Testing

@Suite struct EndOfRoundTests {
    init() { TestLoop.start() }

    @Test @LoopActor func manyRequestsMakeOneTurn() async throws {
        let arrivals = Arrivals<Void>("turn")
        let turn = try EndOfRound { arrivals.send() }
        for _ in 0..<100 { turn.schedule() }
        try await arrivals.next()
        try await turns(3)
        #expect(arrivals.taken().count == 0)
        turn.schedule()
        try await arrivals.next()
    }

    @Test @LoopActor func allThatAreDueHaveTheirTurn() async throws {
        let arrivals = Arrivals<Int>("turn")
        let turns = try (0..<3).map { number in try EndOfRound { arrivals.send(number) } }
        EventLoop.shared.post { for turn in turns { turn.schedule() } }
        #expect(try await arrivals.next(3) == [0, 1, 2])
    }

    @Test @LoopActor func itDoesNotRunUnasked() async throws {
        let arrivals = Arrivals<Void>("turn")
        let turn = try EndOfRound { arrivals.send() }
        try await turns(3)
        #expect(arrivals.taken().count == 0)
        turn.cancel()
    }

    @Test @LoopActor func itRunsAfterTheHandlerThatScheduledIt() async throws {
        let arrivals = Arrivals<String>("step")
        let turn = try EndOfRound { arrivals.send("turn") }
        EventLoop.shared.post {
            turn.schedule()
            arrivals.send("handler")
        }
        #expect(try await arrivals.next(2) == ["handler", "turn"])
    }

    /// A client that sends without a pause must not put off what its messages have changed.
    @Test @LoopActor func itRunsBesideADescriptorThatIsAlwaysReady() async throws {
        let pipe = try Pipe()
        pipe.write("x")
        let arrivals = Arrivals<UInt64?>("step")
        let turn = try EndOfRound { arrivals.send(nil) }
        var source: IOSource?
        var events = 0
        source = try IOSource(descriptor: pipe.reading, events: .readable) { _ in
            if events < 2 { arrivals.send(EventLoop.round) }
            events += 1
            if events == 1 { turn.schedule() }
            if events == 1_000 { source?.cancel() }
        }
        let steps = try await arrivals.next(3)
        #expect(steps[1] == nil && steps[0] != steps[2], "each batch has a number of its own")
    }

    /// What makes one commit of the messages of many connections.
    @Test @LoopActor func theEventsOfABatchShareATurn() async throws {
        let pipes = try (0..<20).map { _ in try Pipe() }
        let arrivals = Arrivals<String>("step")
        let turn = try EndOfRound { arrivals.send("turn") }
        let sources = try pipes.map { pipe in
            try IOSource(descriptor: pipe.reading, events: .readable) { _ in
                _ = pipe.read()
                turn.schedule()
                arrivals.send("event")
            }
        }
        for pipe in pipes { pipe.write("x") }
        var steps = try await arrivals.next(21)
        if steps.last != "turn" { steps.append(try await arrivals.next()) }
        #expect(steps.filter { $0 == "event" }.count == 20)
        // Other tests have events, too: a batch may end among ours.
        #expect(steps.filter { $0 == "turn" }.count <= 2)
        for source in sources { source.cancel() }
    }

    @Test(.timeLimit(.minutes(1))) @LoopActor func aTurnThatNeverEndsDoesNotHoldOthersUp() async throws {
        let turn = Box<EndOfRound>()
        turn.value = try EndOfRound { turn.value?.schedule() }
        turn.value?.schedule()
        let arrivals = Arrivals<Int>("round")
        let pipe = try Pipe()
        let source = try IOSource(descriptor: pipe.reading, events: .readable) { _ in arrivals.send(1) }
        pipe.write("x")
        // It stays readable, and so comes again in every round.
        _ = try await arrivals.next(100)
        let timer = try TimerSource(.monotonic) { arrivals.send(2) }
        timer.arm(after: 1_000)
        while try await arrivals.next() != 2 {}
        source.cancel()
        turn.value = nil
    }

    @Test @LoopActor func aTurnMayScheduleTheNext() async throws {
        let arrivals = Arrivals<Void>("turn")
        let turn = Box<EndOfRound>()
        let count = Box<Int>()
        turn.value = try EndOfRound {
            count.value = (count.value ?? 0) + 1
            if count.value != 3 { turn.value?.schedule() } else { turn.value = nil }
            arrivals.send()
        }
        turn.value?.schedule()
        _ = try await arrivals.next(3)
        #expect(turn.value == nil)
    }
}
