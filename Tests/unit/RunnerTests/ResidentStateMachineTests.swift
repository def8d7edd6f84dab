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
    private static func failIdle(_ reason: String) -> [Action] { [.reportIdleFailure(reason)] + end(reason) }

    private static let lives: [(name: String, events: [Event], actions: [[Action]])] = [
        (
            "asked twice and let go", [.asked, .answered, .asked, .answered, .expired(incomplete: "")],
            [call, deliver, call, deliver, leave]
        ),
        (
            "keeps what the user has opened while a host shows it",
            [
                .watched(true), .pressed, .asked, .answered, .expired(incomplete: ""), .watched(false),
                .expired(incomplete: ""),
            ],
            [[], [], call, deliver, [], [.arm(.minutes(1))], leave]
        ),
        (
            "is pressed, and then shown", [.pressed, .asked, .watched(true), .answered, .expired(incomplete: "")],
            [[], call, [], deliver, []]
        ),
        (
            "is shown, and not pressed",
            [.watched(true), .asked, .answered, .watched(false), .expired(incomplete: "")],
            [[], call, deliver, [], leave]
        ),
        (
            "is pressed, and not shown", [.pressed, .asked, .answered, .expired(incomplete: "")],
            [[], call, deliver, leave]
        ),
        (
            "is shown, pressed and replaced",
            [.watched(true), .pressed, .asked, .answered, .dismissed, .watched(false)],
            [[], [], call, deliver, leave, []]
        ),
        ("does not answer", [.asked, .expired(incomplete: "")], [call, end("timed out after 10 s (Timeout=10s)")]),
        (
            "forgets the NUL after its answer", [.asked, .expired(incomplete: "; it has sent 9 bytes")],
            [call, end("timed out after 10 s (Timeout=10s); it has sent 9 bytes")]
        ),
        (
            "hangs up within a message", [.asked, .closed, .expired(incomplete: "; it has sent 9 bytes")],
            [
                call, [.hangUp, .arm(.milliseconds(200))],
                end("it closed its connection before it answered; it has sent 9 bytes"),
            ]
        ),
        ("answers garbage", [.asked, .broken("its answer is rubbish")], [call, end("its answer is rubbish")]),
        (
            "answers once more", [.asked, .answered, .answered],
            [call, deliver, failIdle("it answered without being asked")]
        ),
        ("babbles while idle", [.asked, .answered, .broken("x")], [call, deliver, failIdle("x")]),
        (
            "hangs up while idle", [.asked, .answered, .closed, .expired(incomplete: "")],
            [call, deliver, leave, end("it did not exit after its connection was closed")]
        ),
        (
            "hangs up instead of answering", [.asked, .closed, .expired(incomplete: "")],
            [call, [.hangUp, .arm(.milliseconds(200))], end("it closed its connection before it answered")]
        ),
        (
            "is cancelled in a call", [.asked, .cancelled("stop"), .answered, .expired(incomplete: "")],
            [call, end("stop"), [], []]
        ),
        ("is cancelled while idle", [.asked, .answered, .cancelled("stop")], [call, deliver, end("stop")]),
        (
            "is cancelled while it leaves",
            [.asked, .answered, .dismissed, .cancelled("stop"), .expired(incomplete: "")],
            [call, deliver, leave, end("stop"), []]
        ),
        (
            "is cancelled after its connection", [.asked, .closed, .cancelled("stop"), .expired(incomplete: "")],
            [call, [.hangUp, .arm(.milliseconds(200))], end("stop"), []]
        ),
        ("ends in a call", [.asked, .ended, .expired(incomplete: ""), .asked], [call, [], [], []]),
        ("ends while idle", [.asked, .answered, .ended, .dismissed], [call, deliver, [], []]),
        ("is not needed", [.asked, .answered, .dismissed, .asked], [call, deliver, leave, []]),
        (
            "is dismissed in a call", [.asked, .dismissed, .answered, .asked, .expired(incomplete: "")],
            [
                call, [], [.deliver, .hangUp, .arm(.seconds(2))], [],
                end("it did not exit after its connection was closed"),
            ]
        ),
    ]

    @Test(arguments: lives.map(\.name)) func everyEventHasItsActions(life: String) throws {
        let (_, events, actions) = try #require(Self.lives.first { $0.name == life })
        var machine = ResidentStateMachine(patience: Self.patience)
        for (event, expected) in zip(events, actions) {
            #expect(machine.handle(event) == expected, "\(event)")
        }
    }

    @Test func onlyAnIdleProgramTakesACall() {
        var machine = ResidentStateMachine(patience: Self.patience)
        #expect(machine.isIdle)
        _ = machine.handle(.asked)
        #expect(!machine.isIdle)
        _ = machine.handle(.answered)
        #expect(machine.isIdle)
        _ = machine.handle(.expired(incomplete: ""))
        #expect(!machine.isIdle)
    }
}
