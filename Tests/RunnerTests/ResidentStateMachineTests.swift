// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Runner

@Suite struct ResidentStateMachineTests {
    private typealias Event = ResidentStateMachine.Event
    private typealias Action = ResidentStateMachine.Action

    private static let patience = ResidentStateMachine.Patience(
        call: .seconds(10), callInWords: "10 s (Timeout=10s)", idle: .minutes(1), leave: .seconds(2))

    private static let call: [Action] = [.call, .arm(.seconds(10))]
    private static let deliver: [Action] = [.arm(.minutes(1)), .deliver]
    private static let leave: [Action] = [.hangUp, .arm(.seconds(2))]
    private static func end(_ reason: String) -> [Action] { [.hangUp, .end(reason)] }
    private static func failUnasked(_ reason: String) -> [Action] { [.reportUnaskedFailure(reason)] + end(reason) }

    private static let lives: [(name: String, events: [Event], actions: [[Action]])] = [
        (
            "asked twice and let go", [.asked, .answered, .asked, .answered, .expired],
            [call, deliver, call, deliver, leave]
        ),
        ("does not answer", [.asked, .expired], [call, end("timed out after 10 s (Timeout=10s)")]),
        ("answers garbage", [.asked, .broken("its answer is rubbish")], [call, end("its answer is rubbish")]),
        (
            "answers once more", [.asked, .answered, .answered],
            [call, deliver, failUnasked("it answered without being asked")]
        ),
        ("babbles while idle", [.asked, .answered, .broken("x")], [call, deliver, failUnasked("x")]),
        (
            "hangs up while idle", [.asked, .answered, .closed, .expired],
            [call, deliver, leave, end("it closed its connection before it answered")]
        ),
        (
            "hangs up instead of answering", [.asked, .closed, .expired],
            [call, [.hangUp, .arm(.milliseconds(200))], end("it closed its connection before it answered")]
        ),
        ("is cancelled in a call", [.asked, .cancelled("stop"), .answered, .expired], [call, end("stop"), [], []]),
        ("is cancelled while idle", [.asked, .answered, .cancelled("stop")], [call, deliver, end("stop")]),
        (
            "is cancelled while it leaves", [.asked, .answered, .dismissed, .cancelled("stop"), .expired],
            [call, deliver, leave, end("stop"), []]
        ),
        (
            "is cancelled after its connection", [.asked, .closed, .cancelled("stop"), .expired],
            [call, [.hangUp, .arm(.milliseconds(200))], end("stop"), []]
        ),
        ("is not needed", [.asked, .answered, .dismissed, .asked], [call, deliver, leave, []]),
        (
            "is dismissed in a call", [.asked, .dismissed, .answered, .asked, .expired],
            [
                call, [], [.deliver, .hangUp, .arm(.seconds(2))], [],
                end("it closed its connection before it answered"),
            ]
        ),
    ]

    @Test(arguments: lives.map(\.name)) func whatIsDone(life: String) throws {
        let (_, events, actions) = try #require(Self.lives.first { $0.name == life })
        var machine = ResidentStateMachine(patience: Self.patience)
        for (event, expected) in zip(events, actions) {
            #expect(machine.handle(event) == expected, "\(event)")
        }
    }

    @Test func onlyAnIdleOneIsAsked() {
        var machine = ResidentStateMachine(patience: Self.patience)
        #expect(machine.isIdle)
        _ = machine.handle(.asked)
        #expect(!machine.isIdle)
        _ = machine.handle(.answered)
        #expect(machine.isIdle)
        _ = machine.handle(.expired)
        #expect(!machine.isIdle)
    }
}
