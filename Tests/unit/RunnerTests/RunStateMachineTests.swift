// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import Testing
import TodayModel

@testable import Runner

@Suite struct RunStateMachineTests {
    private static let timeout = TimeSpan.seconds(10)
    private static let drain = TimeSpan.milliseconds(200)
    private static let kill = TimeSpan.seconds(2)
    private static let death = TimeSpan.seconds(5)
    private static let ended = Reactor.ExitStatus.exited(0)
    private static let byTerm = Reactor.ExitStatus.killed(SIGTERM, coreDumped: false)

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [(RunStateMachine.Event, [RunStateMachine.Action])]

        init(_ name: String, _ steps: [(RunStateMachine.Event, [RunStateMachine.Action])]) {
            testDescription = name
            self.steps = steps
        }
    }

    private static func ending(
        _ status: Reactor.ExitStatus?, _ cause: RunEnding.Cause? = nil, abandoned: Bool = false
    ) -> [RunStateMachine.Action] {
        [.finish(RunEnding(status: status, cause: cause, isAbandoned: abandoned))]
    }

    static let cases: [Case] = [
        Case(
            "pipes close, then the program ends",
            [
                (.printed(5), []), (.closed(.output), []), (.closed(.error), []), (.exited(ended), [.sweep]),
                (.swept(0, after: .zero), ending(ended)),
            ]),
        Case(
            "the program ends, then the pipes close",
            [
                (.exited(.exited(3)), [.arm(drain)]), (.closed(.error), []), (.closed(.output), [.sweep]),
                (.swept(0, after: .zero), ending(.exited(3))),
            ]),
        Case(
            "a grandchild holds a pipe after the program's end",
            [
                (.closed(.output), []), (.exited(ended), [.arm(drain)]), (.expired, [.sweep]),
                (.swept(2, after: .zero), [.arm(.milliseconds(1))]),
                (.closed(.error), []), (.expired, [.sweep]), (.swept(0, after: .zero), ending(ended)),
            ]),
        Case(
            "output closed early is waited out",
            [
                (.closed(.output), []), (.closed(.error), []), (.expired, [.terminate, .arm(kill)]),
                (.exited(byTerm), [.sweep]), (.swept(0, after: .zero), ending(byTerm, .timedOut)),
            ]),
        Case(
            "a time-out that TERM ends",
            [
                (.expired, [.terminate, .arm(kill)]), (.exited(byTerm), [.sweep]),
                (.swept(0, after: .zero), ending(byTerm, .timedOut)),
            ]),
        Case(
            "a time-out that only KILL ends",
            [
                (.expired, [.terminate, .arm(kill)]), (.expired, [.kill, .arm(death)]),
                (.exited(.killed(SIGKILL, coreDumped: false)), [.sweep]),
                (.swept(0, after: .zero), ending(.killed(SIGKILL, coreDumped: false), .timedOut)),
            ]),
        Case(
            "a program that cannot be killed is given up",
            [
                (.expired, [.terminate, .arm(kill)]), (.expired, [.kill, .arm(death)]),
                (.expired, ending(nil, .timedOut, abandoned: true)), (.exited(byTerm), []), (.expired, []),
            ]),
        Case(
            "a program that takes TERM as a wish to end well has still failed",
            [
                (.expired, [.terminate, .arm(kill)]), (.closed(.output), []), (.exited(ended), [.sweep]),
                (.swept(0, after: .zero), ending(ended, .timedOut)),
            ]),
        Case(
            "as much output as allowed",
            [
                (.printed(60), []), (.printed(40), []), (.closed(.output), []), (.closed(.error), []),
                (.exited(ended), [.sweep]), (.swept(0, after: .zero), ending(ended)),
            ]),
        Case(
            "a byte more than allowed",
            [
                (.printed(100), []), (.printed(1), [.stopReading, .terminate, .arm(kill)]), (.closed(.error), []),
                (.exited(byTerm), [.sweep]), (.swept(0, after: .zero), ending(byTerm, .tooMuchOutput)),
            ]),
        Case(
            "too much output after the program's end",
            [
                (.exited(ended), [.arm(drain)]), (.printed(101), [.stopReading, .sweep]),
                (.swept(0, after: .zero), ending(ended, .tooMuchOutput)),
            ]),
        Case(
            "cancelled while it runs",
            [
                (.cancelled("disabled"), [.terminate, .arm(kill)]), (.cancelled("again"), []),
                (.exited(byTerm), [.sweep]),
                (.swept(0, after: .zero), ending(byTerm, .cancelled("disabled"))),
            ]),
        Case(
            "cancelled while the pipes are drained",
            [
                (.exited(ended), [.arm(drain)]), (.cancelled("removed"), [.sweep]),
                (.swept(0, after: .zero), ending(ended, .cancelled("removed"))),
            ]),
        Case(
            "cancelled when it is over",
            [
                (.closed(.output), []), (.closed(.error), []), (.exited(ended), [.sweep]), (.cancelled("late"), []),
                (.swept(0, after: .zero), ending(ended)), (.cancelled("later"), []),
            ]),
        Case(
            "cancelling does not undo a time-out",
            [
                (.expired, [.terminate, .arm(kill)]), (.cancelled("disabled"), []), (.exited(byTerm), [.sweep]),
                (.swept(0, after: .zero), ending(byTerm, .timedOut)),
            ]),
    ]

    @Test(arguments: cases)
    func everyEventHasItsActions(lifetime: Case) {
        var machine = RunStateMachine(
            patience: RunStateMachine.Patience(timeout: Self.timeout), mostOutput: 100)
        #expect(machine.start() == [.arm(.milliseconds(20))])
        #expect(machine.handle(.expired) == [.watch, .arm(Self.timeout - .milliseconds(20))])
        for (step, (event, actions)) in lifetime.steps.enumerated() {
            #expect(machine.handle(event) == actions, "step \(step)")
        }
    }

    /// A program that has ended before its pipes were watched needs no watching, unless another process holds them.
    @Test func aShortRunIsReadAtItsEnd() {
        var machine = RunStateMachine(patience: RunStateMachine.Patience(timeout: Self.timeout), mostOutput: 100)
        #expect(machine.start() == [.arm(.milliseconds(20))])
        for stream in RunStateMachine.Stream.allCases { #expect(machine.handle(.closed(stream)) == []) }
        #expect(machine.handle(.exited(Self.ended)) == [.sweep])
        var held = RunStateMachine(patience: RunStateMachine.Patience(timeout: Self.timeout), mostOutput: 100)
        #expect(held.handle(.exited(Self.ended)) == [.watch, .arm(Self.drain)])
    }

    @Test func aTimeoutMayComeBeforeTheWatch() {
        var machine = RunStateMachine(patience: RunStateMachine.Patience(timeout: .milliseconds(5)), mostOutput: 100)
        #expect(machine.start() == [.arm(.milliseconds(5))])
        #expect(machine.handle(.expired) == [.watch, .arm(.zero)])
        #expect(machine.handle(.expired) == [.terminate, .arm(Self.kill)])
    }

    /// Sweeps come quickly at first and then seldom, and not for ever.
    @Test func processesThatCannotBeEndedAreGivenUp() {
        var machine = RunStateMachine(patience: RunStateMachine.Patience(timeout: Self.timeout), mostOutput: 100)
        for stream in RunStateMachine.Stream.allCases { _ = machine.handle(.closed(stream)) }
        #expect(machine.handle(.exited(Self.ended)) == [.sweep])
        var waited: [TimeSpan] = []
        // Each sweep takes some time, which counts.
        var passed = TimeSpan.zero
        while case .arm(let span)? = machine.handle(.swept(1, after: passed)).first {
            waited.append(span)
            passed = passed + span + .milliseconds(30)
            #expect(machine.handle(.expired) == [.sweep])
        }
        #expect(waited.prefix(8).map(\.microseconds) == [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 50_000, 50_000])
        #expect(passed >= Self.death && passed < Self.death + .milliseconds(81))
    }
}
